package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamType;

/**
 * A record of topic {@code shards}, {@code partition-book}, {@code ids} or {@code commits} as bytes. The edges of a
 * checkpoint, the data of their vertices, their places and their texts become visible together.
 *
 * @param shard 0 to k − 1, {@link #BOOK} for a row of the partition book, {@link #TEXT} for the text of a vertex, or
 *     {@link #COMMIT} for the mark of a commit
 * @param key of a row that is not a shard's; empty for a shard's record, whose key follows from the shard
 * @param value empty for a vertex that is gone, in a row of the book or of its text
 */
@SuppressWarnings("ArrayRecordComponent") // an element of a stream, never compared
public record OutputRow(int shard, byte[] key, byte[] value) {
    public static final StreamType<OutputRow> TYPE = new StreamType<>(OutputRow.class, OutputRowSerializer.INSTANCE);

    public static final int BOOK = -1;
    public static final int TEXT = -2;
    public static final int COMMIT = -3;

    private static final byte[] NO_KEY = {};

    /** Creates a record of a shard. */
    public static OutputRow ofShard(int shard, byte[] value) {
        return new OutputRow(shard, NO_KEY, value);
    }

    /** Creates the text of a vertex; an empty value removes it. */
    public static OutputRow ofText(byte[] key, byte[] value) {
        return new OutputRow(TEXT, key, value);
    }

    /** Creates the mark of a commit. */
    public static OutputRow ofCommit(byte[] key, byte[] value) {
        return new OutputRow(COMMIT, key, value);
    }

    /** Creates a row of the partition book. */
    public static OutputRow ofBook(byte[] key, byte[] value) {
        return new OutputRow(BOOK, key, value);
    }
}
