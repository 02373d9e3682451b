package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The buffered edges, and the vertices whose place they await, each with a chain of its edges. The window may rank the
 * vertices: the one with the most edges is known; on ties the one whose oldest edge came first, then the smaller id.
 * Vertices that have a place, but edges that await that of the other endpoint, can be counted here too.
 *
 * <p>A vertex has a slot in the columns, found by {@link SlotIndex}. {@code heap} has the slots, in a binary heap with
 * the vertex with the most edges first once that is asked for; {@code heapAt} says where in it a slot is. A vertex gets
 * more edges until it is taken with all of them; now and then one is removed.
 */
final class EdgeWindow {
    private static final int FIRST_CAPACITY = 16;

    private final boolean isRanked;
    private final EdgeBuffer edges = new EdgeBuffer();
    private SlotIndex index = new SlotIndex(1, FIRST_CAPACITY);
    private long[] vertices = new long[FIRST_CAPACITY];
    private int[] firstEdges = new int[FIRST_CAPACITY]; // NONE for a vertex that has a place and is only counted
    private int[] lastEdges = new int[FIRST_CAPACITY];
    private int[] counts = new int[FIRST_CAPACITY];
    private int[] heap = new int[FIRST_CAPACITY];
    private int[] heapAt = new int[FIRST_CAPACITY];
    private int[] freed = new int[FIRST_CAPACITY];
    private int freedCount;
    private int usedSlots;
    private int size; // of the heap
    private boolean isOrdered; // whether it is a heap

    /** @param isRanked whether {@link #fullest} is asked for */
    EdgeWindow(boolean isRanked) {
        this.isRanked = isRanked;
    }

    /**
     * Lets edge {@code i} of a batch wait at those of its endpoints that have no place.
     *
     * @param atSource whether the source has none; {@code atTarget} likewise, and one of them at least is true
     * @return the edge
     */
    int add(EdgeBatch batch, int i, boolean atSource, boolean atTarget) {
        int edge = edges.add(batch, i);
        await(edge, atSource, atTarget);
        return edge;
    }

    /** Lets a buffered edge that is in no chain wait at endpoints. */
    void await(int edge, boolean atSource, boolean atTarget) {
        if (atSource) {
            append(edges.source(edge), edge);
        }
        if (atTarget && edges.target(edge) != edges.source(edge)) {
            append(edges.target(edge), edge);
        }
    }

    /** Forgets all vertices; only if they are not ranked. Their edges stay, in no chain. */
    void forgetVertices() {
        index = new SlotIndex(1, vertices.length);
        freedCount = 0;
        usedSlots = 0;
        edges.unchainAll();
    }

    private void append(long vertex, int edge) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT) {
            slot = takeSlot(vertex);
            firstEdges[slot] = edge;
            heap[size] = slot;
            heapAt[slot] = size;
            size += isRanked ? 1 : 0;
        } else {
            edges.chain(lastEdges[slot], edge, vertex);
        }
        lastEdges[slot] = edge;
        counts[slot]++;
        if (isOrdered) {
            rise(slot);
        }
    }

    private int takeSlot(long vertex) {
        int slot = freedCount > 0 ? freed[--freedCount] : usedSlots;
        if (slot == vertices.length) {
            int capacity = usedSlots + (usedSlots >> 1);
            vertices = Arrays.copyOf(vertices, capacity);
            firstEdges = Arrays.copyOf(firstEdges, capacity);
            lastEdges = Arrays.copyOf(lastEdges, capacity);
            counts = Arrays.copyOf(counts, capacity);
            heap = Arrays.copyOf(heap, capacity);
            heapAt = Arrays.copyOf(heapAt, capacity);
            freed = Arrays.copyOf(freed, capacity);
            index.grow(capacity, usedSlots, vertices); // no slot is free, so that all of them hold a vertex
        }
        usedSlots += slot == usedSlots ? 1 : 0;
        vertices[slot] = vertex;
        firstEdges[slot] = EdgeBuffer.NONE;
        counts[slot] = 0;
        index.insert(vertex, slot);
        return slot;
    }

    /**
     * Counts the edges that are buffered at a vertex that has a place.
     *
     * @param change 1, or −1 for an edge that is buffered no longer
     */
    void count(long vertex, int change) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT) {
            slot = takeSlot(vertex);
        }
        counts[slot] += change;
        if (counts[slot] == 0) {
            freeSlot(vertex, slot);
        }
    }

    /** Returns the number of edges that are buffered at a vertex. */
    int count(long vertex) {
        int slot = index.find(vertex, vertices);
        return slot == VertexTable.NO_SLOT ? 0 : counts[slot];
    }

    private void freeSlot(long vertex, int slot) {
        index.remove(vertex, vertices);
        freed[freedCount++] = slot;
    }

    /** Returns whether a slot comes before another in the heap. */
    private boolean isBefore(int one, int other) {
        if (counts[one] != counts[other]) {
            return counts[one] > counts[other];
        }
        long first = edges.number(firstEdges[one]);
        long otherFirst = edges.number(firstEdges[other]);
        return first < otherFirst || first == otherFirst && vertices[one] < vertices[other];
    }

    private void rise(int slot) {
        int at = heapAt[slot];
        while (at > 0 && isBefore(slot, heap[(at - 1) / 2])) {
            put(heap[(at - 1) / 2], at);
            at = (at - 1) / 2;
        }
        put(slot, at);
    }

    private void sink(int slot) {
        int at = heapAt[slot];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], slot)) {
                break;
            }
            put(heap[child], at);
            at = child;
        }
        put(slot, at);
    }

    private void put(int slot, int at) {
        heap[at] = slot;
        heapAt[slot] = at;
    }

    /** Returns the vertex without a place that has the most edges; only if the window ranks vertices and has edges. */
    long fullest() {
        if (!isOrdered) {
            for (int at = size / 2 - 1; at >= 0; at--) {
                sink(heap[at]);
            }
            isOrdered = true;
        }
        return vertices[heap[0]];
    }

    /** Keeps no order of the vertices until {@link #fullest} is asked for again. */
    void unrank() {
        isOrdered = false;
    }

    /** Returns the first edge that awaits a vertex's place, or {@link EdgeBuffer#NONE} if none does. */
    int firstEdge(long vertex) {
        int slot = index.find(vertex, vertices);
        return slot == VertexTable.NO_SLOT ? EdgeBuffer.NONE : firstEdges[slot];
    }

    /**
     * Returns the oldest copy of an edge, or {@link EdgeBuffer#NONE}.
     *
     * @param key of the copy; {@link EdgeBatch#NO_KEY} for any
     */
    int find(long source, long target, long key) {
        int atSource = firstEdge(source);
        int atTarget = firstEdge(target);
        if (atSource == EdgeBuffer.NONE) {
            return edges.find(source, target, key, atTarget, target, atTarget, target);
        }
        return atTarget == EdgeBuffer.NONE
                ? edges.find(source, target, key, atSource, source, atSource, source)
                : edges.find(source, target, key, atSource, source, atTarget, target);
    }

    /** Takes out an edge, at those of its endpoints whose place it awaits. */
    void removeEdge(int edge) {
        long source = edges.source(edge);
        long target = edges.target(edge);
        removeEdgeAt(source, edge);
        if (target != source) {
            removeEdgeAt(target, edge);
        }
        edges.free(edge);
    }

    private void removeEdgeAt(long vertex, int edge) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT || firstEdges[slot] == EdgeBuffer.NONE) {
            return; // it has a place
        }
        if (counts[slot] == 1) {
            take(vertex);
            return;
        }
        if (firstEdges[slot] == edge) {
            firstEdges[slot] = edges.next(edge, vertex);
        }
        if (lastEdges[slot] == edge) {
            lastEdges[slot] = edges.previous(edge, vertex);
        }
        edges.unchain(edge, vertex);
        counts[slot]--;
        if (isOrdered) {
            sink(slot);
        }
    }

    /**
     * Takes out a vertex that gets its place. Its edges stay until each of them is {@linkplain EdgeBuffer#free freed}.
     *
     * @return the first of them, or {@link EdgeBuffer#NONE} if there is none
     */
    int take(long vertex) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT || firstEdges[slot] == EdgeBuffer.NONE) {
            return EdgeBuffer.NONE;
        }
        freeSlot(vertex, slot);
        if (isRanked) {
            int last = heap[--size];
            if (last != slot) {
                put(last, heapAt[slot]);
            }
            if (last != slot && isOrdered) {
                rise(last);
                sink(last);
            }
        }
        return firstEdges[slot];
    }

    EdgeBuffer edges() {
        return edges;
    }
}
