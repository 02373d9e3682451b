package io.cutwater.trainer.live;

/** Is told what becomes of {@link TopicShards}; by any thread, one at a time. */
public interface TopicShardsListener {
    TopicShardsListener NONE = new TopicShardsListener() {};

    /** Something is waited for; told once for each thing. */
    default void waiting(String sentence) {}

    /** What was kept on disk is of no use, and a topic is read from its beginning again. */
    default void readAgain(String sentence) {}

    /** Some vertices have data that no model has use for; told once, before the first shard is made. */
    default void misfits(String sentence) {}

    /** A shard of a cut is there. */
    default void made(MadeShard shard) {}
}
