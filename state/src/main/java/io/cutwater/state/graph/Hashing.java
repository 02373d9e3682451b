package io.cutwater.state.graph;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Seeded 64-bit hashing of vertex ids. */
public final class Hashing {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Hashing() {}

    /** The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, figure 15). */
    public static long mix64(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Hash of one id under a seed. */
    public static long mix64(long seed, long vertex) {
        return mix64(mix64(seed + GOLDEN_GAMMA) + vertex * GOLDEN_GAMMA);
    }

    /** Hash of an ordered pair of ids under a seed. */
    public static long mix64(long seed, long source, long target) {
        return mix64(mix64(seed, source) + target * GOLDEN_GAMMA);
    }

    /**
     * Maps a hash evenly onto 0 to {@code bound} − 1 (Lemire: Fast random integer generation in an interval, section
     * 3).
     */
    public static int reduce(long hash, int bound) {
        return (int) Math.multiplyHigh(hash >>> 1, (long) bound << 1);
    }

    /** The bucket of a vertex, 0 to {@code buckets} − 1: what is looked up and updated together. */
    public static int bucket(long vertex, int buckets) {
        return reduce(mix64(vertex), buckets);
    }

    /** Creates a SHA-256 digest. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
