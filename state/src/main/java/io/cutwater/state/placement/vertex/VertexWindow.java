package io.cutwater.state.placement.vertex;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.placement.EdgeBuffer;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The edges that wait for the owner of an end, and the vertices that have none, each with its edges. The vertex with
 * the most of them is known; of several the one whose oldest edge came first, the smaller id on ties.
 *
 * <p>A vertex has a slot in the columns, found by {@link SlotIndex}. {@code heap} is a binary heap of slots, the vertex
 * with the most edges first; {@code heapAt} says where in it a slot is. A vertex gets more edges until it is taken with
 * all of them; now and then one is removed.
 */
final class VertexWindow {
    private static final int FIRST_CAPACITY = 16;

    private final EdgeBuffer edges = new EdgeBuffer();
    private final SlotIndex index = new SlotIndex(1, FIRST_CAPACITY);
    private long[] vertices = new long[FIRST_CAPACITY];
    private int[] firstEdges = new int[FIRST_CAPACITY];
    private int[] lastEdges = new int[FIRST_CAPACITY];
    private int[] counts = new int[FIRST_CAPACITY];
    private int[] heap = new int[FIRST_CAPACITY];
    private int[] heapAt = new int[FIRST_CAPACITY];
    private int[] freed = new int[FIRST_CAPACITY];
    private int freedCount;
    private int usedSlots;
    private int size;

    /**
     * Lets edge {@code i} of a batch wait at those of its ends that have no owner.
     *
     * @param atSource whether the source has none; {@code atTarget} likewise, and one of them at least is true
     */
    void add(EdgeBatch batch, int i, boolean atSource, boolean atTarget) {
        int edge = edges.add(batch, i);
        if (atSource) {
            append(batch.source(i), edge);
        }
        if (atTarget && batch.target(i) != batch.source(i)) {
            append(batch.target(i), edge);
        }
    }

    private void append(long vertex, int edge) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT) {
            slot = takeSlot();
            vertices[slot] = vertex;
            firstEdges[slot] = edge;
            counts[slot] = 0;
            index.insert(vertex, slot);
            heap[size] = slot;
            heapAt[slot] = size++;
        } else {
            edges.chain(lastEdges[slot], edge, vertex);
        }
        lastEdges[slot] = edge;
        counts[slot]++;
        rise(slot);
    }

    private int takeSlot() {
        if (freedCount > 0) {
            return freed[--freedCount];
        }
        if (usedSlots == vertices.length) {
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
        return usedSlots++;
    }

    /** Whether a slot comes before another in the heap. */
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

    /** Whether no vertex waits, and so no edge. */
    boolean isEmpty() {
        return size == 0;
    }

    /** The vertex with the most edges. */
    long fullest() {
        return vertices[heap[0]];
    }

    /** The first edge that waits at a vertex, or {@link EdgeBuffer#NONE} if none does. */
    int firstEdge(long vertex) {
        int slot = index.find(vertex, vertices);
        return slot == VertexTable.NO_SLOT ? EdgeBuffer.NONE : firstEdges[slot];
    }

    /** The oldest copy of an edge that waits, or {@link EdgeBuffer#NONE}. */
    int find(long source, long target) {
        int atSource = firstEdge(source);
        int atTarget = firstEdge(target);
        if (atSource == EdgeBuffer.NONE) {
            return edges.find(source, target, atTarget, target, atTarget, target);
        }
        return atTarget == EdgeBuffer.NONE
                ? edges.find(source, target, atSource, source, atSource, source)
                : edges.find(source, target, atSource, source, atTarget, target);
    }

    /** Takes out an edge that waits, at those of its ends that have no owner. */
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
        if (slot == VertexTable.NO_SLOT) {
            return; // it has its owner
        }
        if (counts[slot] == 1) {
            remove(vertex);
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
        sink(slot);
    }

    /** Takes out a vertex that waits; its edges stay until each of them is {@linkplain EdgeBuffer#free freed}. */
    void remove(long vertex) {
        int slot = index.find(vertex, vertices);
        index.remove(vertex, vertices);
        freed[freedCount++] = slot;
        int last = heap[--size];
        if (last != slot) {
            put(last, heapAt[slot]);
            rise(last);
            sink(last);
        }
    }

    EdgeBuffer edges() {
        return edges;
    }
}
