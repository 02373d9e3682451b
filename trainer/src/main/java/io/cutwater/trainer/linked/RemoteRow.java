package io.cutwater.trainer.linked;

/**
 * The features of a vertex of another shard.
 *
 * @param columns columns of the values, from 0; {@link #DENSE} for all columns
 * @param values values
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RemoteRow(int[] columns, float[] values) {
    static final int[] DENSE = {};

    /** Returns a row with a value for each column. */
    public static RemoteRow dense(float[] values) {
        return new RemoteRow(DENSE, values);
    }

    /** Returns whether there is a value for each column. */
    public boolean isDense() {
        return columns == DENSE;
    }

    /** Returns the bytes of the row in an answer, and of its vertex in the question. */
    public long bytes() {
        return Integer.BYTES
                + (isDense() ? 0 : Integer.BYTES)
                + (long) (columns.length + values.length) * Integer.BYTES;
    }
}
