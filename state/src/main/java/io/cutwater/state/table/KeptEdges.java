package io.cutwater.state.table;

import io.cutwater.state.graph.EdgeBatch;
import org.jspecify.annotations.Nullable;

/**
 * Every placed edge of the graph, so that it can be removed and moved. Of an edge partitioning there is a row under the
 * source, which says where each copy is. Of a vertex partitioning, where the owners of the ends say that, there is a
 * row under each end, so that all edges of a vertex are found there; a self-loop has one.
 *
 * <p>A new edge is written without a look at the store if the caller knows that there is none like it, because an end
 * has just got its first edge, or if a filter in memory does ({@link EdgeFilter}). The filter knows of no edge that was
 * there before it was made: over a store that is not empty it must be told of all of them, or there is none.
 */
public final class KeptEdges {
    private final AdjacencyStore store;
    private final boolean hasPlaces;
    private final @Nullable EdgeFilter filter;
    private final KeptRow row = new KeptRow();
    private double weight;
    private long timestamp;

    private KeptEdges(AdjacencyStore store, boolean hasPlaces, long filterBytes) {
        this.store = store;
        this.hasPlaces = hasPlaces;
        filter = filterBytes == 0 ? null : new EdgeFilter(filterBytes);
    }

    /**
     * The edges of an edge partitioning.
     *
     * @param filterBytes memory of the filter, 64 bytes to 1 GiB, ten bits for each edge to be of use; 0 for none
     */
    public static KeptEdges ofEdges(AdjacencyStore store, long filterBytes) {
        return new KeptEdges(store, true, filterBytes);
    }

    /** The edges of a vertex partitioning; the parameters are those of {@link #ofEdges}. */
    public static KeptEdges ofVertices(AdjacencyStore store, long filterBytes) {
        return new KeptEdges(store, false, filterBytes);
    }

    /** Tells the filter, if there is one, of an edge that the store had before. */
    public void restored(long source, long target) {
        if (filter != null) {
            filter.add(source, target);
        }
    }

    /** Whether edges are kept with their places: those of an edge partitioning. */
    public boolean hasPlaces() {
        return hasPlaces;
    }

    /**
     * Keeps one more copy of an edge, the latest.
     *
     * @param place its partition; {@link EdgeBatch#NO_PLACE} in a vertex partitioning
     * @param isNew whether it is known that there is no copy yet
     */
    public void add(long source, long target, int place, double weight, long timestamp, boolean isNew) {
        boolean isSurelyNew = isNew || filter != null && !filter.mayContain(source, target);
        if (isSurelyNew || !read(source, target)) {
            row.clear();
        }
        row.add(place, weight, timestamp);
        write(source, target);
        restored(source, target);
    }

    /**
     * Takes away the oldest copy of an edge; {@link #weight()} and {@link #timestamp()} then say what it had.
     *
     * @return its place; {@link EdgeBatch#NO_PLACE} in a vertex partitioning; {@link #NO_EDGE} if there is no copy
     */
    public int removeOldest(long source, long target) {
        if (!read(source, target)) {
            return NO_EDGE;
        }
        int place = row.place(0);
        take(0);
        row.remove(0);
        write(source, target);
        return place;
    }

    /** What {@link #removeOldest} returns where there is no such edge. */
    public static final int NO_EDGE = -2;

    /**
     * Gives the oldest copy of an edge that is on a partition another one; {@link #weight()} and {@link #timestamp()}
     * then say what it has. False if there is none.
     */
    public boolean move(long source, long target, int from, int to) {
        if (!read(source, target)) {
            return false;
        }
        for (int i = 0; i < row.size(); i++) {
            if (row.place(i) == from) {
                take(i);
                row.setPlace(i, to);
                write(source, target);
                return true;
            }
        }
        return false;
    }

    private void take(int copy) {
        weight = row.weight(copy);
        timestamp = row.timestamp(copy);
    }

    /** Of the copy that was removed or moved last; {@link Double#NaN} for none. */
    public double weight() {
        return weight;
    }

    /** Of the copy that was removed or moved last; {@link EdgeBatch#NO_TIMESTAMP} for none. */
    public long timestamp() {
        return timestamp;
    }

    /** Appends the edges that lead from a vertex, each copy, with their places if they have some. */
    public void outgoing(long vertex, EdgeBatch into) {
        store.forEach(vertex, (source, target, isOutgoing, bytes) -> {
            if (isOutgoing) {
                append(source, target, bytes, into);
            }
        });
    }

    /**
     * Shows the edges of a vertex of a vertex partitioning, those that lead from it and those that lead to it.
     *
     * @param chunk receives some thousand at a time
     * @param isFull told each time, and a last time; it must empty the chunk
     */
    public void forEach(long vertex, EdgeBatch chunk, Runnable isFull) {
        store.forEach(vertex, (at, neighbour, isOutgoing, bytes) -> {
            append(isOutgoing ? at : neighbour, isOutgoing ? neighbour : at, bytes, chunk);
            if (chunk.size() >= EdgeBatch.DEFAULT_CAPACITY) {
                isFull.run();
            }
        });
        isFull.run();
    }

    private void append(long source, long target, byte[] bytes, EdgeBatch into) {
        row.read(bytes);
        for (int i = 0; i < row.size(); i++) {
            into.add(source, target, row.weight(i), row.timestamp(i));
            if (hasPlaces) {
                into.setPlace(into.size() - 1, row.place(i));
            }
        }
    }

    private boolean read(long source, long target) {
        byte[] bytes = store.read(source, target, true);
        if (bytes == null) {
            return false;
        }
        row.read(bytes);
        return true;
    }

    private void write(long source, long target) {
        byte[] bytes = row.size() == 0 ? null : row.toBytes();
        store.write(source, target, true, bytes);
        if (!hasPlaces && source != target) {
            store.write(target, source, false, bytes);
        }
    }
}
