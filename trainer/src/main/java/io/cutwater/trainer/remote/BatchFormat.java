package io.cutwater.trainer.remote;

import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Questions of workers to samplers, and the answers. Little-endian. A question has a kind (1 byte) and fields:
 *
 * <ul>
 *   <li>{@link #OPEN}. The answer has the endpoints of edges in the shard (8), the mean bytes of a row of features (8),
 *       the training vertices of its mini-batches (4), its home vertices (4), its own vertices (4), and of each of
 *       these the class (4) and the split (1).
 *   <li>{@link #GROUP}: number of the group, from 0 (8), rows that the worker keeps (4), random seed (8), number of
 *       shards (4), and for each shard, ascending, its number (4), the number of seeds (4), and their positions among
 *       its training vertices (4 each). The answer has for each shard the seed of the random draws (8), bytes read from
 *       other samplers, avoided, and read in their files (8 each), the four numbers of the locality (8 each), the
 *       number of hops (1), the hops, the labels (4 each), the addresses of the vertices of all inputs (8 each), and as
 *       inputs the rows of those that the worker does not have, see {@link WorkerRows}.
 *   <li>{@link #LAYER}: layer (4), first position (4). The answer has the bytes read from other samplers (8), those
 *       read in their files (8), a hop, and inputs.
 *   <li>{@link #KEEP}: layer (4), first position (4), rows (4 per value). The answer is empty.
 * </ul>
 *
 * <p>A hop has the numbers of targets, edges and sources (4 each), the edges of each target, the source of each edge,
 * the neighbours of each target, and the degree of each source (4 each). Inputs have a kind (1), rows and columns (4
 * each), and dense rows (4 per value), or the number of values (4), the values of each row (4), all columns and all
 * values (4 each).
 */
final class BatchFormat {
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final byte OPEN = 1;
    static final byte GROUP = 2;
    static final byte LAYER = 3;
    static final byte KEEP = 4;

    private static final byte DENSE = 0;
    private static final byte SPARSE = 1;

    private BatchFormat() {}

    /**
     * Returns an empty buffer.
     *
     * @throws IllegalArgumentException if it cannot have this size; the message is meant for users
     */
    static ByteBuffer buffer(long bytes) {
        if (bytes > Integer.MAX_VALUE - 64) {
            throw new IllegalArgumentException(
                    "a mini-batch of %,d bytes is too large to send; use smaller fan-outs or mini-batches"
                            .formatted(bytes));
        }
        return ByteBuffer.allocate((int) bytes).order(ORDER);
    }

    /** Reads a part of an answer. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ByteBuffer in) throws IOException;
    }

    /**
     * Reads an answer to its end.
     *
     * @throws IOException if it has another length; the message is meant for users
     */
    static <T> T read(ByteBuffer answer, Reader<T> reader) throws IOException {
        ByteBuffer in = answer.duplicate().order(ORDER);
        T read;
        try {
            read = reader.read(in);
        } catch (BufferUnderflowException e) {
            throw wrong(answer.remaining());
        }
        if (in.hasRemaining()) {
            throw wrong(answer.remaining());
        }
        return read;
    }

    private static IOException wrong(int bytes) {
        return new IOException(
                "a sampler answered with %d bytes that make no sense; run all processes with the same version"
                        .formatted(bytes));
    }

    static long bytes(Hop hop) {
        return (3L + 2L * hop.targetCount() + hop.edgeCount() + hop.sourceCount()) * Integer.BYTES;
    }

    static void put(Hop hop, ByteBuffer out) {
        out.putInt(hop.targetCount()).putInt(hop.edgeCount()).putInt(hop.sourceCount());
        for (int target = 0; target < hop.targetCount(); target++) {
            out.putInt(hop.size(target));
        }
        put(hop.sources(), out);
        put(hop.listed(), out);
        put(hop.degrees(), out);
    }

    static Hop hop(ByteBuffer in) throws IOException {
        int targets = in.getInt();
        int edges = in.getInt();
        int sourceCount = in.getInt();
        int[] sizes = ints(in, targets);
        int[] offsets = new int[targets + 1];
        for (int target = 0; target < targets; target++) {
            offsets[target + 1] = offsets[target] + sizes[target];
            if (sizes[target] < 0 || offsets[target + 1] < offsets[target]) {
                throw wrong(in.limit());
            }
        }
        if (offsets[targets] != edges) {
            throw wrong(in.limit());
        }
        int[] sources = ints(in, edges);
        for (int source : sources) {
            if (source < 0 || source >= sourceCount) {
                throw wrong(in.limit());
            }
        }
        return new Hop(targets, offsets, sources, ints(in, targets), ints(in, sourceCount));
    }

    static long bytes(InputRows inputs) {
        long head = 1 + 2L * Integer.BYTES;
        if (inputs instanceof InputRows.Sparse sparse) {
            return head + (1L + sparse.rows() + 2L * sparse.values().length) * Integer.BYTES;
        }
        return head + (long) inputs.rows() * inputs.columns() * Float.BYTES;
    }

    /** @throws IllegalArgumentException if the rows are learned */
    static void put(InputRows inputs, ByteBuffer out) {
        if (inputs instanceof InputRows.Dense dense) {
            out.put(DENSE).putInt(dense.rows()).putInt(dense.columns());
            FloatBuffer values = dense.values()
                    .duplicate()
                    .order(ByteOrder.nativeOrder())
                    .rewind()
                    .asFloatBuffer();
            FloatBuffer to = out.asFloatBuffer();
            to.put(values);
            out.position(out.position() + to.position() * Float.BYTES);
        } else if (inputs instanceof InputRows.Sparse sparse) {
            out.put(SPARSE).putInt(sparse.rows()).putInt(sparse.columns()).putInt(sparse.values().length);
            for (int row = 0; row < sparse.rows(); row++) {
                out.putInt(sparse.offsets()[row + 1] - sparse.offsets()[row]);
            }
            put(sparse.indices(), out);
            put(sparse.values(), out);
        } else {
            throw new IllegalArgumentException("rows that are learned cannot be sent");
        }
    }

    static InputRows inputs(ByteBuffer in, BufferPool buffers) throws IOException {
        byte kind = in.get();
        int rows = in.getInt();
        int columns = in.getInt();
        if (kind == DENSE) {
            if (rows < 0 || columns < 0 || (long) rows * columns > in.remaining() / Float.BYTES) {
                throw wrong(in.limit());
            }
            long bytes = (long) rows * columns * Float.BYTES;
            ByteBuffer values = buffers.take(bytes);
            values.asFloatBuffer()
                    .put(in.slice(in.position(), (int) bytes).order(ORDER).asFloatBuffer());
            in.position(in.position() + (int) bytes);
            return new InputRows.Dense(rows, columns, values);
        }
        int count = in.getInt();
        int[] sizes = ints(in, rows);
        int[] offsets = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            if (sizes[row] < 0 || sizes[row] > count - offsets[row]) {
                throw wrong(in.limit());
            }
            offsets[row + 1] = offsets[row] + sizes[row];
        }
        if (offsets[rows] != count) {
            throw wrong(in.limit());
        }
        int[] indices = ints(in, count);
        for (int column : indices) {
            if (column < 0 || column >= columns) {
                throw wrong(in.limit());
            }
        }
        return new InputRows.Sparse(rows, columns, offsets, indices, floats(in, count));
    }

    static void put(int[] values, ByteBuffer out) {
        out.asIntBuffer().put(values);
        out.position(out.position() + values.length * Integer.BYTES);
    }

    static void put(long[] values, ByteBuffer out) {
        out.asLongBuffer().put(values);
        out.position(out.position() + values.length * Long.BYTES);
    }

    static void put(float[] values, ByteBuffer out) {
        out.asFloatBuffer().put(values);
        out.position(out.position() + values.length * Float.BYTES);
    }

    static int[] ints(ByteBuffer in, int count) throws IOException {
        if (count < 0 || count > in.remaining() / Integer.BYTES) {
            throw wrong(in.limit());
        }
        int[] values = new int[count];
        in.asIntBuffer().get(values);
        in.position(in.position() + count * Integer.BYTES);
        return values;
    }

    static long[] longs(ByteBuffer in, int count) throws IOException {
        if (count < 0 || count > in.remaining() / Long.BYTES) {
            throw wrong(in.limit());
        }
        long[] values = new long[count];
        in.asLongBuffer().get(values);
        in.position(in.position() + count * Long.BYTES);
        return values;
    }

    static float[] floats(ByteBuffer in, int count) throws IOException {
        if (count < 0 || count > in.remaining() / Float.BYTES) {
            throw wrong(in.limit());
        }
        float[] values = new float[count];
        in.asFloatBuffer().get(values);
        in.position(in.position() + count * Float.BYTES);
        return values;
    }
}
