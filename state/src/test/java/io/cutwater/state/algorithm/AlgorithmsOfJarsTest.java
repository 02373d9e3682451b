package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.conformance.WholePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Algorithms that a folder on the class path names, as a jar does. */
class AlgorithmsOfJarsTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder;

    /** A live edge partitioner as a user writes it: this class, and one line in META-INF/services. */
    public static final class Nearest implements AlgorithmProvider {
        private static final NumericSetting SLACK =
                new NumericSetting("slack", "edges that a partition may have, over the average", 1.1, 1, 10);

        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("nearest", "A partition that holds an endpoint, unless it is too full.")
                    .liveAndBulk(options -> new Rule(SLACK.of(options)), SLACK);
        }

        private record Rule(double slack) implements EdgePartitioner {
            @Override
            public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
                double full = slack * (loads.totalEdges() + 1) / loads.partitionCount();
                int best = loads.leastLoaded();
                for (int p = 0; p < loads.partitionCount(); p++) {
                    boolean holdsOne = vertices.hasReplica(source, p) || vertices.hasReplica(target, p);
                    if (holdsOne && loads.edges(p) < full) {
                        best = p;
                    }
                }
                return best;
            }
        }
    }

    /** Runs in bulk only. */
    public static final class Constant implements AlgorithmProvider {
        private static final NumericSetting AT = new NumericSetting("at", "the partition of every edge", 0, 0, 4095);

        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("constant", "One partition for all.")
                    .bulk(
                            (options, size) -> {
                                int at = (int) AT.of(options);
                                return (EdgePartitioner) (vertices, source, target, loads) -> at;
                            },
                            AT);
        }
    }

    public static final class AnotherConstant implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("constant", "The same name again.");
        }
    }

    public static final class Hdrf implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("hdrf", "A name that is taken.");
        }
    }

    public static final class Blank implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("a, b", "A name with a blank.");
        }
    }

    public static final class Unmade implements AlgorithmProvider {
        public Unmade() {
            throw new IllegalStateException("no licence");
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("unmade", "Its provider cannot be made.");
        }
    }

    /** Vertices on the last partition. */
    public static final class Last implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofVertices("last", "The last partition for all.")
                    .bulk((options, size) -> (io.cutwater.state.rule.VertexPartitioner)
                            (vertex, neighbours, from, to, placement) -> options.partitionCount() - 1);
        }
    }

    @AfterEach
    void forgetTheFolder() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void register(String... classes) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(services.resolve(AlgorithmProvider.class.getName()), List.of(classes));
        // Not closed: nothing is open, it is a folder of one text file.
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    }

    private static PartitionerOptions options(String name, PassMode mode, Map<String, String> settings) {
        return PartitionerOptions.ofEdges(name, 4, 1, mode, settings);
    }

    private static List<String> edgeNames() {
        return Algorithms.names(PartitioningKind.EDGE);
    }

    @Test
    void usageExample() throws IOException {
        register(Nearest.class.getName());

        assertThat(Algorithms.names(PartitioningKind.EDGE, PassMode.LIVE)).contains("nearest", "hdrf");
        EdgeBatch graph = RandomGraphs.graph(3);
        PartitionLoads loads = WholePlacement.of(graph, options("nearest", PassMode.LIVE, Map.of("slack", "1.5")))
                .loads();
        assertThat(loads.totalEdges()).isEqualTo(graph.size());
        assertThat(loads.totalReplicas()).isLessThan(2L * graph.size());
    }

    @Test
    void anEdgeAlgorithmOfAJarIsInTheTableWithItsSettingsAndModes() throws IOException {
        assertThat(edgeNames()).doesNotContain("constant");
        register(Constant.class.getName());

        assertThat(edgeNames()).contains("constant", "hdrf").isSorted();
        Algorithm constant = Algorithms.get(PartitioningKind.EDGE, "constant");
        assertThat(constant.hasSetting(PassMode.BULK, "at")).isTrue();
        assertThat(constant.runs(PassMode.BULK)).isTrue();
        assertThat(constant.runs(PassMode.LIVE)).isFalse();
        EdgePartitioner made = constant.edgePartitioner(options("constant", PassMode.BULK, Map.of("at", "3")));
        assertThat(made.place(new VertexTable(made.layout(4)), 0, 0, new PartitionLoads(4)))
                .isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> constant.check(options("constant", PassMode.BULK, Map.of("to", "3"))))
                .withMessage("constant has no setting named 'to'; there are at (0 to 4095, default 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> constant.check(options("constant", PassMode.LIVE, Map.of())))
                .withMessageContaining("--passes bulk");
    }

    @Test
    void aVertexAlgorithmOfAJarIsInTheTable() throws IOException {
        register(Last.class.getName());

        assertThat(Algorithms.names(PartitioningKind.VERTEX))
                .contains("last", "ldg")
                .isSorted();
        assertThat(Algorithms.names(PartitioningKind.VERTEX, PassMode.LIVE)).doesNotContain("last");
        assertThat(Algorithms.vertexPartitioner(
                        PartitionerOptions.ofVertices("last", 4, 1, PassMode.BULK, Map.of()), new GraphSize(1, 0)))
                .isNotNull();
    }

    @Test
    void aNameOfCutwatersOwnCannotBeTaken() throws IOException {
        register(Hdrf.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(AlgorithmsOfJarsTest::edgeNames)
                .withMessageStartingWith("two edge algorithms are named 'hdrf': Cutwater's own, and "
                        + Hdrf.class.getName() + " in file:")
                .withMessageEndingWith("; give one of them another name");
    }

    @Test
    void twoJarsCannotHaveTheSameName() throws IOException {
        register(Constant.class.getName(), AnotherConstant.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(AlgorithmsOfJarsTest::edgeNames)
                .withMessageContaining("two edge algorithms are named 'constant'")
                .withMessageContaining(Constant.class.getName() + " in ")
                .withMessageContaining(AnotherConstant.class.getName() + " in ");
    }

    @Test
    void aNameThatNobodyCouldTypeIsRefused() throws IOException {
        register(Blank.class.getName());

        assertThatIllegalStateException()
                .isThrownBy(AlgorithmsOfJarsTest::edgeNames)
                .withMessageContaining("is named 'a, b'; use letters, digits, '-', '.' and '_' only");
    }

    @Test
    void aClassThatCannotBeLoadedIsNamed() throws IOException {
        register("com.example.NotThere");
        assertThatIllegalStateException()
                .isThrownBy(AlgorithmsOfJarsTest::edgeNames)
                .withMessageContaining("mend it or leave it out")
                .withMessageContaining("com.example.NotThere");

        register(Unmade.class.getName());
        assertThatIllegalStateException()
                .isThrownBy(AlgorithmsOfJarsTest::edgeNames)
                .withMessageContaining("mend it or leave it out")
                .withMessageContaining(Unmade.class.getName());
    }

    @Test
    void aLoaderWithACutwaterOfItsOwnIsNotAsked() throws IOException {
        register(Constant.class.getName());
        ClassLoader nothing = new ClassLoader(null) {};
        Thread.currentThread().setContextClassLoader(nothing);

        assertThat(edgeNames()).contains("hdrf").doesNotContain("constant");
    }
}
