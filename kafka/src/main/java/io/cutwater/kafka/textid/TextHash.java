package io.cutwater.kafka.textid;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.cutwater.state.text.CheckCache;

/** Two independent 64-bit hashes of a text: its id, and another one by which texts with the same id are told apart. */
public interface TextHash {
    /**
     * Returns the id.
     *
     * @param text UTF-8 from byte {@code from} on
     */
    long id(byte[] text, int from, int length);

    /**
     * Returns the second hash, which is not 0.
     *
     * @param text UTF-8 from byte {@code from} on
     */
    long check(byte[] text, int from, int length);

    /** Returns the id of a whole text in UTF-8. */
    default long id(byte[] text) {
        return id(text, 0, text.length);
    }

    /** The hashes of a job: XXH3 is the id, komihash 5.0 the second one, both with the seed. */
    static TextHash of(long seed) {
        Hasher64 ids = Hashing.xxh3_64(seed);
        Hasher64 checks = Hashing.komihash5_0(seed);
        return new TextHash() {
            @Override
            public long id(byte[] text, int from, int length) {
                return ids.hashBytesToLong(text, from, length);
            }

            @Override
            public long check(byte[] text, int from, int length) {
                long check = checks.hashBytesToLong(text, from, length);
                return check == CheckCache.UNKNOWN ? 1 : check;
            }
        };
    }
}
