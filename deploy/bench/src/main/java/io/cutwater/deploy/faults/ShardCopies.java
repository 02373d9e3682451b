package io.cutwater.deploy.faults;

import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Copies of edges in shards, and the graph that they form.
 *
 * <p>In a vertex partitioning the copy in the shard of the source's owner counts as the edge, and the one in the shard
 * of the target's owner must be there as often.
 */
public final class ShardCopies {
    private final Map<Copy, Integer> copies = new HashMap<>();

    private long changes;

    private record Copy(int shard, Edge edge, int place) {
        boolean isOfSource() {
            return place == EdgeBatch.NO_PLACE || Place.ofSource(place) == shard;
        }

        /** Returns the copy in the other shard that has the edge; this one if there is only one. */
        Copy twin() {
            if (place == EdgeBatch.NO_PLACE || Place.ofSource(place) == Place.ofTarget(place)) {
                return this;
            }
            int other = isOfSource() ? Place.ofTarget(place) : Place.ofSource(place);
            return new Copy(other, edge, place);
        }
    }

    /** Applies one record to its shard. */
    void add(int shard, Header header, EdgeBatch edges) {
        int step = header.kind().change().isEntering() ? 1 : -1;
        for (int i = 0; i < edges.size(); i++) {
            Copy copy = new Copy(shard, new Edge(edges.source(i), edges.target(i)), edges.place(i));
            copies.merge(copy, step, ShardCopies::sum);
        }
        changes += edges.size();
    }

    /** Applies many records that were counted separately. */
    void addAll(ShardCopies others) {
        others.copies.forEach((copy, count) -> copies.merge(copy, count, ShardCopies::sum));
        changes += others.changes;
    }

    /** Returns null, which removes the entry, for 0. */
    private static @Nullable Integer sum(Integer a, Integer b) {
        int sum = a + b;
        return sum == 0 ? null : sum;
    }

    /** Returns the number of edges that entered or left so far; it grows with every commit that has edges. */
    public long changes() {
        return changes;
    }

    /** Returns how often each edge is in the shards; never 0. */
    public Map<Edge, Integer> edges() {
        Map<Edge, Integer> edges = new HashMap<>();
        copies.forEach((copy, count) -> {
            if (copy.isOfSource()) {
                edges.merge(copy.edge(), count, ShardCopies::sum);
            }
        });
        return edges;
    }

    /** Returns the number of edges in the shards, each copy of an edge counted once. */
    public long size() {
        return copies.entrySet().stream()
                .filter(entry -> entry.getKey().isOfSource())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Edges of all shards together: a cut edge of a vertex partitioning counts twice. */
    long total() {
        return copies.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Returns the degree and the shards of each vertex, as {@link #vertex} writes them. */
    Map<Long, String> vertices() {
        Map<Long, Integer> degrees = new HashMap<>();
        Map<Long, Set<Integer>> shards = new HashMap<>();
        copies.forEach((copy, count) -> {
            for (long end : List.of(copy.edge().source(), copy.edge().target())) {
                shards.computeIfAbsent(end, vertex -> new TreeSet<>()).add(copy.shard());
                degrees.merge(end, copy.isOfSource() ? count : 0, Integer::sum);
            }
        });
        Map<Long, String> vertices = new HashMap<>();
        shards.forEach((vertex, in) -> vertices.put(vertex, vertex(degrees.getOrDefault(vertex, 0), in.toString())));
        return vertices;
    }

    /** @param degree self-loops count twice */
    static String vertex(long degree, String shards) {
        return "degree %d in shards %s".formatted(degree, shards);
    }

    /**
     * Returns what is wrong, as a sentence; empty if every edge is there as often as it should be.
     *
     * @param partitions shards from this number on must be empty; 0 for any number
     */
    public String compare(Map<Edge, Integer> expected, int partitions) {
        Map<Edge, Integer> actual = edges();
        Difference difference = new Difference();
        expected.forEach((edge, count) -> difference.add(edge, actual.getOrDefault(edge, 0) - count));
        actual.forEach((edge, count) -> {
            if (!expected.containsKey(edge)) {
                difference.add(edge, count);
            }
        });
        long halves = copies.entrySet().stream()
                .filter(entry ->
                        !entry.getValue().equals(copies.get(entry.getKey().twin())))
                .count();
        long outside = copies.keySet().stream()
                .filter(copy -> partitions > 0 && copy.shard() >= partitions)
                .count();
        return difference
                + (halves == 0 ? "" : ", %d cut edges are not in the shards of both owners".formatted(halves))
                + (outside == 0
                        ? ""
                        : ", %d edges are in shards from %d on: %s".formatted(outside, partitions, loads()));
    }

    /** Returns the number of copies by shard. */
    private Map<Integer, Integer> loads() {
        Map<Integer, Integer> loads = new TreeMap<>();
        copies.forEach((copy, count) -> loads.merge(copy.shard(), count, Integer::sum));
        return loads;
    }

    private static final class Difference {
        private long missing;
        private long surplus;
        private String example = "";

        void add(Edge edge, int more) {
            missing += Math.max(0, -more);
            surplus += Math.max(0, more);
            if (more != 0 && example.isEmpty()) {
                example = edge.toString();
            }
        }

        @Override
        public String toString() {
            return missing == 0 && surplus == 0
                    ? ""
                    : "%d edges are missing, %d too many, such as %s".formatted(missing, surplus, example);
        }
    }
}
