package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.feedback.move.TableReplies;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The tasks of an attempt that hold the vertex tables. */
final class SimulatedTables {
    private final LoopSimulation simulation;
    private final SimulatedChannels channels;
    private final List<BucketTable> tables = new ArrayList<>();
    private final List<VertexTable> caches = new ArrayList<>();
    private final List<MapVertexStore> stores = new ArrayList<>();
    private final List<MapAdjacencyStore> edges = new ArrayList<>();
    private final List<BucketLedger[]> ledgers = new ArrayList<>();
    private final List<TableReplies> replies = new ArrayList<>();
    private final List<int[]> positions = new ArrayList<>();
    private final List<Deque<VertexUpdate>> unsent = new ArrayList<>(); // messages to other tables
    private final int[] firstBuckets;
    private final boolean[] isEnded;
    private int patience = 1_000_000;

    SimulatedTables(LoopSimulation simulation, SimulatedChannels channels, int assigners) {
        this.simulation = simulation;
        this.channels = channels;
        int count = channels.toTable.size();
        isEnded = new boolean[count];
        firstBuckets = new int[count + 1];
        for (int t = 0; t <= count; t++) {
            firstBuckets[t] = BucketTable.firstBucket(t, simulation.buckets, count);
        }
        for (int t = 0; t < count; t++) {
            unsent.add(new ArrayDeque<>());
            add(t, assigners);
        }
    }

    private void add(int t, int assigners) {
        SimulatedCheckpoint last = simulation.last;
        MapVertexStore store = new MapVertexStore();
        BucketLedger[] own = new BucketLedger[firstBuckets[t + 1] - firstBuckets[t]];
        for (int i = 0; i < own.length; i++) {
            byte[] bytes = last.ledgers[firstBuckets[t] + i];
            own[i] = bytes == null
                    ? new BucketLedger(simulation.layout.partitionCount())
                    : BucketLedger.fromBytes(bytes);
        }
        int partitions =
                Arrays.stream(own).mapToInt(BucketLedger::partitions).max().orElseThrow();
        for (BucketLedger ledger : own) {
            ledger.widen(partitions);
        }
        VertexLayout layout = simulation.layout.withPartitions(partitions);
        store.putAll(last.vertices);
        long created = 0;
        for (int i = 0; i < own.length; i++) {
            boolean hasOwners = simulation.options.kind().hasOwners();
            boolean begins = hasOwners && !simulation.writesBack && own[i].beginOwners();
            if (begins || hasOwners && simulation.keepsEdges && last.isOfOneTask) {
                count(own[i], store, firstBuckets[t] + i, layout);
            }
            created += own[i].createdVertices();
        }
        VertexTable cache = new VertexTable(layout, store, simulation.cacheBytes, created, VertexTable.Listener.NONE);
        stores.add(store);
        caches.add(cache);
        ledgers.add(own);
        int placingPass = simulation.writesBack ? 0 : simulation.preparationPasses;
        long run = simulation.random.nextLong();
        if (simulation.keepsEdges) {
            BucketEdges kept = edges(t);
            tables.add(BucketTable.withEdges(cache, kept, own, firstBuckets[t], assigners, run));
            replies.add(new TableReplies(
                    cache,
                    kept,
                    bucket -> vertices(store, bucket),
                    firstBuckets[t],
                    own.length,
                    assigners,
                    tables.get(t),
                    run,
                    (wanted, before, budget, exchange, owner) -> {
                        tables.get(t).makeRoom(Math.max(wanted, before));
                        return new SimulatedPlan(simulation.random, before, wanted);
                    },
                    unsent.get(t)::add));
        } else {
            int buckets = simulation.buckets;
            tables.add(
                    simulation.catchesUp()
                            ? BucketTable.catchingUp(cache, own, firstBuckets[t], buckets, assigners, placingPass, run)
                            : new BucketTable(cache, own, firstBuckets[t], buckets, assigners, placingPass, run));
        }
        positions.add(simulation.log.ends());
    }

    private void count(BucketLedger ledger, MapVertexStore store, int bucket, VertexLayout layout) {
        VertexTable reader = new VertexTable(
                layout, store, Long.MAX_VALUE, simulation.last.vertices.size(), VertexTable.Listener.NONE);
        if (simulation.keepsEdges) {
            ledger.recount();
        }
        for (long vertex : vertices(store, bucket)) {
            int slot = reader.slot(vertex);
            if (simulation.keepsEdges) {
                ledger.countVertex(vertex, reader.master(slot), reader.degree(slot));
            } else {
                ledger.countOwner(reader.master(slot));
            }
        }
    }

    private long[] vertices(MapVertexStore store, int bucket) {
        List<Long> vertices = new ArrayList<>();
        store.forEach((vertex, bytes) -> {
            if (Hashing.bucket(vertex, simulation.buckets) == bucket) {
                vertices.add(vertex);
            }
        });
        return vertices.stream().mapToLong(vertex -> vertex).toArray();
    }

    private BucketEdges edges(int t) {
        MapAdjacencyStore store = new MapAdjacencyStore();
        simulation.last.edges.copyTo(store, vertex -> table(Hashing.bucket(vertex, simulation.buckets)) == t);
        edges.add(store);
        boolean hasPlaces = !simulation.options.kind().hasOwners();
        return new BucketEdges(store, hasPlaces, simulation.random.nextBoolean() ? 128 : 0, simulation.buckets);
    }

    void greet() {
        for (int t = 0; t < tables.size(); t++) {
            int from = t;
            tables.get(t).greet(assigner -> null, views -> channels.answer(from, views));
        }
    }

    void step(int t) {
        if (!tables.get(t).isCaughtUp()) {
            return;
        }
        tables.get(t).tellRestored(() -> totals(t), views -> channels.answer(t, views));
        Object element = channels.toTable.get(t).poll();
        if (element instanceof Lookup lookup) {
            tables.get(t).look(lookup, views -> channels.answer(t, views));
        } else if (element == SimulatedChannels.BARRIER) {
            snapshot(t);
            channels.toAssigner.forEach(inputs -> inputs.get(1 + t).add(SimulatedChannels.BARRIER));
        } else if (element == SimulatedChannels.END) {
            channels.toTable.get(t).addFirst(SimulatedChannels.END);
            // A job that goes on has the time that a vertex without edges needs to go.
            isEnded[t] |= tables.get(t).hasEnded() && tables.get(t).idleVertices() == 0;
            patience -= tables.get(t).hasEnded() ? 1 : 0;
            assertThat(patience).as("time for idle vertices to go").isPositive();
        }
    }

    void receive(int t) {
        Consumer<Views> answers = views -> channels.answer(t, views);
        if (!unsent.get(t).isEmpty()) {
            simulation.log.send(unsent.get(t));
        }
        simulation.log.receive(
                tables.get(t),
                request -> replies.get(t).reply(request, answers),
                message -> replies.get(t).receive(message),
                positions.get(t));
        if (simulation.keepsEdges && simulation.random.nextBoolean()) {
            int[] left = {simulation.random.nextInt(20)};
            replies.get(t).work(() -> left[0]-- > 0, answers);
        }
    }

    void tellNews(int t) {
        tables.get(t).tellRestored(() -> totals(t), views -> channels.answer(t, views));
        tables.get(t).tellNews(views -> channels.answer(t, views));
    }

    /** Tells the only assigner what it cannot know of vertices that several have changed. */
    private byte[] totals(int t) {
        caches.get(t).flush();
        VertexTable reader =
                new VertexTable(caches.get(t).layout(), stores.get(t), Long.MAX_VALUE, 0, VertexTable.Listener.NONE);
        long[] owned = new long[reader.layout().partitionCount()];
        long[] shown = new long[owned.length];
        for (int bucket = firstBuckets[t]; bucket < firstBuckets[t + 1]; bucket++) {
            for (long vertex : vertices(stores.get(t), bucket)) {
                int slot = reader.slot(vertex);
                int owner = reader.master(slot);
                if (owner != VertexTable.NO_MASTER) {
                    owned[owner]++;
                    shown[owner] += reader.degree(slot) > 0 ? 1 : 0;
                }
            }
        }
        simulation.toldOwners.add(OwnerLoads.vertices(owned, shown));
        simulation.toldCounts.add(tables.get(t).counts());
        return new byte[0];
    }

    private void snapshot(int t) {
        if (simulation.sharesEdges() && simulation.options.kind().hasOwners()) {
            tellNews(t);
        }
        SimulatedCheckpoint pending = simulation.pending();
        caches.get(t).flush();
        stores.get(t).forEach((vertex, bytes) -> {
            if (table(Hashing.bucket(vertex, simulation.buckets)) == t) {
                pending.vertices.put(vertex, bytes);
            }
        });
        if (simulation.keepsEdges) {
            edges.get(t).copyTo(pending.edges, vertex -> true);
        }
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

    /** Returns the copies of all kept edges. */
    Map<String, List<String>> keptCopies() {
        Map<String, List<String>> copies = new TreeMap<>();
        edges.forEach(store -> copies.putAll(store.copies()));
        return copies;
    }

    /** Returns all kept edges with their partitions, which are in the table of the source. */
    EdgeBatch keptEdges(Iterable<Long> vertices) {
        EdgeBatch all = new EdgeBatch();
        for (MapAdjacencyStore store : edges) {
            StoredEdges rows = StoredEdges.ofEdges(store, 0);
            vertices.forEach(vertex -> rows.outgoing(vertex, all));
        }
        return all;
    }

    /** Writes all vertices; returns how many there are in the stores, and by the ledgers. */
    List<Long> storedVertices() {
        long[] stored = {0};
        long created = 0;
        for (int t = 0; t < tables.size(); t++) {
            int task = t;
            caches.get(t).flush();
            stores.get(t)
                    .forEach((vertex, bytes) ->
                            stored[0] += table(Hashing.bucket(vertex, simulation.buckets)) == task ? 1 : 0);
            for (BucketLedger ledger : ledgers.get(t)) {
                created += ledger.createdVertices();
                assertThat(ledger.removals().isEmpty()).isTrue();
            }
        }
        return List.of(stored[0], created);
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
