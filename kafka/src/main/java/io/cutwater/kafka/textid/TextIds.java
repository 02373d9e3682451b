package io.cutwater.kafka.textid;

import io.cutwater.format.text.NameIds;
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

    /** Creates a reader of the ends of edges that puts both texts of each edge into the batch. */
    public TextEnds allEnds() {
        return new TextEnds(TextHash.of(seed), null);
    }

    /** Creates the ids of texts in files, which accept the texts that the ends of edges may be. */
    public NameIds names() {
        return new Names(this, ends());
    }

    private record Names(TextIds ids, TextEnds ends) implements NameIds {
        @Override
        public synchronized long id(byte[] text, int from, int to) {
            String wrong = ends.readSource(text, from, to);
            if (wrong != null) {
                throw new IllegalArgumentException(wrong);
            }
            return ends.source();
        }

        @Override
        public String toString() {
            return "texts, seed " + ids.seed;
        }
    }
}
