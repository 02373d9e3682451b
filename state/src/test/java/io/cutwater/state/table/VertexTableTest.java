package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.store.VertexStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VertexTableTest {
    private static final int SMALLEST = 16; // slots of a table that may have one byte

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
        MapVertexStore store = new MapVertexStore();
        Map<Long, Twin> twins = new HashMap<>();
        Set<Long> untold = new HashSet<>();
        Map<Long, Long> toldDegrees = new HashMap<>();
        VertexTable.Listener listener = (t, slot, isMoved) -> {
            assertThat(untold.remove(t.vertex(slot))).isEqualTo(isMoved);
            toldDegrees.put(t.vertex(slot), t.degree(slot));
        };
        VertexTable table = new VertexTable(layout, store, maxBytes, 0, listener);
        PartitionLoads loads = new PartitionLoads(k);
        int operations = 5000;
        for (int i = 0; i < operations; i++) {
            long vertex = anyVertex(random, vertexRange);
            long other = anyVertex(random, vertexRange);
            if (random.nextInt(20) == 0) {
                long[] announced =
                        random.longs(8).map(l -> anyVertex(random, vertexRange)).toArray();
                table.expect(announced, new long[] {vertex, other, vertex, other, other, other, 1, 2}, 8);
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
                    table = new VertexTable(layout, store, maxBytes, table.vertexCount(), listener);
                }
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
            assertThat(neighbourHomes(table, slot)).isEqualTo(twin.neighbourHomes);
        }
        if (table.layout().hasClusters()) {
            assertThat(table.cluster(slot)).isEqualTo(twin.cluster);
        }
        if (table.layout().hasCounts()) {
            twin.counts.forEach((p, count) -> assertThat(table.edgesAt(slot, p)).isEqualTo(count));
        }
    }

    private static Map<Integer, Integer> neighbourHomes(VertexTable table, int slot) {
        Map<Integer, Integer> all = new HashMap<>();
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            int weight = NeighbourHomes.weight(table.neighbourHomeWeights(slot), i);
            if (weight > 0) {
                all.put(NeighbourHomes.partition(table.neighbourHomePlaces(slot), i), weight);
            }
        }
        return all;
    }

    @Test
    void aFifthPlaceOfNeighboursTakesOverTheLightestCounter() {
        VertexTable table = new VertexTable(new VertexLayout(4096, false).withHomes());
        int slot = table.slot(7);
        table.setHome(slot, 4095);
        for (int home : new int[] {4095, 1, 1, 2, 2, 0, 0, 3}) {
            table.countNeighbourHome(slot, home);
        }
        assertThat(neighbourHomes(table, slot)).containsOnlyKeys(1, 2, 0, 3);
        assertThat(neighbourHomes(table, slot)).containsEntry(3, NeighbourHomes.ONE);
        assertThat(table.home(slot)).isEqualTo(4095);
    }

    @Test
    void aCounterNeverLeavesItsSixteenBits() {
        VertexTable table = new VertexTable(new VertexLayout(2, false).withHomes());
        int slot = table.slot(7);
        for (int i = 0; i < 10_000; i++) {
            table.countNeighbourHome(slot, 1);
        }
        // The limit of .95 w + 1, a little less for rounding down.
        assertThat(neighbourHomes(table, slot).get(1)).isBetween(19 * NeighbourHomes.ONE, 20 * NeighbourHomes.ONE);
    }

    @Test
    void evictsNoSlotTwiceWhenTheHandComesRoundInOneCall() {
        VertexTable table = smallest(new MapVertexStore(), VertexTable.Listener.NONE);
        table.slot(0); // not referenced: the hand frees it first, clears the others, and comes back to it
        for (long vertex = 1; vertex < SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.slot(100);
        assertThat(table.size()).isEqualTo(SMALLEST - 1); // an eighth was evicted, one slot is taken again
        Set<Integer> slots = new HashSet<>();
        slots.add(table.slot(100));
        slots.add(table.slot(101));
        for (long vertex = 2; vertex < SMALLEST; vertex++) {
            slots.add(table.slot(vertex));
        }
        assertThat(slots).hasSize(SMALLEST);
    }

    @Test
    void writesAnEvictedVertexOnlyIfItWasChanged() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.flush();
        assertThat(store.values).hasSize(SMALLEST);
        int writeCalls = store.writeCalls;
        table.slot(100);
        assertThat(table.size()).isLessThan(SMALLEST);
        assertThat(store.writeCalls).isEqualTo(writeCalls); // what it evicted, the store had
    }

    @Test
    void aFlushWritesManyVerticesInFewCallsAndKeepsThem() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table =
                new VertexTable(new VertexLayout(8, false), store, Long.MAX_VALUE, 0, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 40_000; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.flush();
        assertThat(store.writeCalls).isEqualTo(3);
        assertThat(store.values).hasSize(40_000);
        assertThat(table.size()).isEqualTo(40_000);
        table.flush();
        assertThat(store.writeCalls).isEqualTo(3);
    }

    @Test
    void asksTheStoreOnlyForVerticesThatItCanKnow() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table =
                new VertexTable(new VertexLayout(8, false), store, Long.MAX_VALUE, 0, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 1000; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        assertThat(store.reads).isZero();
        table.flush();

        VertexTable restored =
                new VertexTable(new VertexLayout(8, false), store, Long.MAX_VALUE, 1000, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 1000; vertex++) {
            assertThat(restored.degree(restored.slot(vertex))).isOne();
        }
        assertThat(store.reads).isEqualTo(1000);
        restored.slot(5000);
        assertThat(store.reads).isEqualTo(1000); // all that exist are here, so this one is new
    }

    @Test
    void readsWhatItWasToldToExpectInOneGoAndOnce() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 3 * SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        long here = 3 * SMALLEST - 1;
        table.flush();
        int reads = store.reads;
        table.expect(new long[] {0, 1, 0, 1_000}, new long[] {2, 1, here, here}, 4);
        assertThat(store.readCalls).isOne();
        assertThat(store.reads - reads).isEqualTo(4); // 0, 1, 2, and 1000, which turns out to be new
        for (long vertex : new long[] {0, 1, 2, here, 1_000}) {
            assertThat(table.degree(table.slot(vertex))).isEqualTo(vertex == 1_000 ? 0 : 1);
        }
        assertThat(store.reads - reads).isEqualTo(4);
        assertThat(table.vertexCount()).isEqualTo(3 * SMALLEST + 1);
    }

    @Test
    void whatWasReadAheadIsNotTakenTwice() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 3 * SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.expect(new long[] {0}, new long[] {0}, 1);
        table.countEdge(table.slot(0));
        for (long vertex = 1; vertex < 3 * SMALLEST; vertex++) {
            table.slot(vertex); // drives vertex 0 out again, with a degree of 2
        }
        assertThat(table.degree(table.slot(0))).isEqualTo(2);
    }

    @Test
    void expectsNothingOfTheStoreWhileEveryVertexIsHere() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        table.countEdge(table.slot(1));
        table.expect(new long[] {1, 5}, new long[] {2, 3}, 2);
        assertThat(store.readCalls).isZero();
    }

    @Test
    void writesAheadInTurnAndNoMoreThanItMust() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 10; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.writeAhead(10);
        assertThat(store.values).isEmpty();
        table.writeAhead(7);
        assertThat(store.values.keySet()).containsExactlyInAnyOrder(0L, 1L, 2L);
        table.countEdge(table.slot(0));
        table.writeAhead(7); // goes on where it ended, though vertex 0 changed again
        assertThat(store.values.keySet()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
        assertThat(table.dirtyCount()).isEqualTo(7);
        assertThat(table.storedBytesPerVertex()).isEqualTo(4); // flags, degree, no master, no replicas
    }

    @Test
    void tellsOfAChangeOnceAndBeforeItIsWritten() {
        MapVertexStore store = new MapVertexStore();
        List<String> told = new ArrayList<>();
        VertexTable table = smallest(store, (t, slot, isMoved) -> {
            assertThat(store.values.containsKey(t.vertex(slot))).isEqualTo(t.degree(slot) == 2);
            told.add(t.vertex(slot) + " of degree " + t.degree(slot) + (isMoved ? " has moved" : ""));
        });
        PartitionLoads loads = new PartitionLoads(8);
        int slot = table.slot(7);
        table.addReplica(slot, 3, loads);
        table.addReplica(slot, 3, loads);
        table.addReplica(slot, 4, loads);
        table.countEdge(table.slot(8));
        table.flush();
        table.countEdge(table.slot(8));
        table.flush();
        table.flush();
        assertThat(told).containsExactly("7 of degree 0 has moved", "8 of degree 1", "8 of degree 2");
        assertThat(loads.totalReplicas()).isEqualTo(2);
        assertThat(loads.totalVertices()).isOne();
    }

    @Test
    void theFirstPartitionStaysTheMaster() {
        VertexTable table = new VertexTable(new VertexLayout(4096, false));
        PartitionLoads loads = new PartitionLoads(4096);
        int slot = table.slot(1);
        assertThat(table.master(slot)).isEqualTo(VertexTable.NO_MASTER);
        table.addReplica(slot, 4095, loads);
        table.addReplica(slot, 0, loads);
        assertThat(table.master(slot)).isEqualTo(4095);
    }

    @Test
    void countsHitsMissesAndDirtyVertices() {
        VertexTable table = smallest(new MapVertexStore(), VertexTable.Listener.NONE);
        table.countEdge(table.slot(1));
        table.countEdge(table.slot(1));
        table.countEdge(table.slot(2));
        assertThat(table.hits()).isEqualTo(1);
        assertThat(table.misses()).isEqualTo(2);
        assertThat(table.dirtyCount()).isEqualTo(2);
        assertThat(table.size()).isEqualTo(2);
        assertThat(table.vertexCount()).isEqualTo(2);
    }

    @Test
    void aVertexThatIsEvictedBeforeItsFirstEdgeIsCountedOnce() {
        VertexTable table = smallest(new MapVertexStore(), VertexTable.Listener.NONE);
        for (int round = 0; round < 3; round++) {
            for (long vertex = 0; vertex < 3 * SMALLEST; vertex++) {
                table.slot(vertex);
            }
        }
        assertThat(table.vertexCount()).isEqualTo(3 * SMALLEST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 10_000, 1_000_000})
    void staysWithinItsMemory(long maxBytes) {
        VertexTable table = new VertexTable(
                new VertexLayout(32, false), new MapVertexStore(), maxBytes, 0, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < 50_000; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        assertThat(table.bytes()).isBetween(maxBytes / 2, maxBytes);
        assertThat(table.vertexCount()).isEqualTo(50_000);
    }

    @Test
    void withoutAStoreAFlushSaysThatThereIsNone() {
        VertexTable table = new VertexTable(new VertexLayout(8, false));
        table.countEdge(table.slot(1));
        assertThatIllegalStateException()
                .isThrownBy(table::flush)
                .withMessageStartingWith("there is no store to write");
    }

    private static VertexTable smallest(VertexStore store, VertexTable.Listener listener) {
        return new VertexTable(new VertexLayout(8, false), store, 1, 0, listener);
    }
}
