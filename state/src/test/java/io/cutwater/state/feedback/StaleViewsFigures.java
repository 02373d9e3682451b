package io.cutwater.state.feedback;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.StaleViews.Window;
import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.util.Locale;
import java.util.Map;

/** Prints the table of several assigners of {@code deploy/docs/reference/benchmarks.md}. */
final class StaleViewsFigures {
    private StaleViewsFigures() {}

    /**
     * @param args what to run: {@code kind:algorithm:assigners:graph}, such as {@code edge:hdrf:1,2,4:uk}; graphs are
     *     {@code uk}, {@code uk-in-order} and {@code rmat}. A number of edges may follow, which are always ahead, or
     *     {@code kept} if edges are kept
     */
    public static void main(String... args) {
        for (String arg : args) {
            String[] run = arg.split(":");
            PartitionerOptions options = new PartitionerOptions(
                    Algorithms.kindOf(run[1], run[0]), run[1], 32, Algorithms.DEFAULT_SEED, PassMode.LIVE, Map.of());
            EdgeBatch graph = graph(run[3]);
            boolean keepsEdges = run.length > 4 && run[4].equals("kept");
            Window window = run.length > 4 && !keepsEdges
                    ? new Window(0, Integer.parseInt(run[4]))
                    : new Window(AskWindow.SHARE, AskWindow.LEAST);
            StaleViews first = null;
            for (String assigners : run[2].split(",")) {
                StaleViews some = StaleViews.of(graph, options, Integer.parseInt(assigners), window, keepsEdges);
                first = first == null ? some : first;
                print(arg, assigners, some, first);
            }
        }
    }

    private static EdgeBatch graph(String name) {
        if (name.equals("rmat")) {
            EdgeBatch rmat = new EdgeBatch();
            SyntheticGraph.rmat(17, 1).fill(rmat, 2_000_000);
            return rmat;
        }
        return SharedGraph.read("data/uk-2007-05-100k/" + (name.equals("uk") ? "edges.rnd.txt.gz" : "edges.txt.gz"));
    }

    private static void print(String run, String assigners, StaleViews some, StaleViews first) {
        System.out.printf(
                Locale.ROOT,
                "%s, %s assigners: cost %.3f (%+.2f %%), balance %.4f, an edge: %.2f lookups, %.2f changes, %.2f news%n",
                run,
                assigners,
                some.cost(),
                100 * (some.cost() / first.cost() - 1),
                some.balance(),
                some.lookups(),
                some.changes(),
                some.news());
    }
}
