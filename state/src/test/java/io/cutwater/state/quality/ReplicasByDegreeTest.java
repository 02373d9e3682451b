package io.cutwater.state.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicasByDegreeTest {
    @Test
    void smallDegreesHaveABinEach() {
        ReplicasByDegree replicas = new ReplicasByDegree();
        replicas.add(1, 1);
        replicas.add(3, 2);
        replicas.add(3, 3);
        replicas.add(15, 4);
        assertThat(replicas.bins())
                .containsExactly(
                        new ReplicasByDegree.Bin(1, 1, 1),
                        new ReplicasByDegree.Bin(2, 3, 2.5),
                        new ReplicasByDegree.Bin(1, 15, 4));
    }

    @Test
    void binsAreInOrderAndLoseNoVertex() {
        Random random = new Random(5);
        ReplicasByDegree replicas = new ReplicasByDegree();
        long replicaSum = 0;
        double degreeSum = 0;
        int vertices = 10_000;
        for (int i = 0; i < vertices; i++) {
            long degree = random.nextLong() >>> (1 + random.nextInt(63));
            int count = 1 + random.nextInt(8);
            replicas.add(degree, count);
            replicaSum += count;
            degreeSum += degree;
        }
        List<ReplicasByDegree.Bin> bins = replicas.bins();
        assertThat(bins).isSortedAccordingTo((a, b) -> Double.compare(a.degree(), b.degree()));
        assertThat(bins.stream().mapToLong(ReplicasByDegree.Bin::vertices).sum())
                .isEqualTo(vertices);
        assertThat(bins.stream()
                        .mapToDouble(bin -> bin.replicas() * bin.vertices())
                        .sum())
                .isCloseTo(replicaSum, within(1e-6));
        assertThat(bins.stream()
                                .mapToDouble(bin -> bin.degree() * bin.vertices())
                                .sum()
                        / degreeSum)
                .isCloseTo(1, within(1e-9));
        ReplicasByDegree ends = new ReplicasByDegree();
        ends.add(0, 1);
        ends.add(Long.MAX_VALUE, 1);
        assertThat(ends.bins()).hasSize(2);
    }

    /** The formula against placements at random. */
    @Test
    void randomPlacementsHaveTheExpectedReplicas() {
        Random random = new Random(3);
        int partitions = 5;
        int degree = 4;
        int trials = 20_000;
        long edges = 0;
        long vertices = 0;
        for (int trial = 0; trial < trials; trial++) {
            int seen = 0;
            for (int i = 0; i < degree; i++) {
                seen |= 1 << random.nextInt(partitions);
            }
            edges += Integer.bitCount(seen);
            vertices += Integer.bitCount(seen | 1 << random.nextInt(partitions));
        }
        assertThat(ReplicasByDegree.random(degree, partitions, false)).isCloseTo((double) edges / trials, within(0.03));
        assertThat(ReplicasByDegree.random(degree, partitions, true))
                .isCloseTo((double) vertices / trials, within(0.03));
    }
}
