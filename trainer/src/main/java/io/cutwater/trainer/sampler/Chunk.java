package io.cutwater.trainer.sampler;

/**
 * Some vertices of a shard with all their neighbours in the shard.
 *
 * @param from local number of the first vertex; the targets of the hop are it and its successors
 * @param inputs one row per source of the hop
 */
public record Chunk(int from, Hop hop, InputRows inputs) {
    /** Returns the local number after the last vertex. */
    public int to() {
        return from + hop.targetCount();
    }
}
