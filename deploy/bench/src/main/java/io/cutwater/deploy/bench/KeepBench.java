package io.cutwater.deploy.bench;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;

/** Measures the cost of keeping every edge in the state: time and bytes, compared with the same job without. */
final class KeepBench {
    private static final long CACHE_BYTES = 256L << 20;

    private KeepBench() {}

    static void run(String graph, PartitionerOptions partitioner, int runs, PrintStream out) throws Exception {
        out.printf(
                "kept edges of %s, %s (%s), k = %d, median of %d runs%n%n",
                graph, partitioner.algorithm(), partitioner.kind().label(), partitioner.partitionCount(), runs);
        out.println(
                "| kept | edges | wall s | M edges/s while placing | busiest thread | its CPU s | M edges per CPU s of it |"
                        + " CPU s of the process | checkpoint bytes an edge |");
        out.println("|---|---|---|---|---|---|---|---|---|");
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            EdgeInput input = BenchGraph.input(BenchGraph.file(graph, temporary.path()));
            MeasuredJob.run(work(input, partitioner, true)); // the compiler of the virtual machine warms up
            for (boolean keeps : new boolean[] {false, true}) {
                row(input, partitioner, keeps, runs, out);
            }
        }
    }

    private static MeasuredJob.Work work(EdgeInput input, PartitionerOptions partitioner, boolean keeps) {
        return new MeasuredJob.Work(
                input,
                partitioner,
                CACHE_BYTES,
                MeasuredJob.Work.ROCKSDB_BYTES,
                Duration.ofSeconds(5),
                null,
                keeps,
                null);
    }

    private static void row(EdgeInput input, PartitionerOptions partitioner, boolean keeps, int runs, PrintStream out)
            throws Exception {
        MeasuredJob[] all = new MeasuredJob[runs];
        for (int run = 0; run < runs; run++) {
            all[run] = MeasuredJob.run(work(input, partitioner, keeps));
        }
        Arrays.sort(all, Comparator.comparingDouble(MeasuredJob::busiestSeconds));
        MeasuredJob median = all[runs / 2];
        double millions = median.quality().edges() / 1e6;
        out.printf(
                "| %s | %,d | %.2f | %.2f | %s | %.2f | %.2f | %.1f | %.1f |%n",
                keeps ? "yes" : "no",
                median.quality().edges(),
                median.seconds(),
                millions / median.placingSeconds(),
                median.busiest(),
                median.busiestSeconds(),
                millions / median.busiestSeconds(),
                median.processSeconds(),
                (double) median.checkpointBytes() / median.quality().edges());
    }
}
