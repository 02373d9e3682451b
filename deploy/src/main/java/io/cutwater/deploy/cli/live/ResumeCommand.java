package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.deploy.launch.ClusterParts;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Resumes a live job that was stopped, or whose cluster was lost. */
@Command(
        name = "resume",
        sortOptions = false,
        modelTransformer = LiveOptions.class,
        description = {
            "Resumes a live job from its savepoint or its last checkpoint, under a new id.",
            "Options that are not given keep the values of the submission."
        },
        footer = {"", "Example: cutwater resume"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class ResumeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            description = "Id of the job. Default: the only one submitted from here that does not run")
    private @Nullable String job;

    @Option(
            names = "--from",
            paramLabel = "PATH",
            description = "Savepoint or checkpoint to restore. Default: the last one")
    private @Nullable String from;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        LiveJobs jobs = flink.jobs();
        Map<String, String> given = LiveOptions.given(spec);
        LiveJobs.Submitted resumed;
        try {
            resumed = jobs.resume(job, from, given, ClusterParts.find());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        SubmittedText.print(spec.commandLine(), resumed, jobs.page(resumed.id()), common.isJson());
        return 0;
    }
}
