package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All rows of kept edges of the vertices that were read last, in memory: for each a chunk as {@link RowChunkWriter}
 * makes it, to which new rows are appended. Its size is bounded; the vertex that leaves is chosen by CLOCK, with one
 * life for a vertex that was read again since the hand passed it.
 */
final class AdjacencyCache {
    private static final int MIN_SLOTS = 16;

    /** Bytes that a vertex takes besides its rows: object headers, columns and the index. */
    private static final int VERTEX_BYTES = 64;

    private final long maxBytes;
    private final int maxChunk;
    private final RowChunkWriter appended = new RowChunkWriter();
    private final SlotIndex index = new SlotIndex(1, MIN_SLOTS);
    private long[] vertices = new long[MIN_SLOTS];
    private byte[] @Nullable [] chunks = new byte[MIN_SLOTS][]; // null in a free slot
    private int[] lengths = new int[MIN_SLOTS]; // of the chunks, which may have room behind
    private long[] lastNeighbours = new long[MIN_SLOTS];
    private boolean[] wereRead = new boolean[MIN_SLOTS];
    private int[] freeSlots = new int[MIN_SLOTS];
    private int freeCount;
    private int usedSlots;
    private int hand;
    private long byteCount;

    /** @param maxBytes of all rows; a vertex with more than an eighth of it stays outside */
    AdjacencyCache(long maxBytes) {
        this.maxBytes = maxBytes;
        maxChunk = (int) Math.min(Integer.MAX_VALUE / 4, maxBytes / 8);
    }

    /** Begins to read the rows of a vertex; returns whether they are here. */
    boolean read(long vertex, RowChunkReader reader) {
        int slot = index.find(vertex, vertices);
        if (slot == SlotIndex.NO_SLOT) {
            return false;
        }
        wereRead[slot] = true;
        reader.start(vertex, chunk(slot), lengths[slot]);
        return true;
    }

    private byte[] chunk(int slot) {
        byte[] chunk = chunks[slot];
        if (chunk == null) {
            throw new IllegalStateException("vertex %d has no rows in the cache".formatted(vertices[slot]));
        }
        return chunk;
    }

    /**
     * Takes all rows of a vertex that is not here, unless they are too many.
     *
     * @param lastNeighbour of the rows
     */
    void add(long vertex, byte[] chunk, long lastNeighbour) {
        if (chunk.length > maxChunk) {
            return;
        }
        makeRoom(chunk.length + VERTEX_BYTES);
        int slot = takeSlot();
        vertices[slot] = vertex;
        chunks[slot] = chunk;
        lengths[slot] = chunk.length;
        lastNeighbours[slot] = lastNeighbour;
        wereRead[slot] = false;
        index.insert(vertex, slot);
        byteCount += chunk.length + VERTEX_BYTES;
    }

    /** Appends a row to those of a vertex if they are here. */
    void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] row) {
        int slot = index.find(vertex, vertices);
        if (slot == SlotIndex.NO_SLOT) {
            return;
        }
        appended.goOn(lastNeighbours[slot]);
        appended.add(neighbour, isOutgoing, number, row, 0, row.length);
        byte[] bytes = appended.toBytes();
        byte[] chunk = chunk(slot);
        int length = lengths[slot];
        if (chunk.length - length < bytes.length) {
            int capacity = Math.max(length + bytes.length, length + (length >> 1));
            if (capacity > maxChunk) {
                free(slot);
                return;
            }
            byteCount += capacity - chunk.length;
            chunk = Arrays.copyOf(chunk, capacity);
            chunks[slot] = chunk;
        }
        System.arraycopy(bytes, 0, chunk, length, bytes.length);
        lengths[slot] = length + bytes.length;
        lastNeighbours[slot] = neighbour;
        makeRoom(0);
    }

    /** Drops the rows of a vertex if they are here. */
    void remove(long vertex) {
        int slot = index.find(vertex, vertices);
        if (slot != SlotIndex.NO_SLOT) {
            free(slot);
        }
    }

    /** Drops vertices until there is room for so many bytes. */
    private void makeRoom(int bytes) {
        while (byteCount > maxBytes - bytes && freeCount < usedSlots) {
            int slot = hand;
            hand = slot + 1 == usedSlots ? 0 : slot + 1;
            if (chunks[slot] == null) {
                continue;
            }
            if (wereRead[slot]) {
                wereRead[slot] = false;
            } else {
                free(slot);
            }
        }
    }

    private void free(int slot) {
        byteCount -= chunk(slot).length + VERTEX_BYTES;
        index.remove(vertices[slot], vertices);
        chunks[slot] = null;
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
        }
        freeSlots[freeCount++] = slot;
    }

    private int takeSlot() {
        if (freeCount > 0) {
            return freeSlots[--freeCount];
        }
        if (usedSlots == vertices.length) {
            int slots = Math.multiplyExact(2, usedSlots);
            vertices = Arrays.copyOf(vertices, slots);
            chunks = Arrays.copyOf(chunks, slots);
            lengths = Arrays.copyOf(lengths, slots);
            lastNeighbours = Arrays.copyOf(lastNeighbours, slots);
            wereRead = Arrays.copyOf(wereRead, slots);
            index.grow(slots, usedSlots, vertices);
        }
        return usedSlots++;
    }
}
