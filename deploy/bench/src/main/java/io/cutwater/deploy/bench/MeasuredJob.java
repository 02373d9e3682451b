package io.cutwater.deploy.bench;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.report.LiveReport;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.topology.DistributedOptions;
import io.cutwater.flink.job.topology.JobOutput;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.scratch.TemporaryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of the whole job with its measurements.
 *
 * @param seconds wall-clock time, including the start of the embedded cluster
 * @param placingSeconds from the first batch that was placed to the last
 * @param busiestSeconds CPU time of the busiest thread
 * @param processSeconds CPU time of the process during the run
 * @param cpuSeconds CPU time by what threads do, see {@link BusiestThread#seconds(double)}
 * @param lookups vertices that were asked for in tables in other tasks
 * @param pausesMillis how long the stream stopped for each checkpoint, as far as it was observed
 * @param checkpointMillis how long the longest checkpoint took from its trigger to its end, beside the stream
 * @param checkpointBytes size of the largest checkpoint
 */
record MeasuredJob(
        double seconds,
        double placingSeconds,
        double busiestSeconds,
        String busiest,
        double processSeconds,
        Map<String, Double> cpuSeconds,
        long lookups,
        Quality quality,
        double cacheHitRate,
        double storedBytesPerVertex,
        List<Long> pausesMillis,
        long checkpointMillis,
        long checkpointBytes) {
    private static final double NANOS = 1e9;
    private static final Duration SAMPLE = Duration.ofMillis(20);
    /** Reading the clocks of all threads takes a millisecond. */
    private static final int SAMPLES_A_THREAD = 5;

    /**
     * The job to run.
     *
     * @param topics of the output; null for staged files, as {@code partition} writes
     * @param distributed null for the fused topology
     */
    record Work(
            EdgeInput input,
            PartitionerOptions partitioner,
            long cacheBytes,
            long rocksDbBytes,
            Duration checkpointInterval,
            @Nullable TopicOutputOptions topics,
            boolean keepsEdges,
            @Nullable DistributedOptions distributed) {
        static final long ROCKSDB_BYTES = 128 << 20;

        /** Creates a job that keeps no edges. */
        Work(
                EdgeInput input,
                PartitionerOptions partitioner,
                long cacheBytes,
                long rocksDbBytes,
                Duration checkpointInterval,
                @Nullable TopicOutputOptions topics) {
            this(input, partitioner, cacheBytes, rocksDbBytes, checkpointInterval, topics, false, null);
        }

        /** Returns this work in the distributed topology. */
        Work over(DistributedOptions tasks) {
            return new Work(
                    input, partitioner, cacheBytes, rocksDbBytes, checkpointInterval, topics, keepsEdges, tasks);
        }

        static Work of(EdgeInput input, PartitionerOptions partitioner, long cacheBytes) {
            return new Work(input, partitioner, cacheBytes, ROCKSDB_BYTES, Duration.ofSeconds(10), null);
        }
    }

    double replicationFactor() {
        return (quality).replicationFactor();
    }

    static MeasuredJob run(Work work) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path folder = temporary.path();
            Path report = folder.resolve("live.json");
            PartitionRequest request = new PartitionRequest(
                    work.input(),
                    AssignOptions.of(work.partitioner(), work.cacheBytes(), Duration.ZERO, work.keepsEdges()),
                    work.distributed(),
                    new JobOutput(work.topics() == null ? folder.resolve("staging") : null, work.topics(), report));
            EmbeddedOptions options = new EmbeddedOptions(folder, work.checkpointInterval(), work.rocksDbBytes(), 0);
            BusiestThread busiest = new BusiestThread();
            double processBefore = BusiestThread.processSeconds();
            Samples samples = new Samples();
            long start = System.nanoTime();
            try (EmbeddedRun run = EmbeddedRun.start(request, options)) {
                for (int i = 0; !run.await(SAMPLE); i++) {
                    if (i % SAMPLES_A_THREAD == 0) {
                        busiest.sample();
                    }
                    samples.take(run);
                }
                double processSeconds = BusiestThread.processSeconds() - processBefore;
                double seconds = (System.nanoTime() - start) / NANOS;
                samples.take(run);
                return new MeasuredJob(
                        seconds,
                        (samples.lastEdgesAt - samples.firstEdgesAt) / NANOS,
                        busiest.seconds(),
                        busiest.name(),
                        processSeconds,
                        busiest.seconds(processSeconds),
                        (long) run.metrics().sum("lookups"),
                        LiveReport.read(report).orElseThrow().report().quality(),
                        run.metrics().value("cacheHitRate").orElse(1),
                        run.metrics().value("storedBytesPerVertex").orElse(0),
                        List.copyOf(samples.pauses),
                        samples.checkpointMillis,
                        samples.checkpointBytes);
            }
        }
    }

    private static final class Samples {
        private double edges;
        private long firstEdgesAt;
        private long lastEdgesAt;
        private double pause = -1;
        private final List<Long> pauses = new ArrayList<>();
        private long checkpointMillis;
        private long checkpointBytes;

        void take(EmbeddedRun run) {
            double edgesNow = run.metrics().value("edges").orElse(0);
            if (edgesNow > edges) {
                lastEdgesAt = System.nanoTime();
                firstEdgesAt = edges == 0 ? lastEdgesAt : firstEdgesAt;
                edges = edgesNow;
            }
            double pauseNow = run.metrics().value("checkpointPauseMillis").orElse(0);
            if (pauseNow != pause && pauseNow > 0) {
                pauses.add((long) pauseNow);
            }
            pause = pauseNow;
            checkpointMillis = Math.max(checkpointMillis, latest(run, "lastCheckpointDuration"));
            checkpointBytes = Math.max(checkpointBytes, latest(run, "lastCheckpointFullSize"));
        }

        private static long latest(EmbeddedRun run, String name) {
            return (long) run.metrics().value(name).orElse(0);
        }
    }
}
