package io.cutwater.trainer.linked;

import io.cutwater.trainer.feature.DenseFeatures;
import java.nio.FloatBuffer;

/** Rows of a shard that others may read, beside its features. */
public interface RowTable {
    /** Returns a table of rows in a file. */
    static RowTable of(DenseFeatures rows) {
        return new RowTable() {
            @Override
            public int width() {
                return rows.columns();
            }

            @Override
            public void copyRow(int local, FloatBuffer into) {
                rows.copyRow(local, into);
            }
        };
    }

    /** Returns the number of values of a row. */
    int width();

    /** Copies the row of a vertex to the position of a buffer and advances the position. */
    void copyRow(int local, FloatBuffer into);
}
