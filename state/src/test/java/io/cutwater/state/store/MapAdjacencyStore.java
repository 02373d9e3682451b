package io.cutwater.state.store;

import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Rows in memory, which are counted. */
public final class MapAdjacencyStore implements AdjacencyStore {
    private final Map<Long, TreeMap<Key, byte[]>> rows = new HashMap<>();
    private int reads;
    private int longest;

    private record Key(long neighbour, boolean isOutgoing, int number) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = Long.compare(neighbour, other.neighbour);
            order = order != 0 ? order : Boolean.compare(isOutgoing, other.isOutgoing);
            return order != 0 ? order : Integer.compare(number, other.number);
        }
    }

    @Override
    public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
        reads++;
        TreeMap<Key, byte[]> ofVertex = rows.get(vertex);
        return ofVertex == null ? null : ofVertex.get(new Key(neighbour, isOutgoing, number));
    }

    @Override
    public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
        Key key = new Key(neighbour, isOutgoing, number);
        if (row != null) {
            longest = Math.max(longest, row.length);
            rows.computeIfAbsent(vertex, v -> new TreeMap<>()).put(key, row);
            return;
        }
        TreeMap<Key, byte[]> ofVertex = rows.get(vertex);
        if (ofVertex != null) {
            ofVertex.remove(key);
            if (ofVertex.isEmpty()) {
                rows.remove(vertex);
            }
        }
    }

    @Override
    public void forEach(long vertex, RowConsumer consumer) {
        Map<Key, byte[]> ofVertex = rows.getOrDefault(vertex, new TreeMap<>());
        new ArrayList<>(ofVertex.entrySet())
                .forEach(row -> consumer.accept(
                        vertex, row.getKey().neighbour(), row.getKey().isOutgoing(), row.getValue()));
    }

    /** Writes the rows of some vertices to another store. */
    public void copyTo(AdjacencyStore other, LongPredicate which) {
        rows.forEach((vertex, ofVertex) -> ofVertex.forEach((key, row) -> {
            if (which.test(vertex)) {
                other.write(vertex, key.neighbour(), key.isOutgoing(), key.number(), row);
            }
        }));
    }

    /** Returns the copies of all kept edges, by row 0 and the oldest first: the same for any division into rows. */
    public Map<String, List<String>> copies() {
        Map<String, List<String>> all = new TreeMap<>();
        rows.forEach((vertex, ofVertex) -> ofVertex.keySet().forEach(key -> {
            EdgeBatch copies = new EdgeBatch(1);
            StoredEdges.ofOneEnd(new OneWay(this, key.isOutgoing()), 0)
                    .oldest(vertex, key.neighbour(), EdgeBatch.NO_KEY, Integer.MAX_VALUE / 2, copies);
            List<String> ofEdge = new ArrayList<>();
            for (int i = 0; i < copies.size(); i++) {
                ofEdge.add(
                        "%d %s %d %d".formatted(copies.place(i), copies.weight(i), copies.timestamp(i), copies.key(i)));
            }
            all.put("%d %d %s".formatted(vertex, key.neighbour(), key.isOutgoing()), ofEdge);
        }));
        return all;
    }

    private record OneWay(AdjacencyStore store, boolean isOutgoing) implements AdjacencyStore {
        @Override
        public byte @Nullable [] read(long vertex, long neighbour, boolean ignored, int number) {
            return store.read(vertex, neighbour, isOutgoing, number);
        }

        @Override
        public void write(long vertex, long neighbour, boolean ignored, int number, byte @Nullable [] row) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forEach(long vertex, RowConsumer consumer) {
            throw new UnsupportedOperationException();
        }
    }

    /** Rows that were asked for one by one. */
    public int reads() {
        return reads;
    }

    /** Bytes of the longest row that was ever written. */
    public int longest() {
        return longest;
    }

    public int rows() {
        return rows.values().stream().mapToInt(Map::size).sum();
    }

    public long bytes() {
        return rows.values().stream()
                .flatMap(ofVertex -> ofVertex.values().stream())
                .mapToLong(row -> row.length)
                .sum();
    }
}
