package io.cutwater.deploy.bench;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.state.table.VertexLayout;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Measures the bytes of a vertex in the cache and in a checkpoint, by number of partitions and mean degree. */
final class SizeBench {
    private static final int VERTICES = 30_000;
    private static final int[] PARTITIONS = {8, 32, 256, 4096};
    private static final int[] DEGREES = {4, 16, 64};

    private SizeBench() {}

    static void run(String algorithm, PrintStream out) throws Exception {
        out.printf("bytes a vertex, %s, uniform random graphs of %,d vertices%n%n", algorithm, VERTICES);
        out.println("| k | record in the cache | mean degree | replication factor | value as stored | checkpoint |");
        out.println("|---|---|---|---|---|---|");
        for (int partitions : PARTITIONS) {
            PartitionerOptions options =
                    PartitionerOptions.ofEdges(algorithm, partitions, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
            boolean hasFinalDegrees = Algorithms.edgePartitioner(options).needsFinalDegrees();
            int record = new VertexLayout(partitions, hasFinalDegrees).stride() * Long.BYTES;
            for (int degree : DEGREES) {
                row(options, record, degree, out);
            }
        }
    }

    private static void row(PartitionerOptions options, int record, int degree, PrintStream out) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            String graph = "uniform:%d:%d".formatted(VERTICES, (long) VERTICES * degree / 2);
            Path file = BenchGraph.file(graph, temporary.path());
            MeasuredJob job = MeasuredJob.run(new MeasuredJob.Work(
                    BenchGraph.input(file),
                    options,
                    1L << 30,
                    MeasuredJob.Work.ROCKSDB_BYTES,
                    Duration.ofSeconds(1),
                    null));
            out.printf(
                    "| %d | %d | %d | %.2f | %.1f | %.1f |%n",
                    options.partitionCount(),
                    record,
                    degree,
                    job.replicationFactor(),
                    job.storedBytesPerVertex(),
                    (double) job.checkpointBytes() / job.quality().vertices());
        }
    }
}
