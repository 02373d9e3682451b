package io.cutwater.trainer.feature;

import io.cutwater.trainer.mapped.MappedFloats;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.io.IOException;
import java.nio.file.Path;

/** Mostly zero rows as compressed sparse rows in memory-mapped files: 8 bytes per nonzero value. */
public final class SparseFeatures implements Features {
    private static final String OFFSETS = "feature-offsets";
    private static final String COLUMNS = "feature-columns";
    private static final String VALUES = "feature-values";

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

    /**
     * Creates empty rows.
     *
     * @param sizes number of nonzero values of each row
     */
    public static SparseFeatures create(Path folder, int[] sizes, int columns) throws IOException {
        MappedLongs offsets = MappedLongs.create(folder.resolve(OFFSETS), sizes.length + 1L);
        long total = 0;
        for (int row = 0; row < sizes.length; row++) {
            total += sizes[row];
            offsets.put(row + 1, total);
        }
        return new SparseFeatures(
                columns,
                offsets,
                MappedInts.create(folder.resolve(COLUMNS), total),
                MappedFloats.create(folder.resolve(VALUES), total));
    }

    /** Opens rows that another process wrote on this host, read-only. */
    public static SparseFeatures open(Path folder, int columns) throws IOException {
        return new SparseFeatures(
                columns,
                MappedLongs.open(folder.resolve(OFFSETS)),
                MappedInts.open(folder.resolve(COLUMNS)),
                MappedFloats.open(folder.resolve(VALUES)));
    }

    /** Fills a row with its nonzero values, as many as its size at creation. */
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

    /** Returns the position of the first value of a row; it ends where the next row begins. */
    public long begin(int row) {
        return offsets.get(row);
    }

    /** Returns the column, from 0, of the value at a position. */
    public int column(long at) {
        return indices.get(at);
    }

    public float value(long at) {
        return values.get(at);
    }
}
