package io.cutwater.kafka.shard;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Encodes and decodes the records of topic {@code shards} that set or remove data of vertices. Key and topic partition
 * are those of {@link ShardRecordCodec}. The value, numbers little-endian:
 *
 * <pre>
 *   offset  bytes  content
 *   0       1      version = 1
 *   1       1      kind: 9 = set data, in place of earlier data; 10 = remove data
 *   2       8      generation, 0: data belong to the vertex and not to a plan
 *   10      4      n, number of vertices
 *   14      8 n    vertices
 *           ...    with kind 9 only, for each vertex: the length of its data (4 bytes) and the data, as the binary
 *                  value of {@link VertexRecordCodec}
 * </pre>
 *
 * The last record of a vertex counts. Its data may come before its first edge, and be removed after its last; at the
 * end of every transaction a shard has data only of vertices that have an edge in it.
 */
public final class ShardVertexCodec {
    private static final int VERSION = 1;
    private static final int DATA = 9;
    private static final int GONE = 10;
    private static final long GENERATION = 0;
    private static final int HEADER_BYTES = 14;

    /** Receives the content of a record, vertex by vertex. */
    public interface Handler {
        /** The vertex has these data from now on. */
        void data(VertexRecord vertex);

        /** The shard no longer has data of the vertex. */
        void gone(long vertex);
    }

    private ShardVertexCodec() {}

    /** Returns whether the value of a shard record is about vertices; otherwise {@link ShardRecordCodec} decodes it. */
    public static boolean tellsOfVertices(byte[] value) {
        return value.length > 1 && value[0] == VERSION && (value[1] == DATA || value[1] == GONE);
    }

    /**
     * Encodes data of vertices.
     *
     * @param vertices at least as many as there are data
     * @param data of each vertex, as {@link VertexRecordCodec#value} makes them
     */
    public static byte[] data(long[] vertices, List<byte[]> data) {
        long length =
                data.stream().mapToLong(bytes -> Integer.BYTES + bytes.length).sum();
        ByteBuffer out = header(DATA, vertices, data.size(), length);
        for (byte[] bytes : data) {
            out.putInt(bytes.length).put(bytes);
        }
        return out.array();
    }

    /**
     * Encodes that the shard no longer has data of the first vertices.
     *
     * @param count their number, at most the length of the array
     */
    public static byte[] gone(long[] vertices, int count) {
        return header(GONE, vertices, count, 0).array();
    }

    private static ByteBuffer header(int kind, long[] vertices, int count, long further) {
        int length = Math.toIntExact(HEADER_BYTES + (long) Long.BYTES * count + further);
        ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) VERSION).put((byte) kind).putLong(GENERATION).putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(vertices[i]);
        }
        return out;
    }

    /**
     * Passes the vertices of a value to the handler, in order; on an exception none is passed.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one record about vertices
     */
    public static void decode(byte[] value, Handler handler) {
        if (value.length > 0 && value[0] != VERSION) {
            throw new IllegalArgumentException("shard record version %d is not known; this program reads version %d"
                    .formatted(value[0] & 0xFF, VERSION));
        }
        if (value.length > 1 && !tellsOfVertices(value)) {
            throw new IllegalArgumentException(
                    "a shard record of kind %d is not about vertices".formatted(value[1] & 0xFF));
        }
        ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        try {
            decode(in, handler);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "a shard record about vertices, of %d bytes, is truncated".formatted(value.length), e);
        }
    }

    private static void decode(ByteBuffer in, Handler handler) {
        in.get(); // the version
        int kind = in.get();
        in.getLong(); // the generation
        int count = in.getInt();
        if (count < 0) {
            throw new IllegalArgumentException("a shard record cannot be about %d vertices".formatted(count));
        }
        if (in.remaining() < (long) Long.BYTES * count) {
            throw new BufferUnderflowException(); // before an array of a false length is allocated
        }
        long[] vertices = new long[count];
        in.asLongBuffer().get(vertices);
        in.position(in.position() + Long.BYTES * count);
        int begin = in.position();
        for (int i = 0; kind == DATA && i < count; i++) {
            VertexRecordCodec.decodeValue(vertices[i], slice(in)); // checked, and not kept
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("%d bytes trail a shard record".formatted(in.remaining()));
        }
        in.position(begin);
        for (int i = 0; i < count; i++) {
            if (kind == DATA) {
                handler.data(VertexRecordCodec.decodeValue(vertices[i], slice(in)));
            } else {
                handler.gone(vertices[i]);
            }
        }
    }

    private static ByteBuffer slice(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer data = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        return data;
    }
}
