package io.cutwater.trainer.live;

import io.cutwater.trainer.shard.ShardCut;

/**
 * A shard that was built at a cut.
 *
 * @param edges number of edges, copies included
 * @param vertices number of vertices with edges in the shard
 * @param owned number of vertices that the shard owns
 * @param withoutFeatures number of vertices whose features are missing or have another length: they have zeros and no
 *     class
 * @param otherWidth number of vertices with another number of features
 * @param beyondClasses number of vertices whose class the model does not have: they have no class
 * @param misfits message about the last two numbers that names the first such vertices; empty if there are none
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
    /** Returns a description for users. */
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
                                : "; %d have a class that the model does not have, see --classes"
                                        .formatted(beyondClasses),
                        misfits.isEmpty() ? "" : "; " + misfits);
    }
}
