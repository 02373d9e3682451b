package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of numbers over time, in bounded memory: of a full series every second row of the older half is dropped. Each
 * row has a number, which grows by one from row to row, so that a reader can ask for the rows that it lacks. Not
 * thread-safe.
 */
final class TimeSeries {
    /** Column of the time, in seconds since the epoch. */
    static final int TIME = 0;

    private final List<String> columns;
    private final int capacity;
    private List<Row> rows = new ArrayList<>();
    private long count;

    private record Row(long number, double[] values) {}

    /**
     * @param capacity largest number of rows, at least 4
     * @param columns names of the columns, the first of which is the time
     */
    TimeSeries(int capacity, String... columns) {
        this.capacity = capacity;
        this.columns = List.of(columns);
    }

    /**
     * Appends a row.
     *
     * @param values one per column; NaN for none
     */
    void add(double... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException("a row has %d values: %d".formatted(columns.size(), values.length));
        }
        rows.add(new Row(++count, values));
        if (rows.size() > capacity) {
            thin();
        }
    }

    private void thin() {
        List<Row> kept = new ArrayList<>(capacity);
        int half = rows.size() / 2;
        for (int i = 0; i < rows.size(); i++) {
            if (i >= half || i % 2 == 0) {
                kept.add(rows.get(i));
            }
        }
        rows = kept;
    }

    /** Returns the number of the last row; 0 before the first. */
    long last() {
        return count;
    }

    int size() {
        return rows.size();
    }

    /** Returns a value of a row, counted from the last, which is 0; NaN if there is no such row. */
    double fromEnd(int row, int column) {
        return row < rows.size() ? rows.get(rows.size() - 1 - row).values()[column] : Double.NaN;
    }

    /** Returns the values of the last row at this time or before it; null if there is none. */
    double @Nullable [] at(double time) {
        int low = 0;
        int high = rows.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows.get(middle).values()[TIME] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : rows.get(low - 1).values();
    }

    /** Writes the rows after the one of this number into a tree: an array per column. */
    void putAfter(long number, ObjectNode tree) {
        int from = rows.size();
        while (from > 0 && rows.get(from - 1).number() > number) {
            from--;
        }
        for (int column = 0; column < columns.size(); column++) {
            ArrayNode values = tree.putArray(columns.get(column));
            for (Row row : rows.subList(from, rows.size())) {
                double value = row.values()[column];
                if (Double.isNaN(value)) {
                    values.addNull();
                } else {
                    values.add(value);
                }
            }
        }
    }
}
