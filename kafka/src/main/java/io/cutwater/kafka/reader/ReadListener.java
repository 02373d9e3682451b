package io.cutwater.kafka.reader;

/** Is told how far the reading of a topic is. */
@FunctionalInterface
public interface ReadListener {
    ReadListener NONE = (changes, share) -> {};

    /**
     * Another record is about to be read.
     *
     * @param changes edges that have entered or left so far
     * @param share of the offsets that are to be read, 0 to 1
     */
    void read(long changes, double share);
}
