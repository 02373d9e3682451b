package io.cutwater.kafka.replay;

import io.cutwater.format.binary.LongSort;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Different edges in dense columns, each with its number of copies. The columns of weights, timestamps, keys and places
 * exist only once an edge has one.
 */
final class CountedEdges {
    private static final int MAX_ROWS = 1 << 29;
    private static final long NO_WEIGHT = Double.doubleToLongBits(Double.NaN);

    private long[] sources = new long[1 << 6];
    private long[] targets = new long[1 << 6];
    private int[] counts = new int[1 << 6];
    private long @Nullable [] weights; // the bits of a double
    private long @Nullable [] timestamps;
    private long @Nullable [] keys;
    private int @Nullable [] places;
    private int size;

    /** Returns the hash of an edge. Places are not included: copies that differ only in them are rare. */
    static int hash(long source, long target, long weight, long timestamp, long key) {
        long seed = weight == NO_WEIGHT && timestamp == EdgeBatch.NO_TIMESTAMP ? 0 : Hashing.mix64(weight, timestamp);
        if (key != EdgeBatch.NO_KEY) {
            seed = Hashing.mix64(seed, key);
        }
        return (int) Hashing.mix64(seed, source, target);
    }

    int hash(int row) {
        return hash(sources[row], targets[row], weightBits(row), timestamp(row), key(row));
    }

    boolean isAt(int row, long source, long target, long weight, long timestamp, long key, int place) {
        return sources[row] == source
                && targets[row] == target
                && weightBits(row) == weight
                && timestamp(row) == timestamp
                && key(row) == key
                && place(row) == place;
    }

    /** Appends an edge; its row is the size before. */
    void append(long source, long target, long weight, long timestamp, long key, int place, int count) {
        if (size == sources.length) {
            grow();
        }
        int row = size++;
        sources[row] = source;
        targets[row] = target;
        counts[row] = count;
        makeColumns(weight, timestamp, key, place);
        if (weights != null) {
            weights[row] = weight;
        }
        if (timestamps != null) {
            timestamps[row] = timestamp;
        }
        if (keys != null) {
            keys[row] = key;
        }
        if (places != null) {
            places[row] = place;
        }
    }

    /** Allocates the columns that this edge is the first to need. */
    private void makeColumns(long weight, long timestamp, long key, int place) {
        if (weights == null && weight != NO_WEIGHT) {
            weights = new long[sources.length];
            Arrays.fill(weights, NO_WEIGHT);
        }
        if (timestamps == null && timestamp != EdgeBatch.NO_TIMESTAMP) {
            timestamps = new long[sources.length];
            Arrays.fill(timestamps, EdgeBatch.NO_TIMESTAMP);
        }
        if (keys == null && key != EdgeBatch.NO_KEY) {
            keys = new long[sources.length];
            Arrays.fill(keys, EdgeBatch.NO_KEY);
        }
        if (places == null && place != EdgeBatch.NO_PLACE) {
            places = new int[sources.length];
            Arrays.fill(places, EdgeBatch.NO_PLACE);
        }
    }

    private void grow() {
        int capacity = Math.min(MAX_ROWS, sources.length + (sources.length >> 1));
        if (capacity == size) {
            throw new IllegalStateException(
                    "a replay of a shard holds at most %d different edges; use more partitions".formatted(size));
        }
        sources = Arrays.copyOf(sources, capacity);
        targets = Arrays.copyOf(targets, capacity);
        counts = Arrays.copyOf(counts, capacity);
        weights = weights == null ? null : Arrays.copyOf(weights, capacity);
        timestamps = timestamps == null ? null : Arrays.copyOf(timestamps, capacity);
        keys = keys == null ? null : Arrays.copyOf(keys, capacity);
        places = places == null ? null : Arrays.copyOf(places, capacity);
    }

    /** Removes a row; the last row moves to its place. */
    void remove(int row) {
        int last = --size;
        sources[row] = sources[last];
        targets[row] = targets[last];
        counts[row] = counts[last];
        if (weights != null) {
            weights[row] = weights[last];
        }
        if (timestamps != null) {
            timestamps[row] = timestamps[last];
        }
        if (keys != null) {
            keys[row] = keys[last];
        }
        if (places != null) {
            places[row] = places[last];
        }
    }

    int size() {
        return size;
    }

    long source(int row) {
        return sources[row];
    }

    long target(int row) {
        return targets[row];
    }

    long weightBits(int row) {
        return weights == null ? NO_WEIGHT : weights[row];
    }

    long timestamp(int row) {
        return timestamps == null ? EdgeBatch.NO_TIMESTAMP : timestamps[row];
    }

    long key(int row) {
        return keys == null ? EdgeBatch.NO_KEY : keys[row];
    }

    int place(int row) {
        return places == null ? EdgeBatch.NO_PLACE : places[row];
    }

    int count(int row) {
        return counts[row];
    }

    /** Changes the number of copies; returns the new number. */
    int addCount(int row, int by) {
        counts[row] += by;
        return counts[row];
    }

    /** Returns the rows in ascending order of source and target. */
    int[] orderByEnds() {
        return LongSort.order(size, sources, targets);
    }

    /** Returns the rows in ascending order of source, target, timestamp, weight and key. */
    int[] order() {
        List<long[]> columns = new ArrayList<>(List.of(sources, targets));
        if (timestamps != null) {
            columns.add(timestamps);
        }
        if (weights != null) {
            columns.add(weights);
        }
        if (keys != null) {
            columns.add(keys);
        }
        return LongSort.order(size, columns.toArray(long[][]::new));
    }

    /** Appends one copy of a row to a batch. */
    void copyTo(EdgeBatch batch, int row) {
        batch.add(sources[row], targets[row], Double.longBitsToDouble(weightBits(row)), timestamp(row), key(row));
        if (places != null) {
            batch.setPlace(batch.size() - 1, places[row]);
        }
    }
}
