package io.cutwater.trainer.feature;

import io.cutwater.trainer.mapped.MappedFloats;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.io.IOException;
import java.nio.file.Path;

/** Rows of which most numbers are zero, as compressed sparse rows in mapped files: 8 bytes for each that is not. */
public final class SparseFeatures implements Features {
    private final int columns;
    private final MappedLongs offsets;
    private final MappedInts indices;
    private final MappedFloats values;

    private SparseFeatures(int columns, MappedLongs offsets, MappedInts indices, MappedFloats values) {
        this.columns = columns;
        this.offsets = offsets;
        this.indices = indices;
        this.values = values;
    }

    /** Rows without a number; @param sizes how many each row is going to have, one entry per row */
    public static SparseFeatures create(Path folder, int[] sizes, int columns) throws IOException {
        MappedLongs offsets = MappedLongs.create(folder.resolve("feature-offsets"), sizes.length + 1L);
        long total = 0;
        for (int row = 0; row < sizes.length; row++) {
            total += sizes[row];
            offsets.put(row + 1, total);
        }
        return new SparseFeatures(
                columns,
                offsets,
                MappedInts.create(folder.resolve("feature-columns"), total),
                MappedFloats.create(folder.resolve("feature-values"), total));
    }

    /** Fills a row with the numbers that are not zero, as many as it was made for. */
    public void putRow(int row, float[] from) {
        long at = offsets.get(row);
        for (int column = 0; column < from.length; column++) {
            if (from[column] != 0) {
                indices.put(at, column);
                values.put(at++, from[column]);
            }
        }
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int numbersPerRow() {
        return (int) (1 + values.length() / offsets.length());
    }

    /** Where the numbers of a row begin; those of the next row begin where they end. */
    public long begin(int row) {
        return offsets.get(row);
    }

    /** The column, from 0, of the number at a place. */
    public int column(long at) {
        return indices.get(at);
    }

    public float value(long at) {
        return values.get(at);
    }
}
