package io.cutwater.flink.operator;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import java.util.Arrays;
import org.apache.flink.api.common.state.MapState;

/**
 * Removals of edges with their positions, until an edge is found that each of them took away. Stored by the hash of the
 * ends: version (1 byte), then as varints source, target and position of each removal, in the order in which they came.
 */
final class RemovedEdges {
    private static final int VERSION = 1;
    private static final long SEED = 5;
    private static final int WIDTH = 3;

    private final MapState<Long, byte[]> state;
    private final VarintWriter out = new VarintWriter();
    private final VarintReader in = new VarintReader("the removals of an edge", IllegalStateException::new);
    private long[] rows = {};
    private int size;

    RemovedEdges(MapState<Long, byte[]> state) {
        this.state = state;
    }

    void add(long source, long target, long position) throws Exception {
        read(source, target);
        append(source, target, position);
        write(source, target);
    }

    /** Takes out the first removal after a position; returns whether there is one. */
    boolean takeAfter(long source, long target, long position) throws Exception {
        read(source, target);
        for (int i = 0; i < size; i += WIDTH) {
            if (rows[i] == source && rows[i + 1] == target && rows[i + 2] > position) {
                take(i);
                write(source, target);
                return true;
            }
        }
        return false;
    }

    /** Takes out the removal with a position, if it is still there; returns whether it was. */
    boolean take(long source, long target, long position) throws Exception {
        read(source, target);
        for (int i = 0; i < size; i += WIDTH) {
            if (rows[i + 2] == position) {
                take(i);
                write(source, target);
                return true;
            }
        }
        return false;
    }

    private void take(int i) {
        size -= WIDTH;
        System.arraycopy(rows, i + WIDTH, rows, i, size - i);
    }

    private void append(long source, long target, long position) {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, 2 * size + WIDTH);
        }
        rows[size++] = source;
        rows[size++] = target;
        rows[size++] = position;
    }

    private void read(long source, long target) throws Exception {
        size = 0;
        byte[] bytes = state.get(Hashing.mix64(SEED, source, target));
        if (bytes == null) {
            return;
        }
        in.start(bytes);
        int version = in.readByte();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "removals of an edge of version %d; this build reads %d".formatted(version, VERSION));
        }
        while (in.remaining() > 0) {
            append(in.read(), in.read(), in.read());
        }
    }

    private void write(long source, long target) throws Exception {
        long hash = Hashing.mix64(SEED, source, target);
        if (size == 0) {
            state.remove(hash);
            return;
        }
        out.truncate(0);
        out.writeByte(VERSION);
        for (int i = 0; i < size; i++) {
            out.write(rows[i]);
        }
        state.put(hash, out.toBytes());
    }
}
