package io.cutwater.flink.job;

import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.flink.client.JobSubmission;
import io.cutwater.flink.connector.bulk.PassParts;
import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.connector.feedback.LoopTopic;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.ControlOptions;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.flink.job.option.History;
import io.cutwater.flink.job.option.JobOption;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.DistributedOptions;
import io.cutwater.flink.job.topology.JobOutput;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.job.topology.StateSettings;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobStatusChangedListener;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The live job, for any Flink cluster: reads topic {@code edges}, and optionally {@code vertices}, and writes topics
 * {@code shards}, {@code partition-book}, {@code quality} and {@code dead-letters}.
 *
 * <p>The cluster's configuration sets the checkpoint folder; the job sets everything else that it relies on.
 */
public final class LivePartitionJob {
    /** Prefix of the name of every live job, by which commands find them on a cluster. */
    public static final String NAME_PREFIX = "cutwater live ";

    private LivePartitionJob() {}

    /** Runs the job under {@code flink run}; {@link JobOption#ALL} lists the options. */
    public static void main(String... args) throws Exception {
        LiveJobOptions options = LiveJobOptions.parse(args);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        boolean restored = env.getConfiguration()
                .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
                .isPresent();
        LiveTopics.Start start = LiveTopics.prepare(options, restored);
        LiveJobOptions fixed = fixed(options);
        build(env, fixed, start);
        System.out.println(description(fixed));
        warnings(fixed).forEach(warning -> System.err.println("warning: " + warning));
        env.execute(name(fixed));
    }

    /**
     * Asks the broker for the end of the history that a bootstrap places first, and stores it in the options, with the
     * digest of the places that the job takes over.
     *
     * @return options for {@link #submit}, and for every later submission of the same job
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer
     * @throws IOException if the places to take over cannot be read; the message is meant for users
     */
    public static LiveJobOptions fixed(LiveJobOptions options) throws IOException {
        return LiveTopics.fixHistory(options.withFixedStart());
    }

    /**
     * Submits the job to a running cluster.
     *
     * @param address of Flink's REST endpoint
     * @param credentials for it; the job does not get them
     * @param jars with this class and its libraries, and with partitioners of the user's own
     * @param restoreFrom a savepoint or checkpoint, as a path or URI that the cluster can read; null to begin anew
     * @param claims whether the job takes ownership of that state and deletes its files once it no longer needs them
     * @return the job's id
     * @throws IOException if the cluster refuses the job or does not answer; the message is meant for users
     */
    public static String submit(
            FlinkAddress address,
            FlinkCredentials credentials,
            List<Path> jars,
            LiveJobOptions options,
            @Nullable String restoreFrom,
            boolean claims)
            throws IOException {
        List<JobStatusChangedListener> listeners = JobSubmission.listeners(JobSubmission.ofEnvironment());
        LiveTopics.Start from = LiveTopics.prepare(options, restoreFrom != null);
        Configuration restore = new Configuration();
        if (restoreFrom != null) {
            restore.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom);
            restore.set(
                    StateRecoveryOptions.RESTORE_MODE, claims ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment(
                address.host(),
                address.port(),
                restore,
                jars.stream().map(Path::toString).toArray(String[]::new));
        // Flink's remote environment overwrites the claim mode of its own configuration with the default.
        env.configure(restore);
        build(env, options, from);
        try {
            return JobSubmission.submit(env, name(options), address, credentials, listeners);
        } catch (Exception e) {
            throw new IOException(
                    "the Flink cluster at %s refused the job: %s"
                            .formatted(address, JobFailedException.of(e).getMessage()),
                    e);
        }
    }

    /**
     * Lists settings of existing topics that will lose records, such as a retention that deletes shards.
     *
     * @return one message per setting, with the command that changes it
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer
     */
    public static List<String> warnings(LiveJobOptions options) {
        return LiveTopics.warnings(options);
    }

    /** Describes the choices of the first submission that cannot be changed later, and the topology with its reason. */
    public static String description(LiveJobOptions options) {
        return String.format(
                Locale.ROOT,
                "%s: %s (%s) into %s, %s%s, max parallelism %d, checkpoints every %.1f s%s",
                name(options),
                options.partitioner().algorithm(),
                options.partitioner().kind().label(),
                Counted.of(options.partitioner().partitionCount(), "partition"),
                topology(options),
                options.keepsEdges() ? ", with its edges kept" : "",
                options.maxParallelism(),
                options.checkpointInterval().toMillis() / 1e3,
                options.history() == null
                        ? ""
                        : ", bootstrapped with --bootstrap " + options.history()
                                + parts(options)
                                + (options.startFrom() == null
                                        ? ""
                                        : " from the places in "
                                                + options.startFrom().path()));
    }

    private static String parts(LiveJobOptions options) {
        if (options.bootstrapTasks() > 1) {
            return " in %d tasks (--bootstrap-tasks)".formatted(options.bootstrapTasks());
        }
        return options.bootstrapThreads() == 1
                ? ""
                : " in %d threads (--bootstrap-threads)".formatted(options.bootstrapThreads());
    }

    private static String topology(LiveJobOptions options) {
        if (options.spread() == null) {
            return "fused in one task because --parallelism and --assigners are 1";
        }
        return "distributed with vertices in %s (--parallelism) and %s"
                .formatted(Counted.of(options.parallelism(), "task"), assigners(options));
    }

    private static String assigners(LiveJobOptions options) {
        if (options.assigners() > 1) {
            return "%d assigners (--assigners), so the output is not deterministic".formatted(options.assigners());
        }
        return Algorithms.of(options.partitioner()).needsOneAssigner(options.partitioner())
                ? "one assigner because the algorithm needs one"
                : "one assigner (--assigners), so the output is that of one task";
    }

    static String name(LiveJobOptions options) {
        return NAME_PREFIX + options.topics().edges();
    }

    private static void build(StreamExecutionEnvironment env, LiveJobOptions options, LiveTopics.Start from) {
        env.configure(settings(options));
        PartitionJob.build(env, request(options, from));
    }

    static PartitionRequest request(LiveJobOptions options, LiveTopics.Start from) {
        // Identifies the attempts of this submission only.
        String run = UUID.randomUUID().toString();
        RestoreRule rule =
                new RestoreRule(run, options.topics().owner(), options.acceptsLoss(), options.acceptsNewTopic(), false);
        return new PartitionRequest(
                input(options, from, rule),
                AssignOptions.of(options.partitioner(), options.cacheBytes(), options.waitLimit(), options.keepsEdges())
                        .withCheckpoints(options.checkpointInterval())
                        .withRefinement(options.refinement())
                        .withVertexRemovals(options.removesVertices()),
                options.spread() == null ? null : new DistributedOptions(options.spread(), loop(options)),
                new JobOutput(null, output(options, from, rule), null),
                bulk(options));
    }

    private static PassParts bulk(LiveJobOptions options) {
        SpreadOptions spread = options.spread();
        return options.bootstrapTasks() == 1 || spread == null
                ? PassParts.inThreads(options.bootstrapThreads())
                : new PassParts(options.bootstrapTasks(), spread.buckets(), new LoopTopic(loop(options)));
    }

    private static LoopOptions loop(LiveJobOptions options) {
        return new LoopOptions(options.bootstrapServers(), options.topics().vertexUpdates(), options.client());
    }

    private static TopicOutputOptions output(LiveJobOptions options, LiveTopics.Start from, RestoreRule rule) {
        return new TopicOutputOptions(
                options.bootstrapServers(),
                options.topics().prefix(),
                // Stable across restarts under another job id, so that a job aborts the open transactions of its last
                // run.
                "cutwater",
                from.transactionTimeout(),
                options.client(),
                options.readsVertices(),
                from.commands() == null ? null : new ControlOptions(from.commands(), options.ownBudget()),
                rule,
                options.lostRecords(),
                from.writers());
    }

    private static EdgeInput input(LiveJobOptions options, LiveTopics.Start from, RestoreRule rule) {
        String servers = options.bootstrapServers();
        String edges = options.topics().edges();
        History history = options.history();
        return history == null
                ? new EdgeInput.LiveTopic(
                        servers,
                        edges,
                        options.eventFormat(),
                        from.edges(),
                        options.keepsEdges(),
                        options.removesVertices(),
                        options.expiry(),
                        options.client(),
                        rule,
                        from.readers())
                : new EdgeInput.Bootstrap(
                        new EdgeInput.Topic(
                                servers,
                                edges,
                                options.eventFormat(),
                                history.from(),
                                history.until(),
                                options.client()),
                        options.keepsEdges(),
                        options.removesVertices(),
                        options.expiry(),
                        options.startFrom(),
                        rule);
    }

    private static Configuration settings(LiveJobOptions options) {
        Configuration settings = new Configuration();
        StateSettings.apply(settings);
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpointInterval());
        settings.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        if (!options.checkpointFolder().isEmpty()) {
            settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
            settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, options.checkpointFolder());
        }
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        settings.set(PipelineOptions.MAX_PARALLELISM, options.maxParallelism());
        settings.set(PipelineOptions.GLOBAL_JOB_PARAMETERS, options.arguments());
        return settings;
    }
}
