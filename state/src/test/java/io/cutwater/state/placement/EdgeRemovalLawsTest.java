package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.cluster.EdgeStreamClustering;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Edges that are added, removed and moved at random: after each batch all tables are what a recount finds. */
class EdgeRemovalLawsTest {
    static Stream<Arguments> runs() {
        return Stream.of(
                        "hdrf",
                        "cutwater",
                        EdgeRemovalRun.JOINT,
                        EdgeRemovalRun.REFINED,
                        "hash",
                        "greedy",
                        "sigma-edge",
                        "grid",
                        "dbh")
                .flatMap(algorithm -> Stream.iterate(0L, seed -> seed + 1)
                        .limit(algorithm.equals("cutwater") ? 8 : 4)
                        .map(seed -> Arguments.of(algorithm, seed, seed % 2 == 0)));
    }

    @ParameterizedTest(name = "{0}, seed {1}, small cache {2}")
    @MethodSource("runs")
    void tablesAreWhatARecountFinds(String algorithm, long seed, boolean hasSmallCache) {
        EdgeRemovalRun run = new EdgeRemovalRun(algorithm, seed, hasSmallCache);
        SplittableRandom random = run.random;
        int vertexRange = random.nextInt(2, 80);
        if (seed % 2 == 1) {
            run.textbook.giveKeys();
        }
        for (int round = 0; round < 25; round++) {
            EdgeBatch batch = run.textbook.randomBatch(random, vertexRange, random.nextDouble() * 0.7);
            if (random.nextInt(5) == 0) {
                for (int i = 0; i < batch.size(); i++) {
                    int partition = random.nextInt(-1, run.k);
                    batch.setPlace(i, partition < 0 ? EdgeBatch.NO_PLACE : Place.of(partition));
                }
            }
            run.accept(batch);
            run.check();
            switch (random.nextInt(6)) {
                case 0 -> run.moveSome();
                case 1 -> run.restrict();
                case 2 -> run.restart(random.nextBoolean() ? run.k : random.nextInt(1, 70));
                case 3 -> run.assigner.placeHeldBefore(random.nextLong(run.assigner.heldEver() + 1), run);
                default -> {}
            }
            run.check();
        }
        run.accept(run.textbook.removalOfAll(random));
        run.check();
        assertThat(run.textbook.isEmpty()).isTrue();
        assertThat(run.adjacency.rows()).isZero();
        assertThat(run.store.size()).isZero();
        assertThat(run.loads.totalReplicas()).isZero();
        assertThat(run.vertices.vertexCount()).isZero();
        assertThat(run.book).isEmpty();
        if (algorithm.equals("cutwater")) {
            byte[] homes = run.assigner.snapshot().get(0);
            assertThat(Arrays.copyOfRange(homes, 1 + Integer.BYTES, homes.length))
                    .containsOnly(0);
        }
        if (algorithm.equals("sigma-edge")) {
            EdgeStreamClustering clusters = new EdgeStreamClustering();
            clusters.restore(run.assigner.snapshot());
            assertThat(clusters.volumes()).containsOnly(0L);
        }
    }

    @Test
    void withoutKeptEdgesARemovalIsRefused() {
        EdgePartitioner hash = Algorithms.edgePartitioner(PartitionerOptions.ofEdges("hash", 3, 1));
        Placement assigner = new Placement(hash, new VertexTable(hash.layout(3)), new PartitionLoads(3));
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.setRemoval(0);
        assertThatIllegalStateException()
                .isThrownBy(() -> assigner.accept(batch, (s, t, w, time, key, p) -> {}))
                .withMessageContaining("--keep-edges");
        assertThatIllegalStateException()
                .isThrownBy(() -> assigner.move(1, 2, 0, 1, (s, t, w, time, key, p) -> {}))
                .withMessageContaining("--keep-edges");
    }
}
