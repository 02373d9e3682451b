package io.cutwater.trainer.live;

import io.cutwater.trainer.shard.ShardCut;

/**
 * What a shard of a cut has.
 *
 * @param edges copies counted
 * @param vertices with edges in the shard
 * @param owned of them the shard's own
 * @param withoutFeatures of its vertices those whose features have not come yet, or are not as many as those of others:
 *     their features are 0, and they have no class
 * @param otherWidth of these such that have another number of features
 * @param beyondClasses vertices whose class is beyond those of the model: they have no class
 * @param misfits in words the last two of these numbers, and the first such vertices; empty if there are none
 */
public record MadeShard(
        int shard,
        ShardCut cut,
        long edges,
        int vertices,
        int owned,
        int withoutFeatures,
        int otherWidth,
        int beyondClasses,
        String misfits) {
    /** The same in words. */
    public String sentence() {
        return "shard %d has %d edges and %d vertices, %d of them its own%s%s%s"
                .formatted(
                        shard,
                        edges,
                        vertices,
                        owned,
                        withoutFeatures == 0 ? "" : "; %d have no features yet".formatted(withoutFeatures),
                        beyondClasses == 0
                                ? ""
                                : "; %d have a class beyond the model's, see --classes".formatted(beyondClasses),
                        misfits.isEmpty() ? "" : "; " + misfits);
    }
}
