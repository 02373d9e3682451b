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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Prints the table of several assigners of {@code deploy/docs/reference/benchmarks-distributed.md}. */
final class StaleViewsFigures {
    private StaleViewsFigures() {}

    /**
     * @param args what to run: {@code kind:algorithm:assigners:graph}, such as {@code edge:hdrf:1,2,4:uk}; graphs are
     *     {@code uk}, {@code uk-in-order}, {@code rmat} and {@code NAME/FILE} of the real graphs. There may follow
     *     {@code kept} if edges are kept, {@code share=PERCENT} of the edges so far or {@code ahead=EDGES} that are
     *     always ahead, {@code run=EDGES} of the input that an assigner gets before the next one, {@code k=PARTITIONS},
     *     and settings of the algorithm; with {@code %} as a share of the graph, with {@code /A} divided by the number
     *     of assigners
     */
    public static void main(String... args) {
        for (String arg : args) {
            String[] run = arg.split(":");
            EdgeBatch graph = graph(run[3]);
            StaleViews first = null;
            for (String assigners : run[2].split(",")) {
                StaleViews some = of(run, graph, Integer.parseInt(assigners));
                first = first == null ? some : first;
                print(arg, assigners, some, first);
            }
        }
    }

    private static StaleViews of(String[] run, EdgeBatch graph, int assigners) {
        boolean keepsEdges = false;
        @Nullable Window window = null;
        int edgesOfRun = 1;
        int k = 32;
        Map<String, String> settings = new TreeMap<>();
        for (int i = 4; i < run.length; i++) {
            String[] setting = run[i].split("=");
            switch (setting[0]) {
                case "kept" -> keepsEdges = true;
                case "share" -> window = share(Double.parseDouble(setting[1]) / 100);
                case "ahead" -> window = always(number(setting[1], graph, assigners));
                case "run" -> edgesOfRun = number(setting[1], graph, assigners);
                case "k" -> k = number(setting[1], graph, assigners);
                default -> settings.put(setting[0], Integer.toString(number(setting[1], graph, assigners)));
            }
        }
        PartitionerOptions options = new PartitionerOptions(
                Algorithms.kindOf(run[1], run[0]), run[1], k, Algorithms.DEFAULT_SEED, PassMode.LIVE, settings);
        return StaleViews.of(
                graph, options, assigners, window == null ? Window.ofJob(keepsEdges) : window, keepsEdges, edgesOfRun);
    }

    private static Window share(double share) {
        return edges -> Math.max(AskWindow.LEAST, (long) (share * edges));
    }

    private static Window always(int edges) {
        return soFar -> edges;
    }

    private static int number(String value, EdgeBatch graph, int assigners) {
        if (value.endsWith("/A")) {
            return number(value.substring(0, value.length() - 2), graph, assigners) / assigners;
        }
        return value.endsWith("%")
                ? (int) (Double.parseDouble(value.substring(0, value.length() - 1)) / 100 * graph.size())
                : Integer.parseInt(value);
    }

    private static EdgeBatch graph(String name) {
        if (name.equals("rmat")) {
            EdgeBatch rmat = new EdgeBatch();
            SyntheticGraph.rmat(17, 1).fill(rmat, 2_000_000);
            return rmat;
        }
        if (name.contains("/")) {
            return SharedGraph.read("data/" + name);
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
