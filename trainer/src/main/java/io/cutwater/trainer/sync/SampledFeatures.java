package io.cutwater.trainer.sync;

import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.InputRows;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * Reads the features of sampled vertices, those of other shards at their homes. Rows are sparse if those of all shards
 * are. Used by one thread.
 */
final class SampledFeatures {
    private final LinkedShards shards;
    private final int rank;
    private final RecentRows recent;
    private final BufferPool buffers;
    private final boolean isSparse;
    private long rows;
    private long localRows;
    private long sent;
    private long avoided;

    SampledFeatures(LinkedShards shards, int rank, RecentRows recent, BufferPool buffers) {
        this.shards = shards;
        this.rank = rank;
        this.recent = recent;
        this.buffers = buffers;
        isSparse = areSparse(shards);
    }

    private static boolean areSparse(LinkedShards shards) {
        for (int shard = 0; shard < shards.count(); shard++) {
            if (!(shards.store(shard).features() instanceof SparseFeatures)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the average bytes of a row. */
    static long bytesPerRow(Features features) {
        return Math.max(1L, features.numbersPerRow()) * (features instanceof SparseFeatures ? 8 : 4);
    }

    /** Returns the rows of the current vertices of a sampler, in order. */
    InputRows read(GraphSampler vertices) {
        int count = vertices.vertexCount();
        int columns = shards.store(rank).features().columns();
        if (isSparse) {
            return readSparse(vertices, count, columns);
        }
        ByteBuffer bytes = buffers.take((long) count * columns * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = 0; row < count; row++) {
            long replica = replica(vertices.vertex(row));
            count(vertices.vertex(row), (long) columns * Float.BYTES);
            Features features = shards.store(LinkedShards.shard(replica)).features();
            if (features instanceof DenseFeatures dense) {
                dense.copyRow(LinkedShards.local(replica), values);
            } else {
                copyRow((SparseFeatures) features, LinkedShards.local(replica), values);
            }
        }
        return new InputRows.Dense(count, columns, bytes);
    }

    /** Returns the own copy of a vertex if there is one, otherwise that at its home. */
    private long replica(long vertex) {
        int local = shards.localIn(rank, vertex);
        return local < 0 ? vertex : LinkedShards.address(rank, local);
    }

    private void count(long vertex, long bytes) {
        rows++;
        if (shards.localIn(rank, vertex) >= 0) {
            localRows++;
        } else if (recent.read(vertex)) {
            avoided += bytes;
        } else {
            sent += bytes + Long.BYTES + Integer.BYTES; // the vertex there, and its degree and row back
        }
    }

    private static void copyRow(SparseFeatures from, int row, FloatBuffer into) {
        int begin = into.position();
        for (int column = 0; column < from.columns(); column++) {
            into.put(0);
        }
        for (long at = from.begin(row); at < from.begin(row + 1); at++) {
            into.put(begin + from.column(at), from.value(at));
        }
    }

    private InputRows readSparse(GraphSampler vertices, int count, int columns) {
        int[] offsets = new int[count + 1];
        long[] replicas = new long[count];
        for (int row = 0; row < count; row++) {
            replicas[row] = replica(vertices.vertex(row));
            SparseFeatures from = features(replicas[row]);
            int local = LinkedShards.local(replicas[row]);
            int size = (int) (from.begin(local + 1) - from.begin(local));
            offsets[row + 1] = Math.addExact(offsets[row], size);
            count(vertices.vertex(row), (long) size * (Integer.BYTES + Float.BYTES));
        }
        int[] indices = new int[offsets[count]];
        float[] values = new float[offsets[count]];
        for (int row = 0; row < count; row++) {
            SparseFeatures from = features(replicas[row]);
            long begin = from.begin(LinkedShards.local(replicas[row])) - offsets[row];
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                indices[i] = from.column(begin + i);
                values[i] = from.value(begin + i);
            }
        }
        return new InputRows.Sparse(count, columns, offsets, indices, values);
    }

    private SparseFeatures features(long replica) {
        return (SparseFeatures) shards.store(LinkedShards.shard(replica)).features();
    }

    /** Returns the rows read so far. */
    long rows() {
        return rows;
    }

    /** Returns those of {@link #rows} that the own shard has. */
    long localRows() {
        return localRows;
    }

    /** Returns the bytes of rows of other shards so far. */
    long sent() {
        return sent;
    }

    /** Returns the bytes of rows of other shards that were read recently. */
    long avoided() {
        return avoided;
    }
}
