package io.cutwater.format;

/**
 * The position of the next read of an edge file: enough to close the file and resume later. The meaning of the numbers
 * depends on the format:
 *
 * <pre>
 *            offset                            row                      detail
 *   text     byte, after decompression         lines read               0
 *   METIS    byte, after decompression         vertex lines completed   edges read
 *   npy      0                                 edges read               0
 *   Parquet  0                                 rows read                0
 * </pre>
 */
public record EdgeFilePosition(long offset, long row, long detail) {
    /** The beginning of any file. */
    public static final EdgeFilePosition START = new EdgeFilePosition(0, 0, 0);

    public EdgeFilePosition {
        if (offset < 0 || row < 0 || detail < 0) {
            throw new IllegalArgumentException(
                    "the parts of a position must be at least 0: %d, %d, %d".formatted(offset, row, detail));
        }
    }
}
