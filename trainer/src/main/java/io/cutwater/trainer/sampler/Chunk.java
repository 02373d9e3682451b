package io.cutwater.trainer.sampler;

/**
 * Some vertices of a shard with all their neighbours in it.
 *
 * @param from local number of the first vertex; the targets of the hop are it and those that follow it
 * @param inputs one row for each source of the hop
 */
public record Chunk(int from, Hop hop, InputRows inputs) {
    /** Local number of the vertex behind the last one. */
    public int to() {
        return from + hop.targetCount();
    }
}
