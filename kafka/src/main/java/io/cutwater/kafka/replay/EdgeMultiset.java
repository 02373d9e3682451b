package io.cutwater.kafka.replay;

import io.cutwater.state.graph.EdgeBatch;
import java.util.function.Consumer;

/**
 * A multiset of edges or, as counts may be negative, the difference of two. Two edges are copies of each other if they
 * have the same source, target, weight, timestamp, key and, in a vertex partitioning, owners of both ends.
 *
 * <p>An open-addressing table of row numbers over dense columns takes 28 to 46 bytes for each different edge; 8 more if
 * any edge has a weight, 8 for timestamps, 8 for keys, 4 for owners. The room of removed edges is used again.
 */
public final class EdgeMultiset {
    private final CountedEdges edges = new CountedEdges();
    private int[] table = new int[1 << 8]; // row + 1, 0 where free
    private long copies;

    /** Adds one copy of every edge of a batch. */
    public void add(EdgeBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            change(batch, i, 1);
        }
    }

    /** Adds the copies of another multiset, multiplied by a factor: 1 for the sum of both, −1 for their difference. */
    void addAll(EdgeMultiset other, int factor) {
        CountedEdges added = other.edges;
        for (int row = 0; row < added.size(); row++) {
            change(
                    added.source(row),
                    added.target(row),
                    added.weightBits(row),
                    added.timestamp(row),
                    added.key(row),
                    added.place(row),
                    factor * added.count(row));
        }
    }

    /**
     * Changes the number of copies of edge {@code i} of a batch.
     *
     * @return the new number of copies; negative if more were removed than added
     */
    public int change(EdgeBatch batch, int i, int by) {
        return change(batch, i, batch.place(i), by);
    }

    /**
     * Changes the copies of an edge as {@link #change(EdgeBatch, int, int)} does, at another place than the batch has.
     */
    int change(EdgeBatch batch, int i, int place, int by) {
        long weight = Double.doubleToLongBits(batch.weight(i));
        return change(batch.source(i), batch.target(i), weight, batch.timestamp(i), batch.key(i), place, by);
    }

    private int change(long source, long target, long weight, long timestamp, long key, int place, int by) {
        int at = find(source, target, weight, timestamp, key, place);
        int row = table[at] - 1;
        if (row < 0) {
            if (by != 0) {
                edges.append(source, target, weight, timestamp, key, place, by);
                table[at] = edges.size();
                if (edges.size() > table.length / 2) {
                    growTable();
                }
                copies += by;
            }
            return by;
        }
        copies += by;
        int count = edges.addCount(row, by);
        if (count == 0) {
            delete(at, row);
        }
        return count;
    }

    /** Returns the number of copies of edge {@code i} of a batch. */
    int count(EdgeBatch batch, int i) {
        long weight = Double.doubleToLongBits(batch.weight(i));
        int row =
                table[find(batch.source(i), batch.target(i), weight, batch.timestamp(i), batch.key(i), batch.place(i))]
                        - 1;
        return row < 0 ? 0 : edges.count(row);
    }

    private int find(long source, long target, long weight, long timestamp, long key, int place) {
        int mask = table.length - 1;
        int at = CountedEdges.hash(source, target, weight, timestamp, key) & mask;
        for (int entry = table[at]; entry != 0; entry = table[at]) {
            if (edges.isAt(entry - 1, source, target, weight, timestamp, key, place)) {
                break;
            }
            at = at + 1 & mask;
        }
        return at;
    }

    private void growTable() {
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int row = 0; row < edges.size(); row++) {
            int at = edges.hash(row) & mask;
            while (table[at] != 0) {
                at = at + 1 & mask;
            }
            table[at] = row + 1;
        }
    }

    /** Deletes by backward shift (Knuth 6.4, algorithm R); the last row moves to the deleted one. */
    private void delete(int at, int row) {
        int mask = table.length - 1;
        int hole = at;
        for (int next = hole + 1 & mask; table[next] != 0; next = next + 1 & mask) {
            int home = edges.hash(table[next] - 1) & mask;
            if ((next - home & mask) >= (next - hole & mask)) {
                table[hole] = table[next];
                hole = next;
            }
        }
        table[hole] = 0;
        int last = edges.size() - 1;
        if (row != last) {
            int moved = find(
                    edges.source(last),
                    edges.target(last),
                    edges.weightBits(last),
                    edges.timestamp(last),
                    edges.key(last),
                    edges.place(last));
            table[moved] = row + 1;
        }
        edges.remove(row);
    }

    /** Returns the number of copies of all edges; negative counts are subtracted. */
    public long copies() {
        return copies;
    }

    /** Returns the number of different edges whose count is not 0. */
    int distinct() {
        return edges.size();
    }

    boolean isEmpty() {
        return edges.size() == 0;
    }

    /** Returns the number of copies that were removed but never added: the sum of the negative counts. */
    long missing() {
        long missing = 0;
        for (int row = 0; row < edges.size(); row++) {
            missing -= Math.min(0, edges.count(row));
        }
        return missing;
    }

    /** Describes one edge for a message; the same edge for equal contents. */
    String example() {
        int row = edges.orderByEnds()[0];
        return "edge (%d, %d), counted %d times".formatted(edges.source(row), edges.target(row), edges.count(row));
    }

    /** Takes an edge with its number of copies. */
    interface RowConsumer {
        void accept(long source, long target, int place, int count);
    }

    /** Passes each different edge once, in no particular order. */
    void forEachRow(RowConsumer consumer) {
        for (int row = 0; row < edges.size(); row++) {
            consumer.accept(edges.source(row), edges.target(row), edges.place(row), edges.count(row));
        }
    }

    /**
     * Passes all copies in ascending order of source, target, timestamp, weight and key, with their places. The order
     * depends on the contents alone, unless edges differ only in their places.
     *
     * @param consumer takes batches, each valid only until the call returns
     * @throws IllegalStateException if a count is negative
     */
    public void forEach(Consumer<EdgeBatch> consumer) {
        EdgeBatch batch = new EdgeBatch();
        for (int row : edges.order()) {
            if (edges.count(row) < 0) {
                throw new IllegalStateException("edge (%d, %d) was removed more often than it was added"
                        .formatted(edges.source(row), edges.target(row)));
            }
            for (int copy = 0; copy < edges.count(row); copy++) {
                edges.copyTo(batch, row);
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
}
