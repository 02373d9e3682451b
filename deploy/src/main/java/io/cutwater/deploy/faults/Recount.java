package io.cutwater.deploy.faults;

import io.cutwater.kafka.client.ShardTopicReader;
import io.cutwater.kafka.record.ShardRecordCodec.Header;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the edges of the committed records of topic {@code shards}, without anything that the job says of them.
 *
 * <p>Of a vertex partitioning the copy in the shard of the source's owner counts as the edge, and the one in the shard
 * of the target's owner must be there as often.
 */
final class Recount {
    private final String servers;
    private final String topic;
    private final Map<Copy, Integer> copies = new HashMap<>();
    private final Map<Integer, Long> read = new HashMap<>();
    private long changes;

    private record Copy(int shard, Edge edge, int place) {
        boolean isOfSource() {
            return place == EdgeBatch.NO_PLACE || OwnerPair.ofSource(place) == shard;
        }

        /** The copy in the other shard that has the edge; this one if there is only one. */
        Copy twin() {
            if (place == EdgeBatch.NO_PLACE || OwnerPair.ofSource(place) == OwnerPair.ofTarget(place)) {
                return this;
            }
            int other = isOfSource() ? OwnerPair.ofTarget(place) : OwnerPair.ofSource(place);
            return new Copy(other, edge, place);
        }
    }

    /** @param servers of the broker, on a way that no fault cuts */
    Recount(String servers, String topic) {
        this.servers = servers;
        this.topic = topic;
    }

    /**
     * Reads what was committed since the last call.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer, or the topic is missing; then
     *     nothing was counted
     */
    void readOn() {
        Map<Copy, Integer> added = new HashMap<>();
        long[] count = new long[1];
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
            ends = admin.consistentEndOffsets(topic);
        }
        if (!ends.equals(read)) {
            new ShardTopicReader(servers, Map.of())
                    .read(topic, read, ends, (shard, header, edges) -> count[0] += add(shard, header, edges, added));
        }
        added.forEach((copy, n) -> copies.merge(copy, n, Recount::sum));
        changes += count[0];
        read.putAll(ends);
    }

    private static int add(int shard, Header header, EdgeBatch edges, Map<Copy, Integer> into) {
        int step = header.kind().change().isEntering() ? 1 : -1;
        for (int i = 0; i < edges.size(); i++) {
            Copy copy = new Copy(shard, new Edge(edges.source(i), edges.target(i)), edges.place(i));
            into.merge(copy, step, Recount::sum);
        }
        return edges.size();
    }

    /** Null, which takes the entry away, for 0. */
    private static @Nullable Integer sum(Integer a, Integer b) {
        int sum = a + b;
        return sum == 0 ? null : sum;
    }

    /** Edges that entered or left so far: grows with every commit that holds edges. */
    long changes() {
        return changes;
    }

    /** How often each edge is in the shards; never 0. */
    Map<Edge, Integer> edges() {
        Map<Edge, Integer> edges = new HashMap<>();
        copies.forEach((copy, count) -> {
            if (copy.isOfSource()) {
                edges.merge(copy.edge(), count, Recount::sum);
            }
        });
        return edges;
    }

    /** Edges in the shards, each copy of an edge counted once. */
    long size() {
        return copies.entrySet().stream()
                .filter(entry -> entry.getKey().isOfSource())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * What is wrong, as a sentence; empty if every edge is there as often as it should.
     *
     * @param partitions shards from this number on must be empty; 0 for any number
     */
    String compare(Map<Edge, Integer> expected, int partitions) {
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

    /** Copies by shard. */
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
