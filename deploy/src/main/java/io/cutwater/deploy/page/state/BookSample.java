package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.reader.FollowedRecord;
import io.cutwater.state.graph.Hashing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A sample of the partition book in bounded memory: all vertices of a small graph, and of a larger one those whose
 * hashed id begins with enough zero bits, which are a random share. Thread-safe.
 */
public final class BookSample {
    /** Partitions of the matrix at most; more are shown in groups. */
    static final int GROUPS = 64;

    private final int capacity;
    private final PartitionBookCodec codec = new PartitionBookCodec();
    private final Map<Long, PartitionBookEntry> entries = new HashMap<>();
    /** Sampled vertices whose owner has changed, by the partition before and the one after. */
    private final Map<Long, Long> moves = new TreeMap<>();

    private int zeroBits;

    /** @param capacity largest number of vertices, at least 1 */
    public BookSample(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Reads a record of the book.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    synchronized void accept(FollowedRecord record) {
        long vertex = PartitionBookCodec.vertex(record.key());
        if (!isSampled(vertex)) {
            return;
        }
        byte[] value = record.value();
        if (value == null) {
            entries.remove(vertex);
            return;
        }
        PartitionBookEntry entry = codec.decode(record.key(), value);
        PartitionBookEntry before = entries.put(vertex, entry);
        if (before != null && before.owner() != entry.owner() && before.owner() >= 0 && entry.owner() >= 0) {
            moves.merge((long) before.owner() << Integer.SIZE | entry.owner(), 1L, Long::sum);
        }
        while (entries.size() > capacity) {
            zeroBits++;
            entries.keySet().removeIf(kept -> !isSampled(kept));
        }
    }

    /** Forgets which vertices have moved: a re-partitioning begins. */
    synchronized void beginMoves() {
        moves.clear();
    }

    private boolean isSampled(long vertex) {
        return zeroBits == 0 || Hashing.mix64(vertex, 0) >>> (Long.SIZE - zeroBits) == 0;
    }

    /** Returns whether the sample is the whole book. */
    public synchronized boolean isWhole() {
        return zeroBits == 0;
    }

    public synchronized Optional<PartitionBookEntry> entry(long vertex) {
        return Optional.ofNullable(entries.get(vertex));
    }

    /**
     * Returns the expected replication factor if each edge were on a random partition: a vertex of degree d is then on
     * k (1 − (1 − 1/k)^d) of k partitions.
     *
     * @return NaN without vertices
     */
    synchronized double randomReplicationFactor(int k) {
        double replicas = 0;
        for (PartitionBookEntry entry : entries.values()) {
            replicas += k * (1 - Math.pow(1 - 1.0 / k, entry.degree()));
        }
        return entries.isEmpty() ? Double.NaN : replicas / entries.size();
    }

    /**
     * Counts, for each pair of partitions, the vertices whose master or owner is on the first and that have a copy on
     * the second, which is where the shards communicate.
     *
     * @param partitions k; partitions are counted in groups of equal size if there are more than {@link #GROUPS}
     * @return {@code groupSize}, {@code share} of the vertices that are counted, {@code vertices} counted,
     *     {@code rows}: the counts by group of the master and of the copy, and {@code moves}: triples of the groups
     *     before and after, and the number of vertices whose master or owner has moved so since a re-partitioning began
     */
    public synchronized ObjectNode copies(int partitions, ObjectNode tree) {
        int size = Math.max(1, (partitions + GROUPS - 1) / GROUPS);
        int groups = (partitions + size - 1) / size;
        long[][] counts = new long[groups][groups];
        long placed = 0;
        for (PartitionBookEntry entry : entries.values()) {
            if (entry.owner() < 0 || entry.owner() >= partitions) {
                continue;
            }
            placed++;
            for (int replica : entry.replicas()) {
                if (replica != entry.owner() && replica < partitions) {
                    counts[entry.owner() / size][replica / size]++;
                }
            }
        }
        tree.put("groupSize", size).put("share", 1.0 / (1L << zeroBits)).put("vertices", placed);
        ArrayNode rows = tree.putArray("rows");
        for (long[] row : counts) {
            ArrayNode cells = rows.addArray();
            for (long count : row) {
                cells.add(count);
            }
        }
        putMoves(size, tree.putArray("moves"));
        return tree;
    }

    private void putMoves(int groupSize, ArrayNode triples) {
        Map<Long, Long> byGroup = new TreeMap<>();
        moves.forEach((pair, count) -> {
            long before = (pair >>> Integer.SIZE) / groupSize;
            long after = (pair & Integer.MAX_VALUE) / groupSize;
            byGroup.merge(before << Integer.SIZE | after, count, Long::sum);
        });
        byGroup.forEach((pair, count) -> triples.addArray()
                .add(pair >>> Integer.SIZE)
                .add(pair & Integer.MAX_VALUE)
                .add(count.longValue()));
    }
}
