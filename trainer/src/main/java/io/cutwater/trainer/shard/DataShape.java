package io.cutwater.trainer.shard;

import java.io.IOException;

/**
 * The number of features and classes that a model must fit.
 *
 * @param features features of a vertex, at least 1 unless rows are learned
 * @param classes highest class plus 1; 0 if no vertex has a class
 */
public record DataShape(int features, int classes) {
    /**
     * Refuses a shard that a model of this shape cannot be trained on.
     *
     * @throws IOException if the shard does not fit; the message is meant for users
     */
    public void requireFit(ShardStore store) throws IOException {
        if (store.features().columns() != features) {
            throw new IOException(
                    "vertices of shard %d have %d features, but the model expects %d; start over without --resume"
                            .formatted(store.shard(), store.features().columns(), features));
        }
        for (int local = 0; local < store.ownedCount(); local++) {
            if (store.label(local) >= classes) {
                throw new IOException(
                        "vertex %d has class %d, but the model has %d classes, numbered from 0; start over with --classes %d or more"
                                .formatted(store.vertex(local), store.label(local), classes, store.label(local) + 1));
            }
        }
    }
}
