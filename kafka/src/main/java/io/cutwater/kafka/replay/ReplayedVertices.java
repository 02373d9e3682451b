package io.cutwater.kafka.replay;

import io.cutwater.format.binary.LongSort;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;

/** The vertices of the edges of a shard, in ascending order, with degrees and owners. */
public final class ReplayedVertices {
    /** The owner of a vertex in an edge partitioning. */
    public static final int NO_OWNER = -1;

    private static final int MIN_ROWS = 64;
    private static final int STRIDE = 1;

    private final int shard;
    private final SlotIndex index = new SlotIndex(STRIDE, MIN_ROWS);
    private long[] vertices = new long[MIN_ROWS];
    private long[] degrees = new long[MIN_ROWS];
    private int[] owners = new int[MIN_ROWS];
    private int size;
    private int[] order = new int[0];

    /**
     * Creates an object without edges.
     *
     * @param shard from 0
     */
    public ReplayedVertices(int shard) {
        this.shard = shard;
    }

    /** @throws IllegalStateException as {@link #add} does */
    static ReplayedVertices of(ShardReplay replay) {
        ReplayedVertices vertices = new ReplayedVertices(replay.shard());
        replay.edges().forEachRow(vertices::add);
        vertices.sort();
        return vertices;
    }

    /**
     * Adds an edge.
     *
     * @param place owners of its endpoints, or {@link EdgeBatch#NO_PLACE}
     * @param copies at least 1
     * @throws IllegalStateException if edges name two owners of a vertex: a commit is torn
     */
    public void add(long source, long target, int place, int copies) {
        boolean hasOwners = place != EdgeBatch.NO_PLACE;
        add(source, hasOwners ? Place.ofSource(place) : NO_OWNER, copies);
        add(target, hasOwners ? Place.ofTarget(place) : NO_OWNER, copies);
    }

    /** Sorts the vertices, after all edges are added. */
    public void sort() {
        order = LongSort.order(size, vertices);
    }

    private void add(long vertex, int owner, int ends) {
        int row = index.find(vertex, vertices);
        if (row < 0) {
            row = insert(vertex, owner);
        }
        if (owners[row] != owner) {
            throw new IllegalStateException(
                    "in shard %d vertex %d has two owners, %d and %d: no commit is at this offset"
                            .formatted(shard, vertex, Math.min(owner, owners[row]), Math.max(owner, owners[row])));
        }
        degrees[row] += ends;
    }

    private int insert(long vertex, int owner) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            degrees = Arrays.copyOf(degrees, 2 * size);
            owners = Arrays.copyOf(owners, 2 * size);
            index.grow(vertices.length, size, vertices);
        }
        vertices[size] = vertex;
        owners[size] = owner;
        index.insert(vertex, size);
        return size++;
    }

    public int size() {
        return size;
    }

    /** Returns the row of a vertex, below {@link #size}, to keep other data by; negative if it is missing. */
    public int find(long vertex) {
        return index.find(vertex, vertices);
    }

    /** Returns the row of vertex {@code i}. */
    public int row(int i) {
        return order[i];
    }

    /** @param i from 0, in ascending order of the vertices */
    public long vertex(int i) {
        return vertices[order[i]];
    }

    /**
     * Returns the number of endpoints at vertex {@code i} of edges in the shard; a self-loop has two. In a vertex
     * partitioning this is the degree of a vertex that the shard owns; other shards have edges of other vertices, too.
     */
    public long degree(int i) {
        return degrees[order[i]];
    }

    /** Returns the owner of vertex {@code i}; {@link #NO_OWNER} in an edge partitioning. */
    public int owner(int i) {
        return owners[order[i]];
    }

    /** Returns whether the shard owns vertex {@code i}; false in an edge partitioning. */
    boolean isOwned(int i) {
        return owner(i) == shard;
    }
}
