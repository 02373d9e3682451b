package io.cutwater.state.graph.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticGraphTest {
    private static final int EDGES = 20_000;
    private static final int COMMUNITIES = 20;

    static Stream<Named<Supplier<SyntheticGraph>>> graphs() {
        return Stream.of(
                Named.of("R-MAT", () -> SyntheticGraph.rmat(12, 5)),
                Named.of("communities", () -> SyntheticGraph.growingCommunities(COMMUNITIES, 5)));
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void isTheSameHoweverManyEdgesAreAskedForAtATime(Supplier<SyntheticGraph> graph) {
        EdgeBatch atOnce = new EdgeBatch();
        graph.get().fill(atOnce, EDGES);
        SyntheticGraph again = graph.get();
        EdgeBatch batch = new EdgeBatch();
        for (int done = 0; done < EDGES; done += batch.size()) {
            batch.clear();
            again.fill(batch, Math.min(777, EDGES - done));
            assertThat(Arrays.copyOf(batch.sources(), batch.size()))
                    .isEqualTo(Arrays.copyOfRange(atOnce.sources(), done, done + batch.size()));
            assertThat(Arrays.copyOf(batch.targets(), batch.size()))
                    .isEqualTo(Arrays.copyOfRange(atOnce.targets(), done, done + batch.size()));
        }
    }

    @Test
    void anotherSeedIsAnotherGraph() {
        EdgeBatch one = new EdgeBatch();
        EdgeBatch other = new EdgeBatch();
        SyntheticGraph.rmat(12, 1).fill(one, 100);
        SyntheticGraph.rmat(12, 2).fill(other, 100);
        assertThat(one.sources()).isNotEqualTo(other.sources());
    }

    @Test
    void rmatFallsIntoTheQuadrantsAtTheirRates() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.rmat(1, 1).fill(batch, EDGES);
        double[] share = new double[4];
        for (int i = 0; i < EDGES; i++) {
            share[(int) (2 * batch.source(i) + batch.target(i))] += 1.0 / EDGES;
        }
        assertThat(share[0]).isBetween(0.56, 0.58);
        assertThat(share[1]).isBetween(0.18, 0.20);
        assertThat(share[2]).isBetween(0.18, 0.20);
        assertThat(share[3]).isBetween(0.04, 0.06);
    }

    @Test
    void rmatIdsStayBelowTheScale() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.rmat(62, 1).fill(batch, 1000);
        assertThat(LongStream.concat(Arrays.stream(batch.sources()), Arrays.stream(batch.targets())))
                .allMatch(id -> id >= 0 && id < 1L << 62);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyntheticGraph.rmat(63, 1))
                .withMessage("scale must be in [1, 62]: 63");
    }

    @Test
    void nineEdgesOfTenStayInsideTheirCommunity() {
        EdgeBatch batch = communities();
        int inside = 0;
        for (int i = 0; i < EDGES; i++) {
            if (batch.source(i) % COMMUNITIES == batch.target(i) % COMMUNITIES) {
                inside++;
            }
        }
        assertThat((double) inside / EDGES).isBetween(0.89, 0.93);
    }

    @Test
    void communitiesDifferInSizeAndNoneIsEmpty() {
        EdgeBatch batch = communities();
        long[] edges = new long[COMMUNITIES];
        for (int i = 0; i < EDGES; i++) {
            edges[(int) (batch.source(i) % COMMUNITIES)]++;
        }
        assertThat(edges[0]).isGreaterThan(5 * edges[COMMUNITIES - 1]);
        assertThat(edges[COMMUNITIES - 1]).isPositive();
    }

    @Test
    void theCommunityGraphGrowsByAVertexEveryEightEdgesAndHasHubsButNoSelfLoops() {
        EdgeBatch batch = communities();
        for (int i = 0; i < EDGES; i++) {
            assertThat(batch.source(i)).isNotEqualTo(batch.target(i));
        }
        long[] ends = LongStream.concat(
                        Arrays.stream(batch.sources(), 0, EDGES), Arrays.stream(batch.targets(), 0, EDGES))
                .toArray();
        long vertices = Arrays.stream(ends).distinct().count();
        assertThat(vertices).isBetween(EDGES / 8L - 100, EDGES / 8L + 100);
        long hub = Arrays.stream(ends).filter(id -> id == 0).count();
        assertThat(hub).isGreaterThan(20 * 2 * EDGES / vertices); // twenty times the mean degree
    }

    @Test
    void evenASingleCommunityHasNoSelfLoop() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.growingCommunities(1, 1).fill(batch, 500);
        for (int i = 0; i < batch.size(); i++) {
            assertThat(batch.source(i)).isNotEqualTo(batch.target(i));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> SyntheticGraph.growingCommunities(0, 1));
    }

    private static EdgeBatch communities() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.growingCommunities(COMMUNITIES, 5).fill(batch, EDGES);
        return batch;
    }
}
