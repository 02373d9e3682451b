package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Encodes and decodes many edges: event format {@code batch} of topic {@code edges}, and body of a shard record. It has
 * no checksum, because Kafka's record batches have one.
 *
 * <pre>
 *   offset  bytes  content, numbers little-endian
 *   0       1      version = 1; 2 if edges have keys
 *   1       1      flags: bit 0 = has weights, bit 1 = has timestamps, bit 2 = has removals, others 0
 *   2       4      n, number of edges, 0 to 2^31 − 1
 *   6       8 n    sources, signed 64-bit integers
 *           8 n    targets, signed 64-bit integers
 *           8 n    weights, IEEE 754 doubles, NaN = none; only with bit 0
 *           8 n    timestamps, signed 64-bit integers, −2^63 = none; only with bit 1
 *           ⌈n/8⌉  removals: bit i mod 8 of byte i / 8, the lowest bit first, the bits after
 *                  the last row 0; only with bit 2
 *           8 n    keys, signed 64-bit integers, −2^63 = none; only in version 2
 * </pre>
 *
 * Batches without removals are encoded as before removals existed, so the version is the same; older programs reject
 * the flag of the others. Batches without keys have version 1.
 */
public final class EdgeBatchCodec {
    static final int VERSION = 1;
    static final int WITH_KEYS = 2;

    private static final int HAS_WEIGHTS = 1;
    private static final int HAS_TIMESTAMPS = 2;
    private static final int HAS_REMOVALS = 4;
    private static final int HEADER_BYTES = 6;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ORDER);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ORDER);
    private static final VarHandle DOUBLES = MethodHandles.byteArrayViewVarHandle(double[].class, ORDER);

    private EdgeBatchCodec() {}

    static byte[] encode(EdgeBatch batch) {
        return encode(batch, 0, batch.size());
    }

    /**
     * Encodes the edges {@code from} to {@code to} (exclusive) of the batch, without rejected records.
     *
     * @throws IllegalArgumentException if the edges take more than an array can hold (2 GiB)
     */
    public static byte[] encode(EdgeBatch batch, int from, int to) {
        byte[] bytes = new byte[encodedLength(batch, from, to)];
        encode(batch, from, to, bytes, 0);
        return bytes;
    }

    /** Appends the edges to the batch; on an exception nothing is appended. */
    public static void decode(byte[] bytes, EdgeBatch into) {
        decode(bytes, 0, bytes.length, into);
    }

    /**
     * Appends the edges encoded in {@code length} bytes from {@code offset}; on an exception nothing is appended.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one edge batch of a known version
     */
    public static void decode(byte[] bytes, int offset, int length, EdgeBatch into) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int flags = checkHeader(bytes, offset, length);
        int count = (int) INTS.get(bytes, offset + 2);
        into.ensureCapacity(Math.addExact(into.size(), count));
        int sources = offset + HEADER_BYTES;
        int targets = sources + Long.BYTES * count;
        boolean hasKeys = bytes[offset] == WITH_KEYS;
        if (flags == 0 && !hasKeys) {
            for (int i = 0; i < count; i++) {
                int at = i * Long.BYTES;
                into.add((long) LONGS.get(bytes, sources + at), (long) LONGS.get(bytes, targets + at));
            }
            return;
        }
        int weights = targets + Long.BYTES * count;
        int timestamps = (flags & HAS_WEIGHTS) == 0 ? weights : weights + Long.BYTES * count;
        int before = into.size();
        for (int i = 0; i < count; i++) {
            int at = i * Long.BYTES;
            into.add(
                    (long) LONGS.get(bytes, sources + at),
                    (long) LONGS.get(bytes, targets + at),
                    (flags & HAS_WEIGHTS) == 0 ? Double.NaN : (double) DOUBLES.get(bytes, weights + at),
                    (flags & HAS_TIMESTAMPS) == 0 ? EdgeBatch.NO_TIMESTAMP : (long) LONGS.get(bytes, timestamps + at));
        }
        if ((flags & HAS_REMOVALS) != 0) {
            int removals = offset + length - keyBytes(hasKeys, count) - removalBytes(count);
            for (int i = 0; i < count; i++) {
                if ((bytes[removals + i / Byte.SIZE] >>> i % Byte.SIZE & 1) != 0) {
                    into.setRemoval(before + i);
                }
            }
        }
        for (int i = 0; hasKeys && i < count; i++) {
            into.setKey(before + i, (long) LONGS.get(bytes, offset + length - Long.BYTES * (count - i)));
        }
    }

    /** @throws IllegalArgumentException as {@link #decode(byte[], EdgeBatch)} does */
    static void check(byte[] bytes) {
        checkHeader(bytes, 0, bytes.length);
    }

    /** Returns whether the edges of a batch that passed {@link #check} have keys. */
    static boolean hasKeys(byte[] bytes) {
        return bytes[0] == WITH_KEYS;
    }

    /** Returns whether each edge of a batch that passed {@link #check} has a key. */
    static boolean hasKeyOfEachEdge(byte[] bytes) {
        int keys = bytes.length - keyBytes(hasKeys(bytes), edgeCount(bytes, 0));
        for (int at = keys; at < bytes.length; at += Long.BYTES) {
            if ((long) LONGS.get(bytes, at) == EdgeBatch.NO_KEY) {
                return false;
            }
        }
        return hasKeys(bytes) || edgeCount(bytes, 0) == 0;
    }

    /** Returns whether an edge batch that passed {@link #check} has a removal. */
    static boolean hasRemovals(byte[] bytes) {
        if ((bytes[1] & HAS_REMOVALS) == 0) {
            return false;
        }
        int count = edgeCount(bytes, 0);
        int end = bytes.length - keyBytes(bytes[0] == WITH_KEYS, count);
        for (int at = end - removalBytes(count); at < end; at++) {
            if (bytes[at] != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number of edges that the bytes from {@code offset} declare; 0 if the bytes are too few or malformed.
     */
    public static int edgeCount(byte[] bytes, int offset) {
        return bytes.length - offset < HEADER_BYTES ? 0 : Math.max(0, (int) INTS.get(bytes, offset + 2));
    }

    public static int encodedLength(EdgeBatch batch, int from, int to) {
        long length = encodedLength(flags(batch), batch.hasKeys(), (long) to - from);
        if (length > Integer.MAX_VALUE - Long.BYTES) {
            throw new IllegalArgumentException(
                    "an edge batch of %d edges takes %d bytes, more than an array can hold; encode fewer at once"
                            .formatted(to - from, length));
        }
        return (int) length;
    }

    public static void encode(EdgeBatch batch, int from, int to, byte[] bytes, int offset) {
        int count = to - from;
        bytes[offset] = (byte) (batch.hasKeys() ? WITH_KEYS : VERSION);
        bytes[offset + 1] = (byte) flags(batch);
        INTS.set(bytes, offset + 2, count);
        int at = offset + HEADER_BYTES;
        ByteBuffer columns = ByteBuffer.wrap(bytes, at, 2 * Long.BYTES * count).order(ORDER);
        columns.asLongBuffer().put(batch.sources(), from, count).put(batch.targets(), from, count);
        at += 2 * Long.BYTES * count;
        if (batch.hasWeights()) {
            for (int i = from; i < to; i++, at += Double.BYTES) {
                DOUBLES.set(bytes, at, batch.weight(i));
            }
        }
        if (batch.hasTimestamps()) {
            for (int i = from; i < to; i++, at += Long.BYTES) {
                LONGS.set(bytes, at, batch.timestamp(i));
            }
        }
        if (batch.hasRemovals()) {
            for (int i = 0; i < count; i++) {
                if (batch.isRemoval(from + i)) {
                    bytes[at + i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
                }
            }
            at += removalBytes(count);
        }
        for (int i = from; batch.hasKeys() && i < to; i++, at += Long.BYTES) {
            LONGS.set(bytes, at, batch.key(i));
        }
    }

    private static int checkHeader(byte[] bytes, int offset, int length) {
        if (length < HEADER_BYTES) {
            throw new IllegalArgumentException("an edge batch of %d bytes is truncated: its header alone takes %d"
                    .formatted(length, HEADER_BYTES));
        }
        boolean hasKeys = bytes[offset] == WITH_KEYS;
        if (bytes[offset] != VERSION && !hasKeys) {
            throw new IllegalArgumentException(
                    "edge batch version %d is not known; this program reads versions %d and %d"
                            .formatted(bytes[offset] & 0xFF, VERSION, WITH_KEYS));
        }
        int flags = bytes[offset + 1] & 0xFF;
        if ((flags & ~(HAS_WEIGHTS | HAS_TIMESTAMPS | HAS_REMOVALS)) != 0) {
            throw new IllegalArgumentException(
                    "edge batch flags 0x%02x are not known; this program reads 0x00 to 0x07".formatted(flags));
        }
        int count = (int) INTS.get(bytes, offset + 2);
        if (count < 0) {
            throw new IllegalArgumentException("an edge batch cannot have %d edges".formatted(count));
        }
        long expected = encodedLength(flags, hasKeys, count);
        if (length != expected) {
            throw new IllegalArgumentException("an edge batch of %d edges takes %d bytes, but there are %d: %s"
                    .formatted(
                            count, expected, length, length < expected ? "it is truncated" : "it has trailing bytes"));
        }
        if ((flags & HAS_REMOVALS) != 0
                && count % Byte.SIZE != 0
                && (bytes[offset + length - keyBytes(hasKeys, count) - 1] & 0xFF) >>> count % Byte.SIZE != 0) {
            throw new IllegalArgumentException(
                    "an edge batch of %d edges has more removals than edges".formatted(count));
        }
        return flags;
    }

    private static long encodedLength(int flags, boolean hasKeys, long count) {
        int columns = (hasKeys ? 3 : 2) + Integer.bitCount(flags & (HAS_WEIGHTS | HAS_TIMESTAMPS));
        return HEADER_BYTES
                + count * Long.BYTES * columns
                + ((flags & HAS_REMOVALS) == 0 ? 0 : (count + Byte.SIZE - 1) / Byte.SIZE);
    }

    private static int keyBytes(boolean hasKeys, int count) {
        return hasKeys ? Long.BYTES * count : 0;
    }

    private static int removalBytes(int count) {
        return (count + Byte.SIZE - 1) >>> 3;
    }

    private static int flags(EdgeBatch batch) {
        return (batch.hasWeights() ? HAS_WEIGHTS : 0)
                | (batch.hasTimestamps() ? HAS_TIMESTAMPS : 0)
                | (batch.hasRemovals() ? HAS_REMOVALS : 0);
    }
}
