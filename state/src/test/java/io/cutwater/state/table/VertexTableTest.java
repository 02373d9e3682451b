package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.store.VertexStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VertexTableTest {
    private static final int SMALLEST = 16; // slots of a table that may have one byte

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

    @ParameterizedTest
    @CsvSource({"1, 2", "5, 6", "5, 64", "63, 65", "64, 129", "300, 4096", "4095, 4096"})
    void recordsForOtherPartitionsFit(int few, int many) {
        for (int[] way : new int[][] {{few, many}, {many, few}}) {
            VertexLayout layout = new VertexLayout(way[0], false).withHomes().withCounts();
            VertexTable from = new VertexTable(layout);
            int slot = from.slot(7);
            PartitionLoads loads = new PartitionLoads(way[0]);
            for (int p : new int[] {few - 1, 0, few / 2}) {
                from.addReplica(slot, p, loads);
                from.countAt(slot, p, 1);
                from.countEdge(slot);
            }
            from.setHome(slot, few - 1);
            long[] records = new long[2 * layout.stride()];
            RecordExchange.copy(from, slot, records, layout.stride());
            VertexTable into = new VertexTable(layout.withPartitions(way[1]));
            long[] fitting = RecordExchange.fit(records, layout.stride(), 2, into);
            int read = RecordExchange.load(into, fitting, into.layout().stride());
            assertThat(into.vertex(read)).isEqualTo(7);
            assertThat(into.degree(read)).isEqualTo(3);
            assertThat(into.master(read)).isEqualTo(few - 1);
            assertThat(into.home(read)).isEqualTo(few - 1);
            for (int p = 0; p < few; p++) {
                assertThat(into.hasReplica(read, p)).isEqualTo(from.hasReplica(slot, p));
                assertThat(into.edgesAt(read, p)).isEqualTo(from.edgesAt(slot, p));
            }
            assertThat(into.replicaCount(read)).isEqualTo(from.replicaCount(slot));
        }
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
        table.slot(0); // not referenced: the hand chooses it first, clears the others, and comes back to it
        for (long vertex = 1; vertex < SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.countEdge(table.slot(100));
        assertThat(table.size()).isEqualTo(SMALLEST); // the others that were chosen stay until their slots are needed
        Set<Integer> slots = new HashSet<>();
        slots.add(table.slot(100));
        slots.add(table.slot(101));
        for (long vertex = 2; vertex < SMALLEST; vertex++) {
            slots.add(table.slot(vertex));
        }
        assertThat(slots).hasSize(SMALLEST);
    }

    @Test
    void aSlotWhereAVertexWasIsNotBelieved() {
        for (VertexStore store : List.of(VertexStore.NONE, new MapVertexStore())) {
            VertexTable table = store == VertexStore.NONE
                    ? new VertexTable(new VertexLayout(8, false))
                    : smallest(store, VertexTable.Listener.NONE);
            int slot = table.slot(7);
            assertThat(table.slot(7, VertexTable.NO_SLOT, slot)).isEqualTo(slot);
            assertThat(table.slot(8, VertexTable.NO_SLOT, slot)).isEqualTo(table.slot(8));
            assertThat(table.slot(9, VertexTable.NO_SLOT, 1 << 20)).isEqualTo(table.slot(9));
            table.forget(slot);
            for (long vertex = 100; vertex < 100 + 4 * SMALLEST; vertex++) {
                table.countEdge(table.slot(vertex));
            }
            int again = table.slot(7, VertexTable.NO_SLOT, slot);
            assertThat(table.vertex(again)).isEqualTo(7);
            assertThat(table.slot(7)).isEqualTo(again);
        }
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
        assertThat(table.departures()).isOne();
        assertThat(store.writeCalls).isEqualTo(writeCalls); // what it evicted, the store had
    }

    @Test
    void aVertexThatIsTouchedAfterItWasWrittenToLeaveStays() {
        MapVertexStore store = new MapVertexStore();
        VertexTable table = smallest(store, VertexTable.Listener.NONE);
        for (long vertex = 0; vertex < SMALLEST; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        table.slot(100);
        assertThat(store.values).containsOnlyKeys(0L, 1L, 2L, 3L); // a quarter, of which the first has left
        table.countEdge(table.slot(1));
        table.slot(101);
        int reads = store.reads;
        assertThat(table.degree(table.slot(1))).isEqualTo(2);
        assertThat(store.reads).isEqualTo(reads);
        assertThat(table.degree(table.slot(2))).isOne();
        assertThat(store.reads).isEqualTo(reads + 1);
    }

    @Test
    void asksForManyAtOnceWhereManyAreNotHere() {
        VertexStore store = new MapVertexStore() {
            @Override
            public boolean isConcurrent() {
                return true;
            }
        };
        int slots = 4096;
        VertexTable table =
                new VertexTable(new VertexLayout(8, false), store, slots * 40L, 0, VertexTable.Listener.NONE);
        int known = 16 * slots;
        for (long vertex = 0; vertex < known; vertex++) {
            table.countEdge(table.slot(vertex));
        }
        long[] gone = LongStream.range(0, slots).toArray();
        assertThat(table.announce(gone, gone, 0, slots)).isEqualTo(slots / 2); // as many as half of the table
        assertThat(table.arrive(gone, gone, slots / 2, slots)).isEqualTo(slots);
        table.arrive(gone, gone, slots, slots);
        long[] here = LongStream.range(known - slots / 2, known).toArray();
        assertThat(table.announce(here, here, 0, here.length)).isEqualTo(512);
        table.arrive(here, here, here.length, here.length);
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

    static Map<Integer, Integer> neighbourHomes(VertexTable table, int slot) {
        Map<Integer, Integer> all = new HashMap<>();
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            int weight = NeighbourHomes.weight(table.neighbourHomeWeights(slot), i);
            if (weight > 0) {
                all.put(NeighbourHomes.partition(table.neighbourHomePlaces(slot), i), weight);
            }
        }
        return all;
    }
}
