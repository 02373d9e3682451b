package io.cutwater.state.loop;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.SyntheticGraph;
import io.cutwater.state.loop.StaleViews.Window;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Locale;

/** Prints the table of quality against assigners that the README of flink-jobs has. */
final class StaleViewsFigures {
    private StaleViewsFigures() {}

    public static void main(String... args) {
        EdgeBatch rmat = new EdgeBatch();
        SyntheticGraph.rmat(17, 1).fill(rmat, 2_000_000);
        print("rmat", rmat);
        print("uk-2007-05-100k", SharedGraph.read("data/uk-2007-05-100k/edges.rnd.txt.gz"));
    }

    private static void print(String name, EdgeBatch graph) {
        PartitionerOptions options = new PartitionerOptions("hdrf", 32, EdgePartitioners.DEFAULT_SEED);
        StaleViews one = StaleViews.of(graph, options, 1, new Window(0, 4096));
        System.out.printf(
                Locale.ROOT, "%s, 1 assigner: %.3f, %.4f%n", name, one.replicationFactor(), one.edgeBalance());
        for (double share : new double[] {.005, .01, .02, .05}) {
            for (int assigners : new int[] {2, 4, 8, 16, 64}) {
                StaleViews some = StaleViews.of(graph, options, assigners, new Window(share, 512));
                System.out.printf(
                        Locale.ROOT,
                        "%s, window %.1f %%, %d assigners: %.3f (%+.2f %%), %.4f%n",
                        name,
                        100 * share,
                        assigners,
                        some.replicationFactor(),
                        100 * (some.replicationFactor() / one.replicationFactor() - 1),
                        some.edgeBalance());
            }
        }
        StaleViews fixed = StaleViews.of(graph, options, 2, new Window(0, 32_768));
        System.out.printf(Locale.ROOT, "%s, window 32768, 2 assigners: %.3f%n", name, fixed.replicationFactor());
    }
}
