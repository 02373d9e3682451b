package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cluster.ClusterParts;
import io.cutwater.deploy.cluster.LiveJobs;
import io.cutwater.flink.job.LiveJobOptions;
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

/** Goes on with a live job that was stopped or has lost its cluster. */
@Command(
        name = "resume",
        sortOptions = false,
        description =
                "Goes on with a live job from its savepoint or its last checkpoint, under a new id. The options are"
                        + " those it was submitted with, and what is given here.",
        footer = {"", "Example: cutwater resume"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class ResumeCommand implements Callable<Integer> {
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

    @Option(
            names = "--replay-lost",
            description = "Writes records again that the state counts as written and Kafka has aborted. They are read"
                    + " from the logs of their topics. Counts for this resume only. Default: the job fails")
    private boolean isReplaying;

    @Option(
            names = "--accept-loss",
            description =
                    "Goes on where records are lost that the job has not read, where the broker has lost records that"
                            + " it has read, or where Kafka has aborted records that it has written; the job's log says"
                            + " which. Counts for this resume only. Default: the job fails")
    private boolean isAcceptingLoss;

    @Option(
            names = "--accept-new-topic",
            description =
                    "Goes on in another topic of the same name, one that was made again or is of another Kafka cluster,"
                            + " from its beginning or from --start-offsets. Counts for this resume only. Default: refused")
    private boolean isAcceptingNewTopic;

    @Mixin
    private LiveOptions options;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        LiveJobs jobs = flink.jobs();
        Map<String, String> given = options.given();
        if (isReplaying) {
            given.put(LiveJobOptions.REPLAY_LOST, "true");
        }
        if (isAcceptingLoss) {
            given.put(LiveJobOptions.ACCEPT_LOSS, "true");
        }
        if (isAcceptingNewTopic) {
            given.put(LiveJobOptions.ACCEPT_NEW_TOPIC, "true");
        }
        LiveJobs.Submitted resumed;
        try {
            resumed = jobs.resume(job, from, given, ClusterParts.find());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        SubmittedText.print(spec.commandLine(), resumed, common.isJson());
        return 0;
    }
}
