package io.cutwater.state.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.table.ClusterLabel;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EdgeStreamClusteringTest {
    private final EdgeStreamClustering clusters = new EdgeStreamClustering();
    private final VertexTable vertices = new VertexTable(new VertexLayout(2, true).withClusters());
    private final Set<Long> ids = new HashSet<>();

    static LongStream seeds() {
        return LongStream.range(1, 40);
    }

    @Test
    void usageExample() {
        EdgeBatch triangles = edges(1, 2, 2, 3, 3, 1, 3, 4, 4, 5, 5, 6, 6, 4);
        countFinalDegrees(triangles);
        observeKnown(triangles, 7); // what the degrees of one triangle and the bridge sum up to

        assertThat(members()).containsExactlyInAnyOrder(Set.of(1L, 2L, 3L), Set.of(4L, 5L, 6L));
    }

    @Test
    void aBoundOfNothingLeavesEveryVertexAlone() {
        EdgeBatch triangle = edges(1, 2, 2, 3, 3, 1);
        countFinalDegrees(triangle);
        observeKnown(triangle, 0);

        assertThat(members()).containsExactlyInAnyOrder(Set.of(1L), Set.of(2L), Set.of(3L));
    }

    @Test
    void theEndOfTheSmallerClusterMovesAndTheSourceOnTies() {
        EdgeBatch path = edges(1, 2);
        countFinalDegrees(path);
        observeKnown(path, 100);

        assertThat(vertices.cluster(vertices.slot(1))).isEqualTo(1); // 1 opened cluster 0 and moved to that of 2
        assertThat(clusters.volume(0)).isZero();
        assertThat(clusters.volume(1)).isEqualTo(2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void volumesAreTheDegreesOfTheMembersAndNoneThatWasJoinedIsAboveTheBound(long seed) {
        EdgeBatch graph = RandomGraphs.graph(seed);
        double maxVolume = new SplittableRandom(seed).nextInt(2 * graph.size() + 1);
        countFinalDegrees(graph);
        observeKnown(graph, maxVolume);
        assertVolumes(true);
        for (int cluster = 0; cluster < clusters.count(); cluster++) {
            if (members(cluster).size() > 1) {
                assertThat((double) clusters.volume(cluster)).isLessThanOrEqualTo(maxVolume);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void liveVolumesAreTheDegreesSeenSoFarAtEveryEdge(long seed) {
        EdgeBatch graph = RandomGraphs.graph(seed);
        for (int i = 0; i < graph.size(); i++) {
            observeLive(graph, i, 2 + i / 3.0);
            assertVolumes(false);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void numbersOfEmptyClustersAreGivenAgainAndLoseTheirPlace(long seed) {
        EdgeBatch graph = RandomGraphs.graph(seed);
        int most = 0;
        for (int i = 0; i < graph.size(); i++) {
            observeLive(graph, i, 1000);
            for (long id : ids) {
                int cluster = vertices.cluster(vertices.slot(id));
                clusters.settle(cluster, cluster % 2);
            }
            // Both ends may open a cluster before one of them moves.
            most = Math.max(most, members().size() + 2);
            assertThat(clusters.count()).isLessThanOrEqualTo(most);
        }
        long newcomer = 1L << 50;
        vertices.countEdge(vertices.slot(newcomer));
        vertices.countEdge(vertices.slot(newcomer));
        clusters.observeLive(vertices, vertices.slot(newcomer), vertices.slot(newcomer), 1000);
        assertThat(clusters.partition(clusters.ofSource())).isEqualTo(EdgeStreamClustering.NOWHERE);
    }

    @Test
    void whatIsRestoredIsWhatWasAndItsPiecesAreSmall() {
        SplittableRandom random = new SplittableRandom(4);
        EdgeBatch graph = new EdgeBatch();
        for (int i = 0; i < 200_000; i++) {
            graph.add(random.nextInt(200_000), random.nextInt(200_000));
            observeLive(graph, i, 3);
            clusters.settle(vertices.cluster(vertices.slot(graph.source(i))), i % 2);
        }
        EdgeStreamClustering restored = new EdgeStreamClustering();
        List<byte[]> snapshot = clusters.snapshot();
        restored.restore(snapshot);

        assertThat(restored.count()).isEqualTo(clusters.count()).isGreaterThan(64 * 1024);
        assertThat(snapshot.stream().mapToInt(piece -> piece.length).max().orElseThrow())
                .isLessThan(1 << 20);
        assertThat(snapshot.size()).isGreaterThan(1);
        assertThat(Arrays.deepEquals(restored.snapshot().toArray(), snapshot.toArray()))
                .isTrue();
    }

    /** Version 1: a cluster of volume 5 on partition 2, another one of volume 0 without a partition, which is free. */
    private static final List<String> VERSION_1 = List.of(
            "01" + "00000000" + "00000002" + "0000000000000005" + "00000002" + "0000000000000000" + "ffffffff",
            "01" + "00000001" + "00000001" + "00000001");

    private static final List<String> VERSION_2 = List.of(
            "02" + "00000000" + "00000002" + "00000000" + VERSION_1.get(0).substring(18),
            "02" + "00000001" + "00000001" + "00000000" + "00000001");

    @Test
    void readsVersion1AndReadsAndWritesVersion2InAnyOrder() {
        clusters.restore(bytes(VERSION_1));
        assertThat(hex(clusters.snapshot())).isEqualTo(VERSION_2);
        EdgeStreamClustering other = new EdgeStreamClustering();
        other.restoreParts(bytes(List.of(VERSION_2.get(1), VERSION_2.get(0))));
        assertThat(hex(other.snapshot())).isEqualTo(VERSION_2);
        assertThat(other.volumes()).containsExactly(5, 0);
    }

    /** Version 2: cluster 2³⁹ + 1 of volume 5 on partition 2. */
    private static final String SHARED_OF_VERSION_2 =
            "02" + "00000002" + "00000001" + "0000008000000001" + "0000000000000005" + "00000002";

    @Test
    void readsAndWritesSharedClustersOfVersion2() {
        clusters.restore(bytes(List.of(SHARED_OF_VERSION_2)));
        assertThat(hex(clusters.snapshot())).containsExactly(SHARED_OF_VERSION_2);
        EdgeStreamClustering oneOfTwo = new EdgeStreamClustering();
        oneOfTwo.share(2);
        oneOfTwo.restore(bytes(VERSION_2));
        oneOfTwo.restore(bytes(List.of(SHARED_OF_VERSION_2)));
        assertThat(oneOfTwo.volumes()).containsExactly(5);
        assertThat(hex(oneOfTwo.snapshot())).containsExactly("02" + "00000002" + "00000000");
    }

    @Test
    void refusesBytesOfAnotherVersionAndPartsWithoutAnOrder() {
        assertThatIllegalStateException()
                .isThrownBy(() -> clusters.restore(List.of(new byte[] {3, 0, 0, 0, 0, 0, 0, 0, 0})))
                .withMessage("clusters of version 3; this build reads 1 to 2");
        assertThatIllegalStateException()
                .isThrownBy(() -> clusters.restoreParts(bytes(List.of(VERSION_1.get(0), VERSION_1.get(0)))))
                .withMessageContaining("resume it as it was");
    }

    private static List<byte[]> bytes(List<String> hex) {
        return hex.stream().map(HexFormat.of()::parseHex).toList();
    }

    private static List<String> hex(List<byte[]> bytes) {
        return bytes.stream().map(HexFormat.of()::formatHex).toList();
    }

    /** Each of three tasks sees every third edge, and the labels that another has written. */
    @Test
    void tasksThatShareClustersFindTheSameCommunities() {
        EdgeStreamClustering[] tasks = {
            new EdgeStreamClustering(), new EdgeStreamClustering(), new EdgeStreamClustering()
        };
        for (EdgeStreamClustering task : tasks) {
            task.share(3);
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            long community = 10 * random.nextInt(3);
            int source = vertices.slot(community + random.nextInt(10));
            int target = vertices.slot(community + random.nextInt(10), source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            EdgeStreamClustering task = tasks[i % 3];
            task.observeLive(vertices, source, target, 1e6);
            task.settle(task.ofSource(), (int) community / 10);
            task.settle(task.ofTarget(), (int) community / 10);
            task.label(vertices, source, target);
        }
        Map<Long, Set<Long>> members = new HashMap<>();
        for (long id = 0; id < 30; id++) {
            long label = vertices.clusterLabel(vertices.slot(id));
            members.computeIfAbsent(ClusterLabel.id(label), of -> new HashSet<>())
                    .add(id / 10);
            assertThat(ClusterLabel.partition(label)).isEqualTo(id / 10);
            assertThat(ClusterLabel.volume(label)).isGreaterThan(1_000);
        }
        assertThat(members).hasSize(3);
    }

    @Test
    void clustersThatAreNotSeenForLongAreForgottenAndComeBackWithTheirVertices() {
        clusters.share(2);
        for (int i = 0; i < 500_000; i++) {
            long first = 2L * i;
            int source = vertices.slot(first);
            int target = vertices.slot(first + 1, source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            clusters.observeLive(vertices, source, target, 100);
            clusters.settle(clusters.ofSource(), 1);
            clusters.label(vertices, source, target);
            assertThat(clusters.count()).isLessThan(131_100);
        }
        clusters.observeLive(vertices, vertices.slot(0), vertices.slot(1), 100);
        assertThat(clusters.ofSource()).isEqualTo(clusters.ofTarget());
        assertThat(clusters.partition(clusters.ofSource())).isEqualTo(1);
    }

    private static EdgeBatch edges(int... ends) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < ends.length; i += 2) {
            batch.add(ends[i], ends[i + 1]);
        }
        return batch;
    }

    private void countFinalDegrees(EdgeBatch graph) {
        for (int i = 0; i < graph.size(); i++) {
            ids.add(graph.source(i));
            ids.add(graph.target(i));
            vertices.countFinalEdge(vertices.slot(graph.source(i)));
            vertices.countFinalEdge(vertices.slot(graph.target(i)));
        }
    }

    private void observeKnown(EdgeBatch graph, double maxVolume) {
        for (int i = 0; i < graph.size(); i++) {
            int source = vertices.slot(graph.source(i));
            clusters.observeKnown(vertices, source, vertices.slot(graph.target(i), source), maxVolume);
        }
    }

    private void observeLive(EdgeBatch graph, int i, double maxVolume) {
        int source = vertices.slot(graph.source(i));
        int target = vertices.slot(graph.target(i), source);
        ids.add(graph.source(i));
        ids.add(graph.target(i));
        vertices.countEdge(source);
        vertices.countEdge(target);
        clusters.observeLive(vertices, source, target, maxVolume);
        clusters.label(vertices, source, target);
    }

    private void assertVolumes(boolean isFinal) {
        long[] expected = new long[clusters.count()];
        for (long id : ids) {
            int slot = vertices.slot(id);
            expected[vertices.cluster(slot)] += isFinal ? vertices.finalDegree(slot) : vertices.degree(slot);
        }
        for (int cluster = 0; cluster < expected.length; cluster++) {
            assertThat(clusters.volume(cluster)).isEqualTo(expected[cluster]);
        }
    }

    private Set<Long> members(int cluster) {
        Set<Long> members = new HashSet<>();
        ids.stream()
                .filter(id -> vertices.cluster(vertices.slot(id)) == cluster)
                .forEach(members::add);
        return members;
    }

    private List<Set<Long>> members() {
        Map<Integer, Set<Long>> members = new HashMap<>();
        ids.forEach(id -> members.computeIfAbsent(vertices.cluster(vertices.slot(id)), c -> new HashSet<>())
                .add(id));
        return List.copyOf(members.values());
    }
}
