package io.cutwater.kafka.replay;

import io.cutwater.format.binary.LongSort;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How many copies there are of each edge: a multiset of edges, or, as counts may be negative, the difference of two.
 * Copies are the same if source, target, weight and timestamp are; and the owners of both ends, if the edges have such
 * places.
 *
 * <p>An open-addressing table of row numbers over dense columns, 28 to 46 bytes for each edge of which there are
 * copies; 8 more where any edge has a weight, 8 for timestamps, 4 for owners. What goes leaves its room to what comes.
 */
public final class EdgeCounts {
    private static final int MAX_ROWS = 1 << 29;
    private static final long NO_WEIGHT = Double.doubleToLongBits(Double.NaN);

    private int[] table = new int[1 << 8]; // row + 1, 0 where free
    private long[] sources = new long[1 << 6];
    private long[] targets = new long[1 << 6];
    private int[] counts = new int[1 << 6];
    private long @Nullable [] weights; // the bits of a double
    private long @Nullable [] timestamps;
    private int @Nullable [] places;
    private int rows;
    private long copies;

    /** Counts one copy more of every edge of a batch. */
    public void add(EdgeBatch edges) {
        for (int i = 0; i < edges.size(); i++) {
            change(edges, i, 1);
        }
    }

    /** Counts one copy more, or less, of the edges that are counted in another one. */
    public void addAll(EdgeCounts other, int factor) {
        for (int row = 0; row < other.rows; row++) {
            change(
                    other.sources[row],
                    other.targets[row],
                    other.weightBits(row),
                    other.timestamp(row),
                    other.place(row),
                    factor * other.counts[row]);
        }
    }

    /**
     * Changes the number of copies of edge {@code i} of a batch.
     *
     * @return how many there are now; negative if more went than came
     */
    public int change(EdgeBatch edges, int i, int by) {
        return change(edges, i, edges.place(i), by);
    }

    /** The same, with another place than the batch has. */
    int change(EdgeBatch edges, int i, int place, int by) {
        long weight = Double.doubleToLongBits(edges.weight(i));
        return change(edges.source(i), edges.target(i), weight, edges.timestamp(i), place, by);
    }

    private int change(long source, long target, long weight, long timestamp, int place, int by) {
        int at = find(source, target, weight, timestamp, place);
        int row = table[at] - 1;
        if (row < 0) {
            if (by != 0) {
                insert(at, source, target, weight, timestamp, place, by);
                copies += by;
            }
            return by;
        }
        copies += by;
        counts[row] += by;
        int count = counts[row];
        if (count == 0) {
            delete(at, row);
        }
        return count;
    }

    /** How many copies there are of edge {@code i} of a batch. */
    public int count(EdgeBatch edges, int i) {
        long weight = Double.doubleToLongBits(edges.weight(i));
        int row = table[find(edges.source(i), edges.target(i), weight, edges.timestamp(i), edges.place(i))] - 1;
        return row < 0 ? 0 : counts[row];
    }

    private int find(long source, long target, long weight, long timestamp, int place) {
        int mask = table.length - 1;
        int at = hash(source, target, weight, timestamp) & mask;
        for (int entry = table[at]; entry != 0; entry = table[at]) {
            int row = entry - 1;
            if (sources[row] == source
                    && targets[row] == target
                    && weightBits(row) == weight
                    && timestamp(row) == timestamp
                    && place(row) == place) {
                break;
            }
            at = at + 1 & mask;
        }
        return at;
    }

    private static int hash(long source, long target, long weight, long timestamp) {
        long seed = weight == NO_WEIGHT && timestamp == EdgeBatch.NO_TIMESTAMP ? 0 : Hashing.mix64(weight, timestamp);
        return (int) Hashing.mix64(seed, source, target);
    }

    private void insert(int at, long source, long target, long weight, long timestamp, int place, int count) {
        if (rows == sources.length) {
            grow();
        }
        int row = rows;
        sources[row] = source;
        targets[row] = target;
        counts[row] = count;
        makeColumns(weight, timestamp, place);
        if (weights != null) {
            weights[row] = weight;
        }
        if (timestamps != null) {
            timestamps[row] = timestamp;
        }
        if (places != null) {
            places[row] = place;
        }
        table[at] = ++rows;
        if (rows > table.length / 2) {
            growTable();
        }
    }

    /** Makes the columns that this edge is the first to need. */
    private void makeColumns(long weight, long timestamp, int place) {
        if (weights == null && weight != NO_WEIGHT) {
            weights = new long[sources.length];
            Arrays.fill(weights, NO_WEIGHT);
        }
        if (timestamps == null && timestamp != EdgeBatch.NO_TIMESTAMP) {
            timestamps = new long[sources.length];
            Arrays.fill(timestamps, EdgeBatch.NO_TIMESTAMP);
        }
        if (places == null && place != EdgeBatch.NO_PLACE) {
            places = new int[sources.length];
            Arrays.fill(places, EdgeBatch.NO_PLACE);
        }
    }

    private void grow() {
        int capacity = Math.min(MAX_ROWS, sources.length + (sources.length >> 1));
        if (capacity == rows) {
            throw new IllegalStateException(
                    "a replay of a shard holds at most %d different edges; use more partitions".formatted(rows));
        }
        sources = Arrays.copyOf(sources, capacity);
        targets = Arrays.copyOf(targets, capacity);
        counts = Arrays.copyOf(counts, capacity);
        weights = weights == null ? null : Arrays.copyOf(weights, capacity);
        timestamps = timestamps == null ? null : Arrays.copyOf(timestamps, capacity);
        places = places == null ? null : Arrays.copyOf(places, capacity);
    }

    private void growTable() {
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int row = 0; row < rows; row++) {
            int at = home(row) & mask;
            while (table[at] != 0) {
                at = at + 1 & mask;
            }
            table[at] = row + 1;
        }
    }

    private int home(int row) {
        return hash(sources[row], targets[row], weightBits(row), timestamp(row));
    }

    /** Backward-shift deletion (Knuth 6.4, algorithm R); the last row moves to where this one was. */
    private void delete(int at, int row) {
        int mask = table.length - 1;
        int hole = at;
        for (int next = hole + 1 & mask; table[next] != 0; next = next + 1 & mask) {
            int home = home(table[next] - 1) & mask;
            if ((next - home & mask) >= (next - hole & mask)) {
                table[hole] = table[next];
                hole = next;
            }
        }
        table[hole] = 0;
        int last = --rows;
        if (row != last) {
            int place = find(sources[last], targets[last], weightBits(last), timestamp(last), place(last));
            move(last, row);
            table[place] = row + 1;
        }
    }

    private void move(int from, int to) {
        sources[to] = sources[from];
        targets[to] = targets[from];
        counts[to] = counts[from];
        if (weights != null) {
            weights[to] = weights[from];
        }
        if (timestamps != null) {
            timestamps[to] = timestamps[from];
        }
        if (places != null) {
            places[to] = places[from];
        }
    }

    private long weightBits(int row) {
        return weights == null ? NO_WEIGHT : weights[row];
    }

    private long timestamp(int row) {
        return timestamps == null ? EdgeBatch.NO_TIMESTAMP : timestamps[row];
    }

    private int place(int row) {
        return places == null ? EdgeBatch.NO_PLACE : places[row];
    }

    /** All copies of all edges; with negative counts, those that came less those that went. */
    public long copies() {
        return copies;
    }

    /** How many different edges have a count. */
    public int distinct() {
        return rows;
    }

    public boolean isEmpty() {
        return rows == 0;
    }

    /** How many copies have gone that never came: the sum of the negative counts. */
    long missing() {
        long missing = 0;
        for (int row = 0; row < rows; row++) {
            missing -= Math.min(0, counts[row]);
        }
        return missing;
    }

    /** One edge that is counted, for a message; of equal contents always the same. */
    String example() {
        int row = LongSort.order(rows, sources, targets)[0];
        return "edge (%d, %d), counted %d times".formatted(sources[row], targets[row], counts[row]);
    }

    /** Takes an edge with the number of its copies. */
    interface RowConsumer {
        void accept(long source, long target, int place, int count);
    }

    /** Gives each different edge once, in no order. */
    void forEachRow(RowConsumer consumer) {
        for (int row = 0; row < rows; row++) {
            consumer.accept(sources[row], targets[row], place(row), counts[row]);
        }
    }

    /**
     * Gives all copies in ascending order of source, target, timestamp and weight, with their places; of equal contents
     * in the same order, whatever came and went before, unless edges differ in their places alone.
     *
     * @param consumer of batches, each good only until the call returns
     * @throws IllegalStateException if a count is negative
     */
    public void forEach(Consumer<EdgeBatch> consumer) {
        EdgeBatch batch = new EdgeBatch();
        for (int row : order()) {
            if (counts[row] < 0) {
                throw new IllegalStateException(
                        "edge (%d, %d) has gone more often than it came".formatted(sources[row], targets[row]));
            }
            for (int copy = 0; copy < counts[row]; copy++) {
                batch.add(sources[row], targets[row], Double.longBitsToDouble(weightBits(row)), timestamp(row));
                if (places != null) {
                    batch.setPlace(batch.size() - 1, places[row]);
                }
                if (batch.size() == EdgeBatch.DEFAULT_CAPACITY) {
                    consumer.accept(batch);
                    batch.clear();
                }
            }
        }
        if (!batch.isEmpty()) {
            consumer.accept(batch);
        }
    }

    private int[] order() {
        List<long[]> keys = new ArrayList<>(List.of(sources, targets));
        if (timestamps != null) {
            keys.add(timestamps);
        }
        if (weights != null) {
            keys.add(weights);
        }
        return LongSort.order(rows, keys.toArray(long[][]::new));
    }
}
