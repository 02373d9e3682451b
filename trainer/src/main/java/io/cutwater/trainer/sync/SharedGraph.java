package io.cutwater.trainer.sync;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a cut and what they share: each other's vertices, and the results of layers in tests. Thread-safe for
 * one thread per shard.
 */
final class SharedGraph {
    private final PartitioningKind kind;
    private final @Nullable ShardStore[] stores;
    private final WorkCounters[] counters;
    private final DenseFeatures[][] results;
    private volatile @Nullable LinkedShards linked;
    private volatile @Nullable SharedEmbeddings embeddings;
    private volatile Phaser layers;
    private volatile @Nullable String failure;

    SharedGraph(PartitioningKind kind, int shards) {
        this.kind = kind;
        stores = new ShardStore[shards];
        counters = new WorkCounters[shards];
        Arrays.setAll(counters, shard -> new WorkCounters());
        results = new DenseFeatures[shards][];
        layers = new Phaser(shards);
    }

    /** Adds a shard. */
    synchronized void add(ShardStore store) {
        stores[store.shard()] = store;
    }

    /**
     * Links the shards, which must all have been added, at the first call.
     *
     * @throws IOException if they contradict each other; the message is meant for users
     */
    synchronized void link() throws IOException {
        if (linked == null) {
            linked = new LinkedShards(
                    Arrays.stream(stores).map(Objects::requireNonNull).toList(), kind);
        }
    }

    /** Sets the learned rows of the linked shards. */
    void embeddings(SharedEmbeddings rows) {
        embeddings = rows;
    }

    /** Returns the learned rows; null if vertices have features. */
    @Nullable SharedEmbeddings embeddings() {
        return embeddings;
    }

    /** Returns the linked shards. */
    LinkedShards shards() {
        return Objects.requireNonNull(linked);
    }

    /** Returns the counters of all shards. */
    WorkCounters[] allCounters() {
        return counters.clone();
    }

    WorkCounters counters(int shard) {
        return counters[shard];
    }

    /** Sets the results of a shard, one per layer but the last, by local number. */
    void results(int shard, DenseFeatures[] of) {
        results[shard] = of;
    }

    DenseFeatures[] results(int shard) {
        return results[shard];
    }

    /** Begins a test, in which each shard calls {@link #awaitAll} once for each layer but the last. */
    void beginTest() {
        failure = null;
        layers = new Phaser(stores.length);
    }

    /** Waits until all shards have the results of a layer. */
    void awaitAll() throws IOException {
        Phaser all = layers;
        try {
            if (all.awaitAdvanceInterruptibly(all.arrive()) < 0) {
                throw new IOException(failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the test was stopped", e);
        }
    }

    /** Ends the wait of the other shards with a sentence for users; the first one counts. */
    synchronized void fail(@Nullable String sentence) {
        if (failure == null) {
            failure = sentence;
        }
        layers.forceTermination();
    }
}
