package io.cutwater.state.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The optional columns of an edge batch: weights, timestamps, places, removals and keys. A column exists only once a
 * row has a value in it; all columns have the capacity of the batch.
 */
final class EdgeAttributes {
    static final byte NONE = 0;
    static final byte OF_EDGE = 1;
    static final byte OF_VERTEX = 2;
    static final byte OF_ALL = 3;

    private static final double[] NO_DOUBLES = {};
    private static final long[] NO_LONGS = {};
    private static final byte[] NO_BYTES = {};

    private int capacity;
    private double @Nullable [] weights;
    private long @Nullable [] timestamps;
    private int @Nullable [] places;
    private byte @Nullable [] removals;
    private long @Nullable [] keys;
    // Columns that were forgotten: a batch of one record is emptied for each of them.
    private double[] spareWeights = NO_DOUBLES;
    private long[] spareTimestamps = NO_LONGS;
    private byte[] spareRemovals = NO_BYTES;
    private long[] spareKeys = NO_LONGS;

    EdgeAttributes(int capacity) {
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return weights == null && timestamps == null && places == null && removals == null && keys == null;
    }

    /** Forgets all columns, for a batch of this capacity. */
    void clear(int capacity) {
        this.capacity = capacity;
        spareWeights = weights == null ? spareWeights : weights;
        spareTimestamps = timestamps == null ? spareTimestamps : timestamps;
        spareRemovals = removals == null ? spareRemovals : removals;
        spareKeys = keys == null ? spareKeys : keys;
        weights = null;
        timestamps = null;
        places = null;
        removals = null;
        keys = null;
    }

    void grow(int capacity) {
        this.capacity = capacity;
        weights = weights == null ? null : Arrays.copyOf(weights, capacity);
        timestamps = timestamps == null ? null : Arrays.copyOf(timestamps, capacity);
        places = places == null ? null : Arrays.copyOf(places, capacity);
        removals = removals == null ? null : Arrays.copyOf(removals, capacity);
        keys = keys == null ? null : Arrays.copyOf(keys, capacity);
    }

    /** Gives a new row no value in any column: it may hold values of an earlier row. */
    void add(int row) {
        if (weights != null) {
            weights[row] = Double.NaN;
        }
        if (timestamps != null) {
            timestamps[row] = EdgeBatch.NO_TIMESTAMP;
        }
        if (places != null) {
            places[row] = EdgeBatch.NO_PLACE;
        }
        if (removals != null) {
            removals[row] = NONE;
        }
        if (keys != null) {
            keys[row] = EdgeBatch.NO_KEY;
        }
    }

    /** Sets a weight; in a new column the rows below {@code size} have none. */
    void setWeight(int row, int size, double weight) {
        if (weights == null) {
            weights = spareWeights.length < capacity ? new double[capacity] : spareWeights;
            spareWeights = NO_DOUBLES;
            Arrays.fill(weights, 0, size, Double.NaN);
        }
        weights[row] = weight;
    }

    /** Sets a timestamp; in a new column the rows below {@code size} have none. */
    void setTimestamp(int row, int size, long timestamp) {
        if (timestamps == null) {
            timestamps = spareTimestamps.length < capacity ? new long[capacity] : spareTimestamps;
            spareTimestamps = NO_LONGS;
            Arrays.fill(timestamps, 0, size, EdgeBatch.NO_TIMESTAMP);
        }
        timestamps[row] = timestamp;
    }

    /** Sets a place; in a new column the rows below {@code size} have none. */
    void setPlace(int row, int size, int place) {
        if (places == null) {
            places = new int[capacity];
            Arrays.fill(places, 0, size, EdgeBatch.NO_PLACE);
        }
        places[row] = place;
    }

    /** @param removal {@link #NONE}, {@link #OF_EDGE} or {@link #OF_VERTEX} */
    void setRemoval(int row, byte removal) {
        if (removals == null) {
            removals = spareRemovals.length < capacity ? new byte[capacity] : spareRemovals;
            spareRemovals = NO_BYTES;
            Arrays.fill(removals, NONE);
        }
        removals[row] = removal;
    }

    /** Sets a key; in a new column the rows below {@code size} have none. */
    void setKey(int row, int size, long key) {
        if (keys == null) {
            keys = spareKeys.length < capacity ? new long[capacity] : spareKeys;
            spareKeys = NO_LONGS;
            Arrays.fill(keys, 0, size, EdgeBatch.NO_KEY);
        }
        keys[row] = key;
    }

    /** Copies a row to an earlier one. */
    void move(int from, int to) {
        if (weights != null) {
            weights[to] = weights[from];
        }
        if (timestamps != null) {
            timestamps[to] = timestamps[from];
        }
        if (places != null) {
            places[to] = places[from];
        }
        if (removals != null) {
            removals[to] = removals[from];
        }
        if (keys != null) {
            keys[to] = keys[from];
        }
    }

    /** Forgets the column of removals if none of the first rows is one. */
    void trimRemovals(int size) {
        for (int row = 0; removals != null && row < size; row++) {
            if (removals[row] != NONE) {
                return;
            }
        }
        removals = null;
    }

    void forgetPlaces() {
        places = null;
    }

    double weight(int row) {
        return weights == null ? Double.NaN : weights[row];
    }

    long timestamp(int row) {
        return timestamps == null ? EdgeBatch.NO_TIMESTAMP : timestamps[row];
    }

    int place(int row) {
        return places == null ? EdgeBatch.NO_PLACE : places[row];
    }

    byte removal(int row) {
        return removals == null ? NONE : removals[row];
    }

    long key(int row) {
        return keys == null ? EdgeBatch.NO_KEY : keys[row];
    }

    boolean hasKeys() {
        return keys != null;
    }

    boolean hasWeights() {
        return weights != null;
    }

    boolean hasTimestamps() {
        return timestamps != null;
    }

    boolean hasPlaces() {
        return places != null;
    }

    boolean hasRemovals() {
        return removals != null;
    }
}
