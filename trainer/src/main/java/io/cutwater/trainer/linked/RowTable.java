package io.cutwater.trainer.linked;

import java.nio.FloatBuffer;

/** Rows of a shard that others may read, beside its features. */
public interface RowTable {
    /** Returns the number of values of a row. */
    int width();

    /** Copies the row of a vertex to the position of a buffer and advances the position. */
    void copyRow(int local, FloatBuffer into);
}
