package io.cutwater.flink.types;

/**
 * A record of topic {@code shards} or {@code partition-book} in its bytes. Both go to one writer, so that the edges of
 * a checkpoint, what is known of their ends and where these are become visible together.
 *
 * @param shard 0 to k − 1, or {@link #BOOK} for a row of the partition book
 * @param key of a row of the book; empty for a shard's record, whose key the shard tells
 * @param value empty in a row of the book for a vertex that is gone
 */
@SuppressWarnings("ArrayRecordComponent") // one element of a stream, compared by nobody
public record OutputRow(int shard, byte[] key, byte[] value) {
    public static final int BOOK = -1;

    private static final byte[] NO_KEY = {};

    /** A record of a shard. */
    public static OutputRow ofShard(int shard, byte[] value) {
        return new OutputRow(shard, NO_KEY, value);
    }

    /** A row of the partition book. */
    public static OutputRow ofBook(byte[] key, byte[] value) {
        return new OutputRow(BOOK, key, value);
    }
}
