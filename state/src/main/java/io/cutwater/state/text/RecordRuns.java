package io.cutwater.state.text;

import java.util.Arrays;

/**
 * From which records of a topic the rows of a batch come: runs of rows whose records follow one another in a topic
 * partition, so that a batch has few of them.
 */
public final class RecordRuns {
    public static final int UNKNOWN = -1;

    private int size;
    private int[] rows = {};
    private int[] partitions = {};
    private long[] offsets = {};

    /**
     * Says from which record a row comes. The rows after it come from the records after this one, one each, until
     * another call says otherwise.
     *
     * @param row at least that of the call before
     */
    public void begin(int row, int partition, long offset) {
        int last = size - 1;
        if (last >= 0 && partitions[last] == partition && offset - offsets[last] == row - rows[last]) {
            return;
        }
        if (last >= 0 && rows[last] == row) {
            size--; // the record before has no row
        } else if (size == rows.length) {
            int capacity = Math.max(4, 2 * size);
            rows = Arrays.copyOf(rows, capacity);
            partitions = Arrays.copyOf(partitions, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
        }
        rows[size] = row;
        partitions[size] = partition;
        offsets[size++] = offset;
    }

    void addAll(RecordRuns other, int rowsBefore) {
        for (int i = 0; i < other.size; i++) {
            begin(other.rows[i] + rowsBefore, other.partitions[i], other.offsets[i]);
        }
    }

    /** Returns the topic partition of the record of a row; {@link #UNKNOWN} if nobody said. */
    public int partitionOf(int row) {
        int run = run(row);
        return run < 0 ? UNKNOWN : partitions[run];
    }

    /** Returns the offset of the record of a row; {@link #UNKNOWN} if nobody said. */
    public long offsetOf(int row) {
        int run = run(row);
        return run < 0 ? UNKNOWN : offsets[run] + row - rows[run];
    }

    private int run(int row) {
        int run = size - 1;
        while (run >= 0 && rows[run] > row) {
            run--;
        }
        return run;
    }

    /** Returns the number of runs. */
    public int size() {
        return size;
    }

    /** Returns the first row of a run, whose record {@link #partitionOf} and {@link #offsetOf} tell. */
    public int firstRow(int run) {
        return rows[run];
    }

    public void clear() {
        size = 0;
    }
}
