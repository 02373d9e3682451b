package io.cutwater.kafka.textid;

import java.io.Serializable;

/**
 * The rule by which ids are made of text: hashes with a seed, see {@link TextHash#of}.
 *
 * @param seed the same text has the same id in every job with this seed
 */
public record TextIds(long seed) implements Serializable {
    /** Creates a reader of the ends of edges. */
    public TextEnds ends() {
        return new TextEnds(TextHash.of(seed));
    }
}
