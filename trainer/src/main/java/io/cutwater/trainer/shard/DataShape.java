package io.cutwater.trainer.shard;

import java.io.IOException;

/**
 * What a model must fit.
 *
 * @param features of a vertex, at least 1
 * @param classes one more than the highest class; 0 if no vertex has one
 */
public record DataShape(int features, int classes) {
    /**
     * Refuses a shard that a model of this shape cannot be trained on.
     *
     * @throws IOException with a sentence
     */
    public void requireFit(ShardStore store) throws IOException {
        if (store.features().columns() != features) {
            throw new IOException(
                    "vertices of shard %d have %d features, and the model is made for %d; begin anew without --resume"
                            .formatted(store.shard(), store.features().columns(), features));
        }
        for (int local = 0; local < store.ownedCount(); local++) {
            if (store.label(local) >= classes) {
                throw new IOException(
                        "vertex %d has class %d, and the model tells %d classes apart, from 0 on; begin anew with --classes %d or more"
                                .formatted(store.vertex(local), store.label(local), classes, store.label(local) + 1));
            }
        }
    }
}
