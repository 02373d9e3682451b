package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of kept edges that are not in the state backend yet, in primitive columns: found by their key, and in the order
 * of the backend. A row without bytes is to be deleted. One that is not whole follows what the backend has of it.
 */
final class PendingRows {
    private static final int ABSENT = -1;
    private static final int DELETED = -1;
    private static final int MIN_BYTES = 1 << 16;

    private static final byte OUTGOING = 1;
    private static final byte WHOLE = 2;
    private static final byte REPLACES = 4;
    private static final byte MERGED = 8; // into an older row of the same key

    private final VertexBuckets buckets;
    private long[] vertices;
    private long[] neighbours;
    private int[] numbers;
    private byte[] flags;
    private int[] starts; // of a row's bytes in bytes
    private int[] lengths;
    private int size;

    /** Open addressing, at most half full: position of the row, + 1, and the upper half of its hash. */
    private long[] index;

    private final RowsByVertex byVertex = new RowsByVertex();
    private int replacing; // rows that replace what the backend has

    private int indexed; // of the rows, the first ones; appended rows wait until one is looked for
    private byte[] bytes = new byte[MIN_BYTES];
    private int byteCount;

    /** @param capacity rows it can hold before it grows, a power of two */
    PendingRows(VertexBuckets buckets, int capacity) {
        this.buckets = buckets;
        vertices = new long[capacity];
        neighbours = new long[capacity];
        numbers = new int[capacity];
        flags = new byte[capacity];
        starts = new int[capacity];
        lengths = new int[capacity];
        index = new long[2 * capacity];
    }

    int size() {
        return size;
    }

    /** Returns the bytes of all rows, replaced ones included. */
    int byteCount() {
        return byteCount;
    }

    /** Returns the position of a row, below {@link #size}; negative if it is absent. */
    int find(long vertex, long neighbour, boolean isOutgoing, int number) {
        indexAll();
        return position(index[place(vertex, neighbour, isOutgoing, number)]);
    }

    private static int position(long entry) {
        return (int) entry + ABSENT;
    }

    /** Returns a copy of the bytes of a row, null if it is to be deleted. */
    byte @Nullable [] row(int position) {
        return isDeleted(position)
                ? null
                : Arrays.copyOfRange(bytes, starts[position], starts[position] + lengths[position]);
    }

    boolean isDeleted(int position) {
        return lengths[position] == DELETED;
    }

    /** Returns whether the backend has nothing of the row that is still valid. */
    boolean isWhole(int position) {
        return (flags[position] & WHOLE) != 0;
    }

    /** The backend has nothing of the row. */
    void setWhole(int position) {
        flags[position] |= WHOLE;
    }

    /** Returns whether what the backend has of the row is to be deleted. */
    boolean replaces(int position) {
        return (flags[position] & REPLACES) != 0;
    }

    /** Returns whether what the backend has of any row is to be replaced or deleted. */
    boolean replacesAny() {
        return replacing > 0;
    }

    /** Returns the positions of the rows of a vertex, in the order in which they came. */
    int[] rowsOf(long vertex) {
        return byVertex.of(vertex, vertices, size);
    }

    long vertex(int position) {
        return vertices[position];
    }

    long neighbour(int position) {
        return neighbours[position];
    }

    int number(int position) {
        return numbers[position];
    }

    boolean isOutgoing(int position) {
        return (flags[position] & OUTGOING) != 0;
    }

    /** Appends a row to a chunk. */
    void copyTo(RowChunkWriter out, int position) {
        out.add(
                neighbours[position],
                isOutgoing(position),
                numbers[position],
                bytes,
                starts[position],
                lengths[position]);
    }

    /**
     * Adds or replaces a row.
     *
     * @param row null to delete it
     */
    void put(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
        int position = find(vertex, neighbour, isOutgoing, number);
        if (position == ABSENT) {
            position = add(vertex, neighbour, isOutgoing, number, WHOLE | REPLACES);
            replacing++;
        } else if (!isWhole(position)) {
            flags[position] |= WHOLE | REPLACES;
            replacing++;
        }
        put(position, row);
    }

    /** Appends bytes to a row that the backend, or this, may have. */
    void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] appended) {
        put(add(vertex, neighbour, isOutgoing, number, 0), appended);
    }

    private int add(long vertex, long neighbour, boolean isOutgoing, int number, int flag) {
        if (size == vertices.length) {
            grow();
        }
        vertices[size] = vertex;
        neighbours[size] = neighbour;
        numbers[size] = number;
        flags[size] = (byte) ((isOutgoing ? OUTGOING : 0) | flag);
        return size++;
    }

    private void put(int position, byte @Nullable [] row) {
        if (row == null) {
            lengths[position] = DELETED;
            return;
        }
        starts[position] = byteCount;
        lengths[position] = row.length;
        addBytes(row, 0, row.length);
    }

    private void addBytes(byte[] from, int start, int length) {
        if (bytes.length - byteCount < length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(byteCount, length)));
        }
        System.arraycopy(from, start, bytes, byteCount, length);
        byteCount += length;
    }

    private static long hash(long vertex, long neighbour, boolean isOutgoing, int number) {
        return Hashing.mix64((long) number << 1 | (isOutgoing ? 1 : 0), vertex, neighbour);
    }

    private int place(long vertex, long neighbour, boolean isOutgoing, int number) {
        return place(hash(vertex, neighbour, isOutgoing, number), vertex, neighbour, isOutgoing, number);
    }

    private int place(long hash, long vertex, long neighbour, boolean isOutgoing, int number) {
        int mask = index.length - 1;
        int place = (int) hash & mask;
        while (index[place] != 0
                && !(index[place] >>> Integer.SIZE == hash >>> Integer.SIZE
                        && is(position(index[place]), vertex, neighbour, isOutgoing, number))) {
            place = place + 1 & mask;
        }
        return place;
    }

    /**
     * Adds all rows to the index; one whose key is there already is joined to the row that has it, behind its bytes.
     */
    private void indexAll() {
        for (int i = indexed; i < size; i++) {
            if ((flags[i] & MERGED) != 0) {
                continue;
            }
            long hash = hash(vertices[i], neighbours[i], isOutgoing(i), numbers[i]);
            int place = place(hash, vertices[i], neighbours[i], isOutgoing(i), numbers[i]);
            if (index[place] == 0) {
                index[place] = hash & -1L << Integer.SIZE | i + 1;
            } else {
                append(position(index[place]), i);
                lengths[i] = DELETED;
                flags[i] |= MERGED;
            }
        }
        indexed = size;
    }

    private void append(int to, int appended) {
        int start = starts[appended];
        int length = lengths[appended];
        if (!isDeleted(to)) {
            start = byteCount;
            addBytes(bytes, starts[to], lengths[to]);
            addBytes(bytes, starts[appended], lengths[appended]);
            length += lengths[to];
        }
        starts[to] = start;
        lengths[to] = length;
    }

    private boolean is(int position, long vertex, long neighbour, boolean isOutgoing, int number) {
        return neighbours[position] == neighbour
                && vertices[position] == vertex
                && isOutgoing(position) == isOutgoing
                && numbers[position] == number;
    }

    private void grow() {
        int capacity = Math.multiplyExact(2, vertices.length);
        vertices = Arrays.copyOf(vertices, capacity);
        neighbours = Arrays.copyOf(neighbours, capacity);
        numbers = Arrays.copyOf(numbers, capacity);
        flags = Arrays.copyOf(flags, capacity);
        starts = Arrays.copyOf(starts, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        index = new long[Math.multiplyExact(2, capacity)];
        indexed = 0;
    }

    private int place(int position) {
        return place(vertices[position], neighbours[position], isOutgoing(position), numbers[position]);
    }

    /** Returns the positions of all rows: those of a vertex together, vertices in the order of the state backend. */
    int[] inStoreOrder() {
        // Only the distinct vertices are sorted.
        long[] distinct = new long[size];
        int[] vertexOf = new int[size];
        int[] rowCounts = new int[size];
        int vertexCount = 0;
        int mask = Integer.highestOneBit(Math.max(1, size)) * 4 - 1;
        int[] ordinals = new int[mask + 1]; // open addressing: place in distinct, + 1
        for (int i = 0; i < size; i++) {
            int place = (int) Hashing.mix64(vertices[i]) & mask;
            while (ordinals[place] != 0 && distinct[ordinals[place] - 1] != vertices[i]) {
                place = place + 1 & mask;
            }
            if (ordinals[place] == 0) {
                distinct[vertexCount] = vertices[i];
                ordinals[place] = ++vertexCount;
            }
            vertexOf[i] = ordinals[place] - 1;
            rowCounts[vertexOf[i]]++;
        }
        int[] next = new int[vertexCount];
        int rows = 0;
        for (int vertex : buckets.inStoreOrder(distinct, vertexCount)) {
            next[vertex] = rows;
            rows += rowCounts[vertex];
        }
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[next[vertexOf[i]]++] = i;
        }
        return order;
    }

    /** Removes all rows and keeps the memory. */
    void clear() {
        if (indexed < index.length / Long.SIZE) {
            // The latest first: no other row is found behind it.
            for (int i = indexed - 1; i >= 0; i--) {
                if ((flags[i] & MERGED) == 0) {
                    index[place(i)] = 0;
                }
            }
        } else {
            Arrays.fill(index, 0);
        }
        byVertex.clear(vertices);
        indexed = 0;
        replacing = 0;
        size = 0;
        byteCount = 0;
    }
}
