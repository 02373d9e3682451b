package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.conformance.WholePlacement;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No algorithm places generated graphs worse than in an earlier release; needs nothing but the clone. */
final class GeneratedQualityTest {
    private static final String TABLE = "/reference/generated-graphs.csv";
    private static final List<String> EDGE_ALGORITHMS =
            List.of("hash", "grid", "dbh", "greedy", "hdrf", "2ps-l", "sigma-edge", "cutwater");
    private static final List<String> VERTEX_ALGORITHMS =
            List.of("hash", "ldg", "fennel", "grem", "spring", "sigma-vertex", "cutwater");
    private static final int EDGES = 20_000;
    private static final double SLACK = 1.02;

    /** A line of the table; the names of the ratios are those of reports. */
    private record Row(String graph, PartitioningKind kind, String algorithm, int k, double factor, double balance) {
        static Row parse(String line) {
            String[] cells = line.split(",");
            return new Row(
                    cells[0],
                    PartitioningKind.valueOf(cells[1].toUpperCase(Locale.ROOT)),
                    cells[2],
                    Integer.parseInt(cells[3]),
                    Double.parseDouble(cells[4]),
                    Double.parseDouble(cells[5]));
        }

        static Row measure(String graph, PartitioningKind kind, String algorithm, int k) {
            Quality quality = kind == PartitioningKind.EDGE
                    ? ofEdges(generate(graph), algorithm, k)
                    : ofVertices(generate(graph), algorithm, k);
            double balance =
                    kind == PartitioningKind.EDGE ? quality.edgeBalance().orElseThrow() : quality.vertexBalance();
            return new Row(graph, kind, algorithm, k, quality.replicationFactor(), balance);
        }

        String line() {
            return "%s,%s,%s,%d,%.4f,%.4f".formatted(graph, kind.label(), algorithm, k, factor, balance);
        }
    }

    static Stream<Row> rows() throws IOException {
        try (InputStream table = Objects.requireNonNull(GeneratedQualityTest.class.getResourceAsStream(TABLE))) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .skip(1)
                    .map(Row::parse);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void isAsGoodAsInAnEarlierRelease(Row row) {
        Row now = Row.measure(row.graph, row.kind, row.algorithm, row.k);
        assertThat(now.factor).as("replication factor").isLessThanOrEqualTo(row.factor * SLACK);
        assertThat(now.balance).as("balance").isLessThanOrEqualTo(row.balance * SLACK);
    }

    /** Prints the table of this build. */
    public static void main(String[] args) {
        System.out.println("graph,kind,algorithm,partitions,replicationFactor,balance");
        for (String graph : List.of("communities", "rmat")) {
            for (int k : new int[] {8, 32}) {
                EDGE_ALGORITHMS.forEach(name -> System.out.println(
                        Row.measure(graph, PartitioningKind.EDGE, name, k).line()));
                VERTEX_ALGORITHMS.forEach(name -> System.out.println(
                        Row.measure(graph, PartitioningKind.VERTEX, name, k).line()));
            }
        }
    }

    private static EdgeBatch generate(String name) {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph graph =
                name.equals("rmat") ? SyntheticGraph.rmat(12, 1) : SyntheticGraph.growingCommunities(40, 1);
        graph.fill(edges, EDGES);
        return edges;
    }

    private static Quality ofEdges(EdgeBatch graph, String algorithm, int k) {
        // A bulk run of cutwater is more than one pass with a partitioner; its live rule stands here.
        PassMode mode = algorithm.equals("cutwater") ? PassMode.LIVE : PassMode.BULK;
        return Quality.of(
                WholePlacement.of(graph, options(PartitioningKind.EDGE, algorithm, k, mode))
                        .loads(),
                0);
    }

    private static Quality ofVertices(EdgeBatch edges, String algorithm, int k) {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        VertexPlacement placement = VertexPassRunner.place(
                graph,
                Algorithms.vertexPartitioner(options(PartitioningKind.VERTEX, algorithm, k, PassMode.BULK), size),
                k);
        return Quality.of(graph, placement.partitions(), k);
    }

    private static PartitionerOptions options(PartitioningKind kind, String algorithm, int k, PassMode mode) {
        // With its other clusters sigma-edge places a whole graph.
        Map<String, String> settings = algorithm.equals("sigma-edge") ? Map.of("clustering", "edge-stream") : Map.of();
        return new PartitionerOptions(kind, algorithm, k, Algorithms.DEFAULT_SEED, mode, settings);
    }
}
