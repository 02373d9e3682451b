package io.cutwater.trainer.sync;

import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.linked.GraphReader;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RemoteRow;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.InputRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the features of sampled vertices: those that the shard has, those in the cache, and the others at their homes.
 * Rows are sparse if those of all shards are. Used by one thread.
 */
final class SampledFeatures {
    private final LinkedShard shard;
    private final Features own;
    private final GraphReader reader;
    private final RowCache cache;
    private final BufferPool buffers;
    private long avoided;

    SampledFeatures(LinkedShard shard, GraphReader reader, RowCache cache, BufferPool buffers) {
        this.shard = shard;
        own = shard.store().features();
        this.reader = reader;
        this.cache = cache;
        this.buffers = buffers;
    }

    /** Returns how many of the vertices the shard has. */
    long localRows(long[] vertices) {
        return Arrays.stream(vertices)
                .filter(vertex -> shard.localOf(vertex) >= 0)
                .count();
    }

    /** Returns the bytes of rows that were in the cache, since the last call. */
    long takeAvoided() {
        long taken = avoided;
        avoided = 0;
        return taken;
    }

    /** Returns the rows of vertices, in order. */
    InputRows read(long[] vertices) throws IOException, InterruptedException {
        @Nullable RemoteRow[] others = rowsOfOthers(vertices);
        return shard.areRowsSparse() ? sparse(vertices, others) : dense(vertices, others);
    }

    /** Returns the rows of the vertices that the shard does not have; null for its own. */
    private @Nullable RemoteRow[] rowsOfOthers(long[] vertices) throws IOException, InterruptedException {
        @Nullable RemoteRow[] rows = new RemoteRow[vertices.length];
        int[] missing = new int[vertices.length];
        long[] wanted = new long[vertices.length];
        int count = 0;
        for (int i = 0; i < vertices.length; i++) {
            if (shard.localOf(vertices[i]) >= 0) {
                continue;
            }
            RemoteRow known = cache.find(vertices[i]);
            if (known == null) {
                wanted[count] = vertices[i];
                missing[count++] = i;
            } else {
                rows[i] = known;
                avoided += known.bytes();
            }
        }
        RemoteRow[] read = reader.features(wanted, count);
        for (int i = 0; i < count; i++) {
            rows[missing[i]] = read[i];
            cache.put(wanted[i], read[i]);
        }
        return rows;
    }

    private InputRows dense(long[] vertices, @Nullable RemoteRow[] others) {
        int columns = own.columns();
        ByteBuffer bytes = buffers.take((long) vertices.length * columns * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = 0; row < vertices.length; row++) {
            RemoteRow other = others[row];
            if (other != null && other.isDense()) {
                values.put(other.values());
            } else if (other == null && own instanceof DenseFeatures dense) {
                dense.copyRow(shard.localOf(vertices[row]), values);
            } else {
                putSparse(other, vertices[row], columns, values);
            }
        }
        return new InputRows.Dense(vertices.length, columns, bytes);
    }

    private void putSparse(@Nullable RemoteRow other, long vertex, int columns, FloatBuffer into) {
        int begin = into.position();
        for (int column = 0; column < columns; column++) {
            into.put(0);
        }
        if (other == null) {
            SparseFeatures from = (SparseFeatures) own;
            int local = shard.localOf(vertex);
            for (long at = from.begin(local); at < from.begin(local + 1); at++) {
                into.put(begin + from.column(at), from.value(at));
            }
            return;
        }
        for (int i = 0; i < other.columns().length; i++) {
            into.put(begin + other.columns()[i], other.values()[i]);
        }
    }

    private InputRows sparse(long[] vertices, @Nullable RemoteRow[] others) {
        SparseFeatures from = (SparseFeatures) own;
        int[] offsets = new int[vertices.length + 1];
        for (int row = 0; row < vertices.length; row++) {
            RemoteRow other = others[row];
            int local = other == null ? shard.localOf(vertices[row]) : 0;
            int size = other == null ? (int) (from.begin(local + 1) - from.begin(local)) : other.values().length;
            offsets[row + 1] = Math.addExact(offsets[row], size);
        }
        int[] indices = new int[offsets[vertices.length]];
        float[] values = new float[indices.length];
        for (int row = 0; row < vertices.length; row++) {
            RemoteRow other = others[row];
            if (other != null) {
                System.arraycopy(other.columns(), 0, indices, offsets[row], other.columns().length);
                System.arraycopy(other.values(), 0, values, offsets[row], other.values().length);
                continue;
            }
            long begin = from.begin(shard.localOf(vertices[row])) - offsets[row];
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                indices[i] = from.column(begin + i);
                values[i] = from.value(begin + i);
            }
        }
        return new InputRows.Sparse(vertices.length, own.columns(), offsets, indices, values);
    }
}
