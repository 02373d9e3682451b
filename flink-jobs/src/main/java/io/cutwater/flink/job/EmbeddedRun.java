package io.cutwater.flink.job;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.job.topology.StateSettings;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.messages.FlinkJobTerminatedWithoutCancellationException;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job on a Flink cluster inside this process, with RocksDB state and checkpoints. */
public final class EmbeddedRun implements AutoCloseable {
    private final JobClient client;
    private final CompletableFuture<JobExecutionResult> result;
    private final EmbeddedMetrics metrics;

    EmbeddedRun(JobClient client, EmbeddedMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
        result = client.getJobExecutionResult();
    }

    /** Starts a partitioning job; returns as soon as it is submitted. */
    public static EmbeddedRun start(PartitionRequest request, EmbeddedOptions options) throws IOException {
        return start("cutwater partition", env -> PartitionJob.build(env, request), options);
    }

    /**
     * Creates the missing topics of a live job and starts it; {@link #close} cancels it.
     *
     * @param work an empty folder for everything that the cluster writes, removed by the caller
     * @throws io.cutwater.kafka.topic.BrokerException if the broker is unreachable or refuses a topic
     */
    public static EmbeddedRun startLive(LiveJobOptions options, Path work, long managedMemoryBytes, int restarts)
            throws IOException {
        PartitionRequest request = LivePartitionJob.request(options, LiveTopics.prepare(options, false));
        return start(
                LivePartitionJob.name(options),
                env -> PartitionJob.build(env, request),
                new EmbeddedOptions(work, options.checkpointInterval(), managedMemoryBytes, restarts));
    }

    public static EmbeddedRun start(String name, Consumer<StreamExecutionEnvironment> job, EmbeddedOptions options)
            throws IOException {
        Configuration configuration = configuration(options);
        EmbeddedMetrics metrics = EmbeddedMetrics.of(configuration);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        job.accept(env);
        try {
            return new EmbeddedRun(env.executeAsync(name), metrics);
        } catch (Exception e) {
            throw new IOException("the embedded Flink cluster did not start: " + e.getMessage(), e);
        }
    }

    public static Configuration configuration(EmbeddedOptions options) {
        String folder = options.workFolder().toString();
        Configuration configuration = new Configuration();
        StateSettings.apply(configuration);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpointInterval());
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                options.workFolder().resolve("checkpoints").toUri().toString());
        configuration.set(RocksDBOptions.LOCAL_DIRECTORIES, folder);
        configuration.set(CoreOptions.TMP_DIRS, folder);
        configuration.set(WebOptions.TMP_DIR, folder);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(PipelineOptions.MAX_PARALLELISM, SpreadOptions.DEFAULT_BUCKETS);
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, new MemorySize(options.managedMemoryBytes()));
        configuration.set(JobManagerOptions.BIND_HOST, "localhost");
        configuration.set(TaskManagerOptions.BIND_HOST, "localhost");
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(ClosedRestEndpoint.CLOSED, true);
        if (options.restarts() == 0) {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        } else {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, options.restarts());
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        }
        return configuration;
    }

    public EmbeddedMetrics metrics() {
        return metrics;
    }

    /**
     * Waits for the end of the job.
     *
     * @return whether the job finished in this time
     * @throws JobFailedException if the job failed; the message is meant for users
     */
    public boolean await(Duration timeout) throws JobFailedException, InterruptedException {
        try {
            result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw JobFailedException.of(e);
        }
    }

    /**
     * Returns the final value of an accumulator; 0 if the job has none of that name.
     *
     * @throws IllegalStateException if the job has not finished
     */
    public long counted(String counter) {
        JobExecutionResult ended = result.getNow(null);
        if (ended == null) {
            throw new IllegalStateException("the job still runs, so %s is not counted yet".formatted(counter));
        }
        Long count = ended.getAccumulatorResult(counter);
        return count == null ? 0 : count;
    }

    /** Cancels the job if it still runs. */
    @Override
    public void close() {
        if (!result.isDone()) {
            try {
                cancel();
                result.handle((done, failure) -> done).get(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("the embedded job could not be cancelled within 30 s", e);
            }
        }
    }

    private void cancel() throws InterruptedException, ExecutionException, TimeoutException {
        try {
            client.cancel().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof FlinkJobTerminatedWithoutCancellationException)) {
                throw e;
            }
            // It has ended meanwhile, for example with a savepoint.
        }
    }
}
