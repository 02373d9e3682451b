package io.cutwater.state.feedback;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;

/** The tasks of an attempt that hold the vertex tables. */
final class SimulatedTables {
    private final LoopSimulation simulation;
    private final SimulatedChannels channels;
    private final List<BucketTable> tables = new ArrayList<>();
    private final List<VertexTable> caches = new ArrayList<>();
    private final List<MapVertexStore> stores = new ArrayList<>();
    private final List<BucketLedger[]> ledgers = new ArrayList<>();
    private final List<int[]> positions = new ArrayList<>();
    private final int[] firstBuckets;
    private final boolean[] isEnded;

    SimulatedTables(LoopSimulation simulation, SimulatedChannels channels, int assigners) {
        this.simulation = simulation;
        this.channels = channels;
        int count = channels.toTable.size();
        isEnded = new boolean[count];
        firstBuckets = new int[count + 1];
        for (int t = 0; t <= count; t++) {
            firstBuckets[t] = t * simulation.buckets / count;
        }
        for (int t = 0; t < count; t++) {
            add(t, assigners);
        }
    }

    private void add(int t, int assigners) {
        VertexLayout layout = simulation.layout;
        SimulatedCheckpoint last = simulation.last;
        MapVertexStore store = new MapVertexStore();
        BucketLedger[] own = new BucketLedger[firstBuckets[t + 1] - firstBuckets[t]];
        long created = 0;
        for (int i = 0; i < own.length; i++) {
            byte[] bytes = last.ledgers[firstBuckets[t] + i];
            own[i] = bytes == null
                    ? new BucketLedger(layout.partitionCount())
                    : BucketLedger.fromBytes(bytes, layout.partitionCount());
            created += own[i].createdVertices();
        }
        store.putAll(last.vertices);
        VertexTable cache = new VertexTable(layout, store, simulation.cacheBytes, created, VertexTable.Listener.NONE);
        stores.add(store);
        caches.add(cache);
        ledgers.add(own);
        int placingPass = simulation.writesBack ? 0 : simulation.preparationPasses;
        tables.add(new BucketTable(cache, own, firstBuckets[t], assigners, placingPass, simulation.random.nextLong()));
        positions.add(simulation.log.ends());
    }

    void greet() {
        for (int t = 0; t < tables.size(); t++) {
            int from = t;
            tables.get(t).greet(null, views -> channels.answer(from, views));
        }
    }

    void step(int t) {
        Object element = channels.toTable.get(t).poll();
        if (element instanceof Lookup lookup) {
            tables.get(t).look(lookup, views -> channels.answer(t, views));
        } else if (element == SimulatedChannels.BARRIER) {
            snapshot(t);
            channels.toAssigner.forEach(inputs -> inputs.get(1 + t).add(SimulatedChannels.BARRIER));
        } else if (element == SimulatedChannels.END) {
            channels.toTable.get(t).addFirst(SimulatedChannels.END);
            isEnded[t] = tables.get(t).hasEnded();
        }
    }

    void receive(int t) {
        simulation.log.receive(tables.get(t), positions.get(t));
    }

    void tellNews(int t) {
        tables.get(t).tellNews(views -> channels.answer(t, views));
    }

    private void snapshot(int t) {
        SimulatedCheckpoint pending = simulation.pending();
        caches.get(t).flush();
        stores.get(t).forEach((vertex, bytes) -> {
            if (table(Hashing.bucket(vertex, simulation.buckets)) == t) {
                pending.vertices.put(vertex, bytes);
            }
        });
        for (int i = 0; i < ledgers.get(t).length; i++) {
            pending.ledgers[firstBuckets[t] + i] = ledgers.get(t)[i].toBytes();
        }
        pending.tablesLeft--;
    }

    boolean areEnded() {
        for (boolean ended : isEnded) {
            if (!ended) {
                return false;
            }
        }
        return true;
    }

    int count() {
        return tables.size();
    }

    BucketTable get(int t) {
        return tables.get(t);
    }

    /** Returns the table of a bucket. */
    int table(int bucket) {
        int t = 0;
        while (firstBuckets[t + 1] <= bucket) {
            t++;
        }
        return t;
    }

    /** Returns the table that holds a vertex. */
    VertexTable cache(long vertex) {
        return caches.get(table(Hashing.bucket(vertex, simulation.buckets)));
    }
}
