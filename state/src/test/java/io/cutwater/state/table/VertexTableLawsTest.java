package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A vertex table behaves as a map of vertices, whatever is evicted. */
class VertexTableLawsTest {
    /** A vertex as one would write it without a care for space. */
    private static final class Twin {
        private long degree;
        private long finalDegree;
        private int master = VertexTable.NO_MASTER;
        private int home = VertexTable.NO_HOME;
        private int cluster = VertexTable.NO_CLUSTER;
        private final Map<Integer, Integer> neighbourHomes = new HashMap<>();
        private final BitSet replicas = new BitSet();
        private final Map<Integer, Long> counts = new HashMap<>();
    }

    private static final int MORE_PARTITIONS = 99;

    /** Gives what was read at the last moment, as a store that reads beside the table may. */
    private static final class LateStore extends MapVertexStore {
        private final List<Runnable> due = new ArrayList<>();

        @Override
        public boolean isConcurrent() {
            return true;
        }

        @Override
        public void startRead(long[] vertices, int count, byte[] @Nullable [] into) {
            byte[][] read = new byte[count][];
            read(vertices, count, read);
            long[] asked = Arrays.copyOf(vertices, count);
            due.add(() -> {
                assertThat(vertices).startsWith(asked);
                System.arraycopy(read, 0, into, 0, count);
            });
        }

        @Override
        public void await() {
            due.forEach(Runnable::run);
            due.clear();
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void behavesAsAMapOfVerticesWhateverIsEvicted(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int k = new int[] {1, 8, 64, 65, 300}[random.nextInt(5)];
        VertexLayout layout = new VertexLayout(
                k, random.nextBoolean(), random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        int vertexRange = random.nextInt(1, 400);
        long maxBytes = random.nextInt(1, 200) * (layout.stride() * 8L + 16);
        MapVertexStore store = seed % 2 == 0 ? new MapVertexStore() : new LateStore();
        Map<Long, Twin> twins = new HashMap<>();
        Set<Long> untold = new HashSet<>();
        Map<Long, Long> toldDegrees = new HashMap<>();
        VertexTable.Listener listener = (t, slot, isMoved) -> {
            assertThat(untold.remove(t.vertex(slot))).isEqualTo(isMoved);
            toldDegrees.put(t.vertex(slot), t.degree(slot));
        };
        VertexTable table = new VertexTable(layout, store, maxBytes, 0, listener);
        PartitionLoads loads = new PartitionLoads(k + MORE_PARTITIONS);
        int operations = 5000;
        long[] sources = {};
        long[] targets = {};
        int announced = 0; // of the edges
        for (int i = 0; i < operations; i++) {
            long vertex = anyVertex(random, vertexRange);
            long other = anyVertex(random, vertexRange);
            if (random.nextInt(20) == 0) {
                long[] expected =
                        random.longs(8).map(l -> anyVertex(random, vertexRange)).toArray();
                table.expect(expected, new long[] {vertex, other, vertex, other, other, other, 1, 2}, 8);
            }
            if (announced == 0 && random.nextInt(20) == 0) {
                int edges = random.nextInt(1, 12);
                sources = random.longs(2 * edges)
                        .map(l -> anyVertex(random, vertexRange))
                        .toArray();
                targets = random.longs(2 * edges)
                        .map(l -> anyVertex(random, vertexRange))
                        .toArray();
                announced = table.announce(sources, targets, 0, edges);
            } else if (announced > 0 && random.nextInt(5) == 0) {
                // The second half while the first is here, as steps of a large batch.
                int next = table.arrive(sources, targets, announced, sources.length);
                announced = announced == sources.length ? 0 : next;
            }
            int slot = table.slot(vertex);
            int otherSlot = other == vertex ? slot : table.slot(other, slot);
            change(table, slot, twins.computeIfAbsent(vertex, v -> new Twin()), random, loads, untold);
            change(table, otherSlot, twins.computeIfAbsent(other, v -> new Twin()), random, loads, untold);
            assertSame(table, slot, vertex, twins.get(vertex));
            assertSame(table, otherSlot, other, twins.get(other));
            if (layout.hasCounts() && random.nextInt(10) == 0) {
                Twin twin = twins.put(vertex, new Twin());
                for (int p : twin.replicas.stream().toArray()) {
                    takeOff(table, slot, twin, p, loads, untold);
                }
                for (; twin.degree > 0; twin.degree--) {
                    table.uncountEdge(slot);
                }
                table.forget(slot);
                assertSame(table, slot, vertex, twins.get(vertex));
            }
            if (random.nextInt(100) == 0) {
                int maxDirty = random.nextInt(table.dirtyCount() + 2);
                table.writeAhead(maxDirty);
                assertThat(table.dirtyCount()).isLessThanOrEqualTo(maxDirty);
            }
            if (random.nextInt(1000) == 0) {
                table.flush();
                assertThat(table.dirtyCount()).isZero();
                assertThat(untold).isEmpty();
                twins.forEach((v, twin) -> assertThat(toldDegrees.getOrDefault(v, 0L))
                        .as("degree of %d", v)
                        .isEqualTo(twin.degree));
                if (random.nextBoolean()) {
                    table = new VertexTable(table.layout(), store, maxBytes, table.vertexCount(), listener);
                }
            }
            if (random.nextInt(1000) == 0) {
                int more = table.layout().partitionCount() + random.nextInt(40);
                table.setPartitions(Math.min(k + MORE_PARTITIONS, more));
            }
            if (random.nextInt(1000) == 0) {
                VertexTable now = table;
                twins.forEach((v, twin) -> assertSame(now, now.slot(v), v, twin));
            }
        }
        table.flush();
        assertThat(table.vertexCount()).isEqualTo(store.values.size()).isLessThanOrEqualTo(twins.size());
        for (Map.Entry<Long, Twin> entry : twins.entrySet()) {
            assertSame(table, table.slot(entry.getKey()), entry.getKey(), entry.getValue());
        }
        assertThat(loads.totalReplicas())
                .isEqualTo(twins.values().stream()
                        .mapToLong(twin -> twin.replicas.cardinality())
                        .sum());
    }

    private static long anyVertex(SplittableRandom random, int range) {
        int i = (int) (range * Math.pow(random.nextDouble(), 2));
        return i % 3 == 0 ? Long.MIN_VALUE + i : i % 3 == 1 ? -i : i;
    }

    private static void change(
            VertexTable table, int slot, Twin twin, SplittableRandom random, PartitionLoads loads, Set<Long> untold) {
        switch (random.nextInt(9)) {
            case 0 -> {
                table.countEdge(slot);
                twin.degree++;
            }
            case 1 -> {
                if (table.layout().hasFinalDegrees()) {
                    table.countFinalEdge(slot);
                    twin.finalDegree++;
                }
            }
            case 2 -> {
                int partition = random.nextInt(table.layout().partitionCount());
                table.addReplica(slot, partition, loads);
                if (!twin.replicas.get(partition)) {
                    twin.replicas.set(partition);
                    twin.master = twin.master == VertexTable.NO_MASTER ? partition : twin.master;
                    untold.add(table.vertex(slot));
                }
            }
            case 3 -> {
                if (table.layout().hasHomes()) {
                    twin.home = random.nextInt(table.layout().partitionCount());
                    table.setHome(slot, twin.home);
                }
            }
            case 4 -> {
                if (table.layout().hasHomes()) {
                    // Four places only, so that no counter is ever given up: that is told by another test.
                    int home = random.nextInt(Math.min(4, table.layout().partitionCount()));
                    table.countNeighbourHome(slot, home);
                    twin.neighbourHomes.replaceAll((place, weight) -> (int) (weight * 62_259L / 65_536));
                    twin.neighbourHomes.merge(home, 1024, Integer::sum);
                }
            }
            case 5 -> {
                if (table.layout().hasClusters()) {
                    twin.cluster = random.nextInt(Integer.MAX_VALUE);
                    table.setCluster(slot, twin.cluster);
                }
            }
            case 6 -> {
                int partition = random.nextInt(table.layout().partitionCount());
                if (table.layout().hasCounts() && twin.replicas.get(partition)) {
                    int change = twin.counts.getOrDefault(partition, 0L) > 0 && random.nextInt(3) == 0 ? -1 : 1;
                    long count = twin.counts.merge(partition, (long) change, Long::sum);
                    assertThat(table.countAt(slot, partition, change)).isEqualTo(count);
                }
            }
            case 7 -> {
                int partition = random.nextInt(table.layout().partitionCount());
                if (table.layout().hasCounts() && twin.replicas.get(partition)) {
                    takeOff(table, slot, twin, partition, loads, untold);
                }
            }
            default -> {} // only looked at
        }
    }

    private static void takeOff(
            VertexTable table, int slot, Twin twin, int partition, PartitionLoads loads, Set<Long> untold) {
        for (long count = twin.counts.getOrDefault(partition, 0L); count > 0; count--) {
            table.countAt(slot, partition, -1);
        }
        twin.counts.remove(partition);
        twin.replicas.clear(partition);
        if (twin.master == partition) {
            twin.master = twin.replicas.stream()
                    .boxed()
                    .max(Comparator.<Integer>comparingLong(p -> twin.counts.getOrDefault(p, 0L))
                            .thenComparing(Comparator.reverseOrder()))
                    .orElse(VertexTable.NO_MASTER);
        }
        table.removeReplica(slot, partition, loads);
        untold.add(table.vertex(slot));
    }

    private static void assertSame(VertexTable table, int slot, long vertex, Twin twin) {
        assertThat(table.vertex(slot)).isEqualTo(vertex);
        assertThat(table.degree(slot)).isEqualTo(twin.degree);
        if (table.layout().hasFinalDegrees()) {
            assertThat(table.finalDegree(slot)).isEqualTo(twin.finalDegree);
        }
        assertThat(table.master(slot)).isEqualTo(twin.master);
        assertThat(table.replicaCount(slot)).isEqualTo(twin.replicas.cardinality());
        long[] words = new long[table.replicaWords()];
        for (int word = 0; word < words.length; word++) {
            words[word] = table.replicaWord(slot, word);
        }
        assertThat(BitSet.valueOf(words)).isEqualTo(twin.replicas);
        if (table.layout().hasHomes()) {
            assertThat(table.home(slot)).isEqualTo(twin.home);
            twin.neighbourHomes.values().removeIf(weight -> weight == 0);
            assertThat(VertexTableTest.neighbourHomes(table, slot)).isEqualTo(twin.neighbourHomes);
        }
        if (table.layout().hasClusters()) {
            assertThat(table.cluster(slot)).isEqualTo(twin.cluster);
        }
        if (table.layout().hasCounts()) {
            twin.counts.forEach((p, count) -> assertThat(table.edgesAt(slot, p)).isEqualTo(count));
        }
    }
}
