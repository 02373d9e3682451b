package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Edges that are added and removed, and vertices that move, at random: all tables are what a recount finds. */
class VertexRemovalLawsTest {
    static Stream<Arguments> runs() {
        return Stream.of(
                        "hash",
                        "ldg",
                        "fennel",
                        "cutwater",
                        VertexRemovalRun.JOINT,
                        VertexRemovalRun.REFINED,
                        VertexRemovalRun.JOINT_REFINED)
                .flatMap(algorithm -> Stream.iterate(0L, seed -> seed + 1)
                        .limit(5)
                        .map(seed -> Arguments.of(algorithm, seed, seed % 2 == 0)));
    }

    @ParameterizedTest(name = "{0}, seed {1}, small cache {2}")
    @MethodSource("runs")
    void tablesAreWhatARecountFinds(String algorithm, long seed, boolean hasSmallCache) {
        VertexRemovalRun run = new VertexRemovalRun(algorithm, seed, hasSmallCache);
        SplittableRandom random = run.random;
        int vertexRange = random.nextInt(2, 80);
        for (int round = 0; round < 25; round++) {
            EdgeBatch batch = run.textbook.randomBatch(random, vertexRange, random.nextDouble() * 0.7);
            if (random.nextInt(5) == 0) {
                for (int i = 0; i < batch.size(); i++) {
                    batch.setPlace(i, Place.of(random.nextInt(run.k), random.nextInt(run.k)));
                }
            }
            run.accept(batch);
            run.check();
            switch (random.nextInt(6)) {
                case 0 -> run.moveSome();
                case 1 -> run.restrict();
                case 2 -> run.restart(random.nextBoolean() ? run.k : random.nextInt(1, 70));
                case 3 -> run.assigner.placeHeldBefore(random.nextLong(run.assigner.heldEver() + 1), run.textbook);
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
        assertThat(run.assigner.ownerLoads().totalOwned()).isZero();
        assertThat(run.book).isEmpty();
        if (algorithm.startsWith("cutwater")) {
            byte[] homes = run.assigner.snapshot().get(1);
            assertThat(Arrays.copyOfRange(homes, 1 + Integer.BYTES, homes.length))
                    .containsOnly(0);
        }
    }
}
