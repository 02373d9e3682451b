package io.cutwater.state.table;

import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.store.VertexStore;
import java.util.Arrays;

/**
 * Vertices by id: degree, master and replica set of each, in one array of longs. It is a write-back cache of bounded
 * size in front of a {@link VertexStore}; over {@link VertexStore#NONE} it keeps every vertex and grows.
 *
 * <p>A vertex is reached through its <em>slot</em>. A slot holds until the next call of {@link #slot(long, int)} that
 * does not pin it: that call may evict the vertex. Rules see the table as {@link VertexColumns}; the engine looks
 * vertices up, and changes what follows from the placing of an edge.
 *
 * <p>A vertex that is {@linkplain #forget forgotten} stays as an empty record until its turn comes to be written; then
 * it goes from the table and from the store, unless it has come back.
 */
public final class VertexTable extends VertexColumns {
    /**
     * A listener for vertices whose replicas or degree changed, called when they are written to the store: the source
     * of the partition book.
     */
    public interface Listener {
        Listener NONE = (table, slot, isMoved) -> {};

        /**
         * The vertex in {@code slot} has another degree, or other replicas, than at the last call; no replica if it is
         * removed.
         *
         * @param isMoved whether its replicas or its master changed; else only the degree changed
         */
        void changed(VertexTable table, int slot, boolean isMoved);
    }

    private SlotIndex index;
    private SlotCache cache;
    private final Listener listener;
    private final RecordPrefetch prefetch = new RecordPrefetch();
    private long hits;

    /** A table that keeps every vertex. */
    public VertexTable(VertexLayout layout) {
        this(layout, VertexStore.NONE, Long.MAX_VALUE, 0, Listener.NONE);
    }

    /**
     * @param maxBytes bound of the table's memory; while it grows towards it, half as much again is in use for a moment
     * @param vertexCount vertices that the store holds already
     * @param listener is told of a vertex whose replicas or degree changed before its bytes go to the store
     */
    public VertexTable(VertexLayout layout, VertexStore store, long maxBytes, long vertexCount, Listener listener) {
        super(layout, SlotCache.MIN_SLOTS);
        this.listener = listener;
        index = new SlotIndex(stride, SlotCache.MIN_SLOTS);
        cache = new SlotCache(this, index, store, maxBytes, vertexCount, listener);
    }

    SlotCache cache() {
        return cache;
    }

    /**
     * Changes the number of partitions. Changed vertices are written to the store, and as many as there is room for
     * stay in the table. No vertex may have anything on a partition that goes. All partitions are open afterwards.
     */
    public void setPartitions(int partitionCount) {
        if (cache.hasStore()) {
            cache.writeAhead(0);
        }
        VertexLayout before = layout;
        long[] recordsBefore = records;
        SlotCache cacheBefore = cache;
        lay(before.withPartitions(partitionCount), SlotCache.MIN_SLOTS);
        index = new SlotIndex(stride, SlotCache.MIN_SLOTS);
        cache = cacheBefore.emptied(index);
        cache.takeOver(cacheBefore, before, recordsBefore);
    }

    /** The slot of a vertex, created with degree 0 and no replica if it is new. May evict any other vertex. */
    public int slot(long vertex) {
        return slot(vertex, NO_SLOT);
    }

    /** Returns a slot as {@link #slot(long)} does, but does not evict the vertex in slot {@code pinned}. */
    public int slot(long vertex, int pinned) {
        int slot = index.find(vertex, records);
        if (slot != NO_SLOT) {
            hits++;
            return slot;
        }
        return cache.load(vertex, pinned);
    }

    /**
     * Returns a slot as {@link #slot(long, int)} does.
     *
     * @param expected slot where the vertex was at some time, or {@link #NO_SLOT}; if it is there still, it is found
     *     without a search
     */
    public int slot(long vertex, int pinned, int expected) {
        if (isAt(vertex, expected)) {
            hits++;
            return expected;
        }
        return slot(vertex, pinned);
    }

    private boolean isAt(long vertex, int slot) {
        int base = slot * stride;
        return slot >= 0 && base < records.length && records[base] == vertex && cache.isUsed(slot);
    }

    /**
     * Announces edges whose ends are asked for next. What the table lacks of them it reads from the store in one go; it
     * changes nothing but the time that {@link #slot} takes.
     *
     * @param sources, targets ends of edges, the first {@code count} entries
     */
    public void expect(long[] sources, long[] targets, int count) {
        cache.expect(sources, targets, count);
    }

    /**
     * Like {@link #expect(long[], long[], int)}, for single vertices.
     *
     * @param expected ids, the first {@code count} entries
     */
    public void expect(long[] expected, int count) {
        cache.expect(expected, count);
    }

    /**
     * Announces the next edges of a batch: the store begins to read what the table lacks of their ends. {@link #arrive}
     * makes them ready. Changes nothing but the time that {@link #slot} takes.
     *
     * @param sources, targets ends of edges, of which those from {@code from} to before {@code end} are left
     * @return the end of the edges that are announced: {@code end}, or {@code from} and a multiple of
     *     {@link RecordPrefetch#EDGES}
     */
    public int announce(long[] sources, long[] targets, int from, int end) {
        return cache.announce(sources, targets, from, end);
    }

    /**
     * Makes the vertices of the edges that were announced last ready, and announces the next ones, for which
     * {@code from} is what {@link #announce} has returned.
     *
     * @return as {@link #announce} does
     */
    public int arrive(long[] sources, long[] targets, int from, int end) {
        cache.arrive();
        return from < end ? cache.announce(sources, targets, from, end) : end;
    }

    /**
     * Prefetches the records of the ends of at most {@value RecordPrefetch#EDGES} edges into the caches of the
     * processor; changes nothing but the time that {@link #slot} takes.
     *
     * @param sources, targets ends of edges, of which those from {@code from} to before {@code to} are meant
     */
    public void prefetch(long[] sources, long[] targets, int from, int to) {
        prefetch.fetch(records, stride, index, sources, targets, from, to);
    }

    /**
     * Like {@link #prefetch(long[], long[], int, int)}, for at most {@value RecordPrefetch#VERTICES} single vertices.
     *
     * @param expected ids, of which those from {@code from} to before {@code to} are meant
     */
    public void prefetch(long[] expected, int from, int to) {
        prefetch.fetch(records, stride, index, expected, from, to);
    }

    /**
     * Like {@link #prefetch(long[], int, int)}, for vertices that were in these slots at some time.
     *
     * @param expected slots or {@link #NO_SLOT}, of which those from {@code from} to before {@code to} are meant
     */
    public void prefetch(int[] expected, int from, int to) {
        prefetch.fetch(records, stride, expected, from, to);
    }

    /** Writes every changed vertex to the store; they stay in the table. */
    public void flush() {
        cache.writeAhead(0);
    }

    /**
     * Writes changed vertices to the store until at most so many are left that it has older bytes of; they stay in the
     * table. It goes round the table and begins where it ended last, so that each has its turn.
     *
     * @param maxDirty at least 0
     */
    public void writeAhead(int maxDirty) {
        cache.writeAhead(maxDirty);
    }

    /** Counts an edge at the vertex: one for each end, so two for a self-loop. */
    public void countEdge(int slot) {
        countEdges(slot, 1);
    }

    /** Counts many edges at the vertex; a negative number of them down. */
    public void countEdges(int slot, int count) {
        int at = slot * stride + VertexLayout.HEADER;
        records[at] = recounted(records[at]) + count;
    }

    /** The vertex loses one of its edges: counts it down once for each end. */
    public void uncountEdge(int slot) {
        countEdges(slot, -1);
    }

    /**
     * Counts an edge of the vertex on a partition, or one less. Only in a layout that has counts.
     *
     * @param change 1 or −1
     * @return how many there are now
     * @throws IllegalStateException if there were none to take one from, or 2³² − 1
     */
    public long countAt(int slot, int partition, int change) {
        int base = slot * stride;
        long count = layout.count(records, base, partition) + change;
        if (count >>> Integer.SIZE != 0) {
            throw new IllegalStateException("vertex %d has %d edges on partition %d; 0 to 4294967295 can be counted"
                    .formatted(vertex(slot), count, partition));
        }
        layout.setCount(records, base, partition, count);
        touch(base);
        return count;
    }

    /**
     * Removes the replica of a vertex on a partition. If that was its master, the partition with most of its edges
     * becomes the master, the lowest of them on ties; so the layout must have counts.
     *
     * @param loads counts the replica down
     */
    public void removeReplica(int slot, int partition, PartitionLoads loads) {
        int base = slot * stride;
        records[base + replicasAt + (partition >>> 6)] &= ~(1L << partition);
        records[base + VertexLayout.HEADER] = touched(records[base + VertexLayout.HEADER]) | VertexHeader.UNPUBLISHED;
        if (master(slot) == partition) {
            setMaster(slot, fullest(slot));
        }
        loads.removeReplica(partition, master(slot) == NO_MASTER);
    }

    /** Returns the partition with most edges of the vertex; {@link #NO_MASTER} if it has no replica. */
    int fullest(int slot) {
        int fullest = NO_MASTER;
        for (int word = 0; word < replicaWords; word++) {
            for (long bits = records[slot * stride + replicasAt + word]; bits != 0; bits &= bits - 1) {
                int partition = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (fullest == NO_MASTER || edgesAt(slot, partition) > edgesAt(slot, fullest)) {
                    fullest = partition;
                }
            }
        }
        return fullest;
    }

    /** Makes another partition the master; @param partition where the vertex is, or {@link #NO_MASTER} */
    public void setMaster(int slot, int partition) {
        int at = slot * stride + VertexLayout.HEADER;
        records[at] = VertexHeader.withMaster(touched(records[at]), partition) | VertexHeader.UNPUBLISHED;
    }

    /**
     * Removes a vertex without edges and replicas: empties its record, which leaves the table and the store when it is
     * written next. Its slot stays valid until the next one is requested.
     */
    public void forget(int slot) {
        int base = slot * stride;
        long header = touched(records[base + VertexLayout.HEADER]);
        Arrays.fill(records, base + VertexLayout.HEADER + 1, base + stride, 0);
        records[base + VertexLayout.HEADER] = header & ~VertexHeader.plain(header) | VertexHeader.EMPTIED;
        if (!cache.hasStore() && VertexHeader.is(VertexHeader.UNPUBLISHED, header)) { // nothing is ever written
            listener.changed(this, slot, true);
        }
        cache.forget(slot);
    }

    /**
     * Hides partitions from the rules: {@link #hasReplica}, {@link #replicaWord} and {@link #home} answer as if there
     * were partitions 0 to {@code open} − 1 only.
     *
     * @param open 1 to k
     */
    public void restrictTo(int open) {
        open(open);
    }

    /** Appends the vertex in a slot to a batch. */
    public void appendTo(VertexBatch into, int slot) {
        VertexCodec.append(into, layout, records, slot * stride);
    }

    /** Vertices in the table now. */
    public int size() {
        return cache.size();
    }

    /**
     * Returns the number of vertices in the table and the store; removed ones count until their records are deleted.
     */
    public long vertexCount() {
        return cache.vertexCount();
    }

    /** Vertices in the table that the store has older bytes of. */
    public int dirtyCount() {
        return dirtyCount;
    }

    /** Bytes that the table occupies. */
    public long bytes() {
        return (long) records.length * Long.BYTES + index.bytes();
    }

    /** Mean size of a vertex's bytes as this table wrote them to the store; 0 before the first. */
    public double storedBytesPerVertex() {
        return cache.storedBytesPerVertex();
    }

    /** Vertices that were asked for and were here. */
    public long hits() {
        return hits;
    }

    /** Returns how many vertices have left the table; while none leaves, all keep their slots. */
    public long departures() {
        return cache.departures();
    }

    /** Vertices that were asked for and were not here: to be read from the store, or new. */
    public long misses() {
        return cache.misses();
    }
}
