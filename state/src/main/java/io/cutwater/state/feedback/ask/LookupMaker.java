package io.cutwater.state.feedback.ask;

import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.bucket.BucketOrder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Numbers batches, deals them out to its assigners in turn, and asks for the views of the vertices that the cache of an
 * assigner lacks ({@link CacheDirectory}), and for the copies of the edges that a batch removes. With one assigner
 * there is one of it, so that every bucket is asked in the order of the batches: the result is then that of a single
 * table, however slow the loop.
 */
public final class LookupMaker {
    private static final long[] NONE = {};
    private static final EdgeBatch NO_BATCH = new EdgeBatch(1);
    /** Vertices of a lookup, so that none is large however many have edges to count. */
    private static final int MAX_VERTICES = 16 * 1024;

    private final int buckets;
    private final int tables;
    private final int firstAssigner;
    private final int placingPass;
    private final boolean countsEdges;
    private final boolean tellsSlots;
    private final long run;
    private final CacheDirectory[] caches;
    private final Lookup lookup = new Lookup();
    private long lastNumber;
    private int pass;

    /**
     * What is said of vertices, in the order in which it was said: {@code counted} ones first, then those asked for.
     */
    private long[] vertices = new long[64];

    private int[] counts = new int[64];
    private int size;
    private int counted;

    private int[] slots = {}; // of the ends of the batch

    private long[] evicted = new long[64];
    private int evictedCount;

    private final BucketOrder byTable;
    private final BucketOrder removalsByBucket;

    /**
     * @param tables that have the buckets, see {@link BucketTable#firstBucket}
     * @param firstAssigner number of the first assigner that gets batches from here
     * @param assigners how many do
     * @param placingPass the first pass whose edges are placed
     * @param cachedVertices bound of the cache of an assigner
     * @param countsEdges whether the tables count the edges of vertices; else the one assigner counts them, and passes
     *     do not matter
     * @param tellsSlots whether batches say where the cache of their assigner has the ends of their edges
     *     ({@link EdgeBatch#slots}); of use if vertices leave it as the batches say, and for no other reason
     * @param run random, and another one in every attempt of the job
     */
    public LookupMaker(
            int buckets,
            int tables,
            int firstAssigner,
            int assigners,
            int placingPass,
            int cachedVertices,
            boolean countsEdges,
            boolean tellsSlots,
            long run) {
        this.buckets = buckets;
        this.tables = tables;
        this.firstAssigner = firstAssigner;
        this.placingPass = placingPass;
        this.countsEdges = countsEdges;
        this.tellsSlots = tellsSlots;
        this.run = run;
        caches = new CacheDirectory[assigners];
        Arrays.setAll(caches, cache -> new CacheDirectory(cachedVertices));
        byTable = new BucketOrder(tables);
        removalsByBucket = new BucketOrder(buckets);
    }

    /**
     * Asks for the vertices of a batch that the cache of its assigner lacks.
     *
     * @param lookups receives one lookup for each table, or several of bounded size, and must be done with each when it
     *     returns
     * @return the batch with its number, and how many answers its assigner has to wait for: none in a preparation pass
     */
    public NumberedBatch ask(EdgeBatch batch, Consumer<Lookup> lookups) {
        if (countsEdges && batch.pass() != pass) {
            beginPass(batch.pass(), lookups);
        }
        long number = ++lastNumber;
        int own = (int) (number % caches.length);
        boolean isPlaced = pass >= placingPass;
        begin();
        evictedCount = 0;
        caches[own].makeRoom(2 * batch.size(), isPlaced ? this::evict : this::countEvicted);
        int ends = 2 * batch.size();
        if (tellsSlots || slots.length < ends) {
            slots = new int[ends]; // which goes with the batch
        }
        caches[own].count(batch, slots, this::countEvicted);
        if (isPlaced) {
            counted = size;
            caches[own].takeEntered(countsEdges ? this::say : (vertex, count) -> say(vertex, 0));
        }
        int assigner = firstAssigner + own;
        removalsByBucket.sort(batch.hasRemovals() ? batch.size() : 0, i -> bucketOfRemoval(batch, i));
        int answers = send(number, assigner, batch, lookups);
        if (isPlaced && tellsSlots) {
            caches[own].takeSlots(byTable, counted, slots, ends);
            batch.setSlots(slots);
        }
        long[] leaving = evictedCount == 0 ? NONE : Arrays.copyOf(evicted, evictedCount);
        return new NumberedBatch(run, number, assigner, answers, batch, leaving);
    }

    /** Another pass counts edges for itself, and the first that places edges begins with empty caches. */
    private void beginPass(int next, Consumer<Lookup> lookups) {
        flush(lookups);
        for (CacheDirectory cache : caches) {
            cache.clear();
        }
        pass = next;
    }

    /**
     * Sends the edges that the tables have not counted; call it before a barrier and at the end.
     *
     * @param lookups receives lookups that ask for nothing
     */
    public void flush(Consumer<Lookup> lookups) {
        if (!countsEdges) {
            return;
        }
        begin();
        for (CacheDirectory cache : caches) {
            cache.takeUncounted(this::say);
        }
        counted = size;
        removalsByBucket.sort(0, i -> BucketOrder.NOWHERE);
        send(lastNumber, firstAssigner, NO_BATCH, lookups);
    }

    private int bucketOfRemoval(EdgeBatch batch, int i) {
        return batch.isRemoval(i) ? Hashing.bucket(batch.source(i), buckets) : BucketOrder.NOWHERE;
    }

    private void begin() {
        size = 0;
        counted = Integer.MAX_VALUE;
    }

    private void evict(long vertex, int count) {
        if (evictedCount == evicted.length) {
            evicted = Arrays.copyOf(evicted, 2 * evictedCount);
        }
        evicted[evictedCount++] = vertex;
        countEvicted(vertex, count);
    }

    private void countEvicted(long vertex, int count) {
        if (count > 0 && countsEdges) {
            say(vertex, count);
        }
    }

    private void say(long vertex, int count) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        vertices[size] = vertex;
        counts[size++] = count;
    }

    /** Returns the number of lookups that are answered. */
    private int send(long number, int assigner, EdgeBatch batch, Consumer<Lookup> lookups) {
        byTable.sort(size, i -> BucketTable.tableOf(Hashing.bucket(vertices[i], buckets), buckets, tables));
        int answers = 0;
        for (int table = 0; table < tables; table++) {
            int first = BucketTable.firstBucket(table, buckets, tables);
            int removals = removalsByBucket.start(first);
            int removalsTo = removalsByBucket.start(BucketTable.firstBucket(table + 1, buckets, tables));
            int from = byTable.start(table);
            int to = byTable.start(table + 1);
            while (from < to || removals < removalsTo) {
                lookup.reset(number, assigner, pass, first);
                for (int end = Math.min(to, from + MAX_VERTICES); from < end; from++) {
                    int at = byTable.at(from);
                    if (at < counted) {
                        lookup.count(vertices[at], counts[at]);
                    } else {
                        lookup.add(vertices[at], counts[at]);
                    }
                }
                for (; removals < removalsTo; removals++) {
                    int at = removalsByBucket.at(removals);
                    lookup.addRemoval(batch.source(at), batch.target(at), batch.key(at));
                }
                answers += lookup.isAnswered() ? 1 : 0;
                lookups.accept(lookup);
            }
        }
        return answers;
    }
}
