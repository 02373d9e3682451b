package io.cutwater.deploy.bench;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/** Measures how long a checkpoint of many vertices stops the stream, and how long it takes beside it. */
final class CheckpointBench {
    private static final Duration[] INTERVALS = {Duration.ofSeconds(10), Duration.ofSeconds(3)};

    private CheckpointBench() {}

    /** @param graph as {@link BenchGraph#file} takes it; its state should fit in the cache */
    static void run(String graph, PartitionerOptions partitioner, PrintStream out) throws Exception {
        out.printf("checkpoints of %s, %s, k = %d%n%n", graph, partitioner.algorithm(), partitioner.partitionCount());
        out.println("| interval s | vertices | M edges/s | pauses ms | longest pause ms | longest checkpoint ms |"
                + " checkpoint MB | bytes a vertex |");
        out.println("|---|---|---|---|---|---|---|---|");
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path file = BenchGraph.file(graph, temporary.path());
            for (Duration interval : INTERVALS) {
                MeasuredJob job = MeasuredJob.run(new MeasuredJob.Work(
                        BenchGraph.input(file), partitioner, 4L << 30, MeasuredJob.Work.ROCKSDB_BYTES, interval, null));
                out.printf(
                        "| %d | %,d | %.2f | %s | %d | %d | %d | %.1f |%n",
                        interval.toSeconds(),
                        job.quality().vertices(),
                        job.quality().edges() / job.placingSeconds() / 1e6,
                        job.pausesMillis(),
                        job.pausesMillis().stream()
                                .mapToLong(pause -> pause)
                                .max()
                                .orElse(0),
                        job.checkpointMillis(),
                        job.checkpointBytes() >> 20,
                        (double) job.checkpointBytes() / job.quality().vertices());
            }
        }
    }
}
