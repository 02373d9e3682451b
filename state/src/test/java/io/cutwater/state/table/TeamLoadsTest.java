package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TeamLoadsTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anAssignerSeesWhatAllHaveToldAndItsOwnEdgesSince(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int k = random.nextInt(1, 40);
        int assigners = random.nextInt(2, 9);
        int assigner = random.nextInt(assigners);
        PartitionLoads own = new PartitionLoads(k);
        for (int i = random.nextInt(50); i > 0; i--) {
            own.addEdge(random.nextInt(k)); // of an earlier attempt
        }
        TeamLoads team = new TeamLoads(own, 0.0025, assigner, assigners);
        long[] told = new long[k];
        long[] others = new long[k];
        boolean areRuns = false;
        boolean isAlone = false;
        boolean hasBegun = false;
        long[] ofAll = new long[k];
        long[] ownThere = new long[k];
        assertThat(team.seen()).isSameAs(own);
        long[] seen = null;
        for (int step = 0; step < 400; step++) {
            if (random.nextInt(10) == 0) {
                for (long rank : team.takeChanged()) {
                    told[PartitionLoads.partitionOf(rank)] = PartitionLoads.edgesOf(rank);
                }
                assertThat(told).isEqualTo(own.edges());
            } else if (random.nextInt(10) == 0) {
                long[] loads = new long[2 * k];
                boolean isFirst = seen == null;
                for (int p = 0; p < k; p++) {
                    others[p] += random.nextInt(30);
                    loads[2 * p] = PartitionLoads.rankOf(p, others[p] + told[p]);
                    loads[2 * p + 1] = told[p];
                    ofAll[p] = others[p] + told[p];
                    ownThere[p] = told[p];
                }
                team.hear(loads);
                if ((isFirst || areRuns || isAlone || !hasBegun)
                        && Arrays.stream(ofAll).sum() > 0) {
                    seen = seen(own, ofAll, ownThere, weights(k, assigner, assigners, isAlone, areRuns));
                }
            } else if (random.nextInt(10) == 0) {
                boolean wereRuns = areRuns;
                boolean wasAlone = isAlone;
                areRuns = random.nextBoolean();
                isAlone = !areRuns && random.nextBoolean();
                team.setOrder(isAlone, areRuns);
                if (seen != null && (areRuns != wereRuns || isAlone && !wasAlone)) {
                    seen = seen(own, ofAll, ownThere, weights(k, assigner, assigners, isAlone, areRuns));
                }
            } else {
                int partition = random.nextBoolean() ? team.seen().emptiest() : random.nextInt(k);
                own.addEdge(partition);
                team.addEdge(partition);
                hasBegun = true;
                if (seen != null) {
                    seen[partition] += weights(k, assigner, assigners, isAlone, areRuns)[partition];
                }
            }
            assertThat(team.seen().edges()).isEqualTo(seen == null ? own.edges() : seen);
            assertThat(team.seen().emptiest())
                    .isEqualTo(
                            seen == null || !areRuns ? team.seen().leastLoaded() : emptiest(seen, assigner, assigners));
            assertThat(team.seen().totalEdges())
                    .isEqualTo(Arrays.stream(team.seen().edges()).sum());
            assertThat(team.seen().maxEdges())
                    .isEqualTo(Arrays.stream(team.seen().edges()).max().orElseThrow());
        }
    }

    private static int[] weights(int k, int assigner, int assigners, boolean isAlone, boolean areRuns) {
        int[] weights = new int[k];
        Arrays.setAll(weights, p -> weight(p % assigners == assigner, assigners, isAlone, areRuns));
        return weights;
    }

    private static int weight(boolean isOwn, int assigners, boolean isAlone, boolean areRuns) {
        if (areRuns) {
            return isOwn ? 1 : Math.min(4, assigners);
        }
        return isAlone ? 1 : assigners;
    }

    private static long[] seen(PartitionLoads own, long[] ofAll, long[] ownThere, int[] weights) {
        long[] seen = new long[weights.length];
        Arrays.setAll(seen, p -> ofAll[p] + weights[p] * (own.edges(p) - ownThere[p]));
        return seen;
    }

    private static int emptiest(long[] edges, int assigner, int assigners) {
        int least = 0;
        int own = -1;
        for (int p = 0; p < edges.length; p++) {
            least = edges[p] < edges[least] ? p : least;
            if (p % assigners == assigner && (own < 0 || edges[p] < edges[own])) {
                own = p;
            }
        }
        return own >= 0 && 2 * edges[own] <= edges[least] + Arrays.stream(edges).sum() / edges.length ? own : least;
    }
}
