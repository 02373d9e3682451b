package io.cutwater.deploy.bench;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the cost of an edge as the graph grows, with the state in the cache; it should stay constant. */
final class GrowthBench {
    private static final int SMALLEST_SCALE = 18;
    private static final int DOUBLINGS = 4;
    private static final long MILLION = 1_000_000;

    private GrowthBench() {}

    /** @param runs of each size, the fastest of which counts, because other processes can only slow it down */
    static void run(PartitionerOptions partitioner, int runs, PrintStream out) throws Exception {
        out.printf(
                "R-MAT graphs in the cache, %s, k = %d, fastest of %d runs after a warm-up%n%n",
                partitioner.algorithm(), partitioner.partitionCount(), runs);
        out.println(
                "| edges | vertices | CPU ns an edge, busiest thread | to the smallest | M edges/s while placing |");
        out.println("|---|---|---|---|---|");
        double smallest = 0;
        for (int doubling = 0; doubling <= DOUBLINGS; doubling++) {
            long edges = MILLION << doubling;
            try (TemporaryFolder temporary = TemporaryFolder.create()) {
                Path file = BenchGraph.file("rmat:%d:%d".formatted(SMALLEST_SCALE + doubling, edges), temporary.path());
                MeasuredJob.Work work = MeasuredJob.Work.of(BenchGraph.input(file), partitioner, 1L << 30);
                if (doubling == 0) {
                    MeasuredJob.run(work);
                    MeasuredJob.run(work);
                }
                MeasuredJob best = MeasuredJob.run(work);
                for (int run = 1; run < runs; run++) {
                    MeasuredJob next = MeasuredJob.run(work);
                    best = next.busiestSeconds() < best.busiestSeconds() ? next : best;
                }
                Files.delete(file);
                double nanos = best.busiestSeconds() * 1e9 / edges;
                smallest = doubling == 0 ? nanos : smallest;
                out.printf(
                        "| %,d | %,d | %.0f | %.2f | %.2f |%n",
                        edges,
                        best.quality().vertices(),
                        nanos,
                        nanos / smallest,
                        edges / best.placingSeconds() / MILLION);
            }
        }
    }
}
