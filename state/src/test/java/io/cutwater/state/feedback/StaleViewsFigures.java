package io.cutwater.state.feedback;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.StaleViews.Window;
import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Locale;

/** Prints the table of several assigners of {@code deploy/docs/reference/benchmarks.md}. */
final class StaleViewsFigures {
    private static final PartitionerOptions OPTIONS = PartitionerOptions.ofEdges("hdrf", 32, Algorithms.DEFAULT_SEED);

    private StaleViewsFigures() {}

    public static void main(String... args) {
        EdgeBatch rmat = new EdgeBatch();
        SyntheticGraph.rmat(17, 1).fill(rmat, 2_000_000);
        print("rmat", rmat);
        print("uk-2007-05-100k", SharedGraph.read("data/uk-2007-05-100k/edges.rnd.txt.gz"));
    }

    private static void print(String name, EdgeBatch graph) {
        Window ofTheJob = new Window(AskWindow.SHARE, AskWindow.LEAST);
        StaleViews one = StaleViews.of(graph, OPTIONS, 1, ofTheJob);
        print(name, 1, "4 %", one, one);
        for (int assigners : new int[] {2, 4, 8, 16, 64}) {
            print(name, assigners, "4 %", StaleViews.of(graph, OPTIONS, assigners, ofTheJob), one);
        }
        print(name, 2, "32,768 edges", StaleViews.of(graph, OPTIONS, 2, new Window(0, 1 << 15)), one);
    }

    private static void print(String name, int assigners, String window, StaleViews some, StaleViews one) {
        System.out.printf(
                Locale.ROOT,
                "%s, %d assigners, window %s: RF %.3f (%+.2f %%), edge balance %.4f, %.2f lookups an edge%n",
                name,
                assigners,
                window,
                some.replicationFactor(),
                100 * (some.replicationFactor() / one.replicationFactor() - 1),
                some.edgeBalance(),
                some.lookups());
    }
}
