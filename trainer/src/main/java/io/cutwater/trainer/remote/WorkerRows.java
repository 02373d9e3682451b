package io.cutwater.trainer.remote;

import io.cutwater.trainer.linked.RemoteRow;
import io.cutwater.trainer.linked.RowCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of features that a worker has: those of the current group of mini-batches, and the ones used last before.
 * Worker and sampler each keep one, and do the same with it for the same groups in the same order; so the sampler knows
 * what the worker has, without a message. Used by one thread at a time.
 */
final class WorkerRows {
    private static final int UNLIMITED = 1 << 29;
    /** Stands for a row at the sampler, which only needs to know that the worker has it. */
    private static final RemoteRow PRESENT = new RemoteRow(new int[0], new float[0]);

    private final RowCache kept;
    private RowCache group = new RowCache(UNLIMITED);

    /** @param capacity rows to keep after a group */
    WorkerRows(int capacity) {
        kept = new RowCache(capacity);
    }

    /** Begins a group of mini-batches, in which no row is missing twice. */
    void beginGroup() {
        group = new RowCache(UNLIMITED);
    }

    /** Returns the row of a vertex; null if the worker does not have it. */
    @Nullable RemoteRow find(long vertex) {
        RemoteRow row = group.find(vertex);
        if (row == null) {
            row = kept.find(vertex);
            if (row != null) {
                group.put(vertex, row);
            }
        }
        return row;
    }

    void put(long vertex, RemoteRow row) {
        group.put(vertex, row);
        kept.put(vertex, row);
    }

    /**
     * Returns the vertices of each mini-batch of a group whose rows the worker does not have; from now on it has them.
     *
     * @param batches distinct vertices by mini-batch
     */
    List<long[]> missing(List<long[]> batches) {
        beginGroup();
        List<long[]> missing = new ArrayList<>();
        for (long[] vertices : batches) {
            long[] absent = new long[vertices.length];
            int count = 0;
            for (long vertex : vertices) {
                if (find(vertex) == null) {
                    put(vertex, PRESENT);
                    absent[count++] = vertex;
                }
            }
            missing.add(Arrays.copyOf(absent, count));
        }
        return missing;
    }
}
