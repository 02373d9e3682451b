package io.cutwater.kafka.reader;

/** Receives the progress of reading a topic. */
@FunctionalInterface
public interface ReadListener {
    ReadListener NONE = (changes, share) -> {};

    /**
     * Called before each record.
     *
     * @param changes edges that have entered or left so far
     * @param share of the offsets to read, 0 to 1
     */
    void read(long changes, double share);
}
