package io.cutwater.deploy.cli;

import io.cutwater.deploy.cluster.ClusterParts;
import io.cutwater.deploy.cluster.LiveJobs;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Goes on with a live job that was stopped or has lost its cluster. */
@Command(
        name = "resume",
        sortOptions = false,
        description =
                "Goes on with a live job from its savepoint or its last checkpoint, under a new id. The options are"
                        + " those it was submitted with, and what is given here.",
        footer = {"", "Example: cutwater resume"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class ResumeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            description = "Its id. Default: the only one that was submitted from here")
    private @Nullable String job;

    @Option(
            names = "--from",
            paramLabel = "PATH",
            description =
                    "A savepoint or checkpoint. What the job has done after it is done again, and is in the topics"
                            + " twice. Default: the last one")
    private @Nullable String from;

    @Mixin
    private LiveOptions options;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        LiveJobs jobs = flink.jobs();
        LiveJobs.Submitted resumed;
        try {
            resumed = jobs.resume(job, from, options.given(), ClusterParts.find());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        SubmittedText.print(spec.commandLine(), resumed, common.json);
        return 0;
    }
}
