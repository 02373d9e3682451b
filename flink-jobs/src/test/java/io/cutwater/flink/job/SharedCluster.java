package io.cutwater.flink.job;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.testkit.FlinkCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * A Flink cluster that the jobs of all tests in this process share. Each start of a cluster loads and compiles Flink's
 * RPC system anew, which takes longer than a small job. The jobs themselves are those of {@link EmbeddedRun}.
 */
public final class SharedCluster {
    private static final int SLOTS = 8;
    private static final long SLOT_BYTES = 64 << 20;

    private static @Nullable SharedCluster shared;

    private final FlinkCluster cluster;
    private final EmbeddedMetrics metrics;

    private SharedCluster(Path folder) throws Exception {
        Configuration configuration =
                EmbeddedRun.configuration(new EmbeddedOptions(folder, Duration.ofSeconds(1), SLOTS * SLOT_BYTES, 0));
        metrics = EmbeddedMetrics.of(configuration);
        cluster = FlinkCluster.start(configuration, SLOTS);
    }

    private static synchronized SharedCluster get() throws Exception {
        if (shared == null) {
            SharedCluster started = new SharedCluster(Files.createTempDirectory("shared-cluster"));
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            shared = started;
        }
        return shared;
    }

    private void close() {
        try {
            cluster.close();
        } catch (Exception e) {
            throw new IllegalStateException("the cluster did not stop", e);
        }
    }

    /** Flink's own interface to the cluster. */
    public static MiniCluster cluster() throws Exception {
        return get().cluster.cluster();
    }

    /**
     * Submits a job that an environment has built.
     *
     * @param restoreFrom path of a checkpoint or savepoint; null for none
     */
    public static JobClient submit(StreamExecutionEnvironment env, @Nullable String restoreFrom) throws Exception {
        return get().cluster.submit(env, restoreFrom);
    }

    /** Starts the job of a request; the metrics are those of the last job that registered them. */
    public static EmbeddedRun start(PartitionRequest request, EmbeddedOptions options) throws Exception {
        return start("test", env -> PartitionJob.build(env, request), options);
    }

    /** Creates the topics of a live job and starts it. */
    public static EmbeddedRun startLive(LiveJobOptions options, Path work, int restarts) throws Exception {
        PartitionRequest request = LiveRequests.of(options, false);
        return start(request, new EmbeddedOptions(work, options.checkpointInterval(), SLOT_BYTES, restarts));
    }

    /**
     * Starts a job.
     *
     * @param options of the job; those of the cluster are not used
     */
    public static EmbeddedRun start(String name, Consumer<StreamExecutionEnvironment> job, EmbeddedOptions options)
            throws Exception {
        return start(name, job, options, null);
    }

    /** @param restoreFrom path of a checkpoint or savepoint; null for none */
    static EmbeddedRun start(
            String name,
            Consumer<StreamExecutionEnvironment> job,
            EmbeddedOptions options,
            @Nullable String restoreFrom)
            throws Exception {
        Configuration configuration = EmbeddedRun.configuration(options);
        configuration.set(PipelineOptions.NAME, name);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        job.accept(env);
        return new EmbeddedRun(submit(env, restoreFrom), get().metrics);
    }
}
