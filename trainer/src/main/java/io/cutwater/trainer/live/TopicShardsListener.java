package io.cutwater.trainer.live;

/** Receives events of {@link TopicShards}, from any thread, one at a time. */
public interface TopicShardsListener {
    TopicShardsListener NONE = new TopicShardsListener() {};

    /** Called when waiting for something begins, once for each reason. */
    default void waiting(String sentence) {}

    /** Called when stored records are discarded and a topic is read from its beginning. */
    default void readAgain(String sentence) {}

    /** Called once before the first shard is built, if some vertices have data that do not fit. */
    default void misfits(String sentence) {}

    /** Called when a shard of a cut was built. */
    default void made(MadeShard shard) {}
}
