package io.cutwater.deploy.bench.training;

import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.shard.ShardStore;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The formulas of the reference page on memory, for a process that has all shards of a training of GraphSAGE with two
 * layers. Sizes are upper bounds where they depend on what mini-batches read.
 *
 * @param hidden width of the hidden layer
 * @param classes number of classes
 * @param batchRows rows of the mini-batches of a step at most
 * @param rowCache bytes of rows of other shards that each shard keeps at most
 */
record MemoryFormula(List<ShardStore> stores, int hidden, int classes, long batchRows, long rowCache) {
    private static final double KEPT_BY_DROPOUT = 0.5;
    private static final int COLUMNS_AT_A_TIME = 256;
    private static final int BYTES_OF_KEPT_ROW = 80;
    private static final int BYTES_OF_ROW_AT_SAMPLER = 30;

    private long sum(ToLongFunction<ShardStore> bytes) {
        return stores.stream().mapToLong(bytes).sum();
    }

    private static long halo(ShardStore store) {
        return store.vertexCount() - store.ownedCount();
    }

    private static long bytesPerRow(ShardStore store) {
        boolean isSparse = store.features() instanceof SparseFeatures;
        return Math.max(1L, store.features().numbersPerRow()) * (isSparse ? Long.BYTES : Float.BYTES);
    }

    /** Returns the bytes of the mapped files of all shards. */
    long files() {
        return sum(store -> (8 + bytesPerRow(store)) * store.vertexCount() + 4 * store.neighbourCount());
    }

    /** Returns the heap of a worker that trains each shard on its own, with a sampling thread for each. */
    long local() {
        return sum(store -> 24L * store.vertexCount());
    }

    /** Returns the heap of a worker that trains on the full graph: while it builds all shards, or in an epoch. */
    long fullGraph() {
        return Math.max(sum(this::built), sum(this::inEpoch));
    }

    /** Two blocks of columns, and of the two inputs of own vertices the first one and twice the second one. */
    private long built(ShardStore store) {
        int columns = store.features().columns();
        return graph(store)
                + 2L * Float.BYTES * Math.min(COLUMNS_AT_A_TIME, columns) * store.vertexCount()
                + (2L * Float.BYTES + Long.BYTES) * columns * store.ownedCount();
    }

    private long inEpoch(ShardStore store) {
        long inputs = 2
                * (long) ((Float.BYTES + Long.BYTES * KEPT_BY_DROPOUT)
                        * store.features().columns());
        return graph(store) + (inputs + 16L * hidden) * store.ownedCount() + Float.BYTES * classes * halo(store);
    }

    private static long graph(ShardStore store) {
        return 32L * store.vertexCount() + 4 * store.neighbourCount();
    }

    private long links() {
        return sum(store -> 28L * store.vertexCount() + 20 * halo(store));
    }

    private long rows(ShardStore store) {
        long others = sum(ShardStore::ownedCount) - store.ownedCount() - halo(store);
        return Math.max(0, Math.min(others, rowCache / bytesPerRow(store)));
    }

    /** Returns the heap of a worker with mini-batches over the whole graph, if each shard has read all it can keep. */
    long sync() {
        return links() + sum(store -> rows(store) * (bytesPerRow(store) + BYTES_OF_KEPT_ROW));
    }

    /** Returns the heap of a sampler that makes these mini-batches, with the group of one step and its answer. */
    long sampler() {
        long rows = Math.min(sum(ShardStore::ownedCount), batchRows);
        return links()
                + 2 * rows * bytesPerRow(stores.get(0))
                + sum(store -> rows(store) * (bytesPerRow(store) + BYTES_OF_KEPT_ROW + BYTES_OF_ROW_AT_SAMPLER));
    }

    /** Returns the heap of a worker that gets these mini-batches. */
    long sampled() {
        long all = sum(ShardStore::ownedCount);
        return sum(store -> 5L * store.ownedCount()
                + Math.min(all, rowCache / bytesPerRow(store)) * (bytesPerRow(store) + BYTES_OF_KEPT_ROW));
    }
}
