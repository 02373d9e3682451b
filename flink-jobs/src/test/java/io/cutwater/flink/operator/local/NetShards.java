package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Contents of the shards after all changes, with the resulting vertices and quality. */
public final class NetShards {
    /** @param owners {@link EdgeBatch#NO_PLACE} in an edge partitioning */
    private record Edge(int shard, long source, long target, double weight, int owners) {}

    private final Map<Edge, Integer> copies = new HashMap<>();
    private final int partitions;

    public NetShards(int partitions) {
        this.partitions = partitions;
    }

    public void apply(ShardBatch batch) {
        EdgeBatch edges = batch.edges();
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = new Edge(batch.shard(), edges.source(i), edges.target(i), edges.weight(i), edges.place(i));
            int left = copies.getOrDefault(edge, 0) + (batch.change().isEntering() ? 1 : -1);
            assertThat(left).as("copies of %s", edge).isNotNegative();
            if (left == 0) {
                copies.remove(edge);
            } else {
                copies.put(edge, left);
            }
        }
    }

    public boolean isEmpty() {
        return copies.isEmpty();
    }

    /** The graph: how many copies there are of each edge, by its ends. */
    public Map<String, Integer> graph() {
        Map<String, Integer> graph = new TreeMap<>();
        copies.forEach((edge, count) -> {
            assertThat(isInPlace(edge))
                    .as("%s is in the shard of an owner", edge)
                    .isTrue();
            if (isCountedHere(edge)) {
                graph.merge(edge.source + " " + edge.target, count, Integer::sum);
            }
        });
        return graph;
    }

    private static boolean isInPlace(Edge edge) {
        return edge.owners == EdgeBatch.NO_PLACE
                || Place.ofSource(edge.owners) == edge.shard
                || Place.ofTarget(edge.owners) == edge.shard;
    }

    /** A cut edge is in two shards, and counts in that of its source. */
    private static boolean isCountedHere(Edge edge) {
        return edge.owners == EdgeBatch.NO_PLACE || Place.ofSource(edge.owners) == edge.shard;
    }

    /** The partitions of each vertex, ascending. */
    public Map<Long, List<Integer>> replicas() {
        Map<Long, TreeSet<Integer>> sets = new TreeMap<>();
        for (Edge edge : copies.keySet()) {
            sets.computeIfAbsent(edge.source, v -> new TreeSet<>()).add(edge.shard);
            sets.computeIfAbsent(edge.target, v -> new TreeSet<>()).add(edge.shard);
        }
        Map<Long, List<Integer>> replicas = new TreeMap<>();
        sets.forEach((vertex, set) -> replicas.put(vertex, List.copyOf(set)));
        return replicas;
    }

    /** The edges of each vertex, self-loops twice. */
    public Map<Long, Long> degrees() {
        Map<Long, Long> degrees = new TreeMap<>();
        copies.forEach((edge, count) -> {
            if (isCountedHere(edge)) {
                degrees.merge(edge.source, (long) count, Long::sum);
                degrees.merge(edge.target, (long) count, Long::sum);
            }
        });
        return degrees;
    }

    /** Counted from the shards alone, of the kind that the edges have. */
    public Quality quality(boolean isOfVertices) {
        long edges = graph().values().stream().mapToLong(Integer::longValue).sum();
        long[] edgesOn = new long[partitions];
        copies.forEach((edge, count) -> {
            assertThat(edge.shard).as("shard of %s", edge).isLessThan(partitions);
            edgesOn[edge.shard] += count;
        });
        long[] verticesOn = new long[partitions];
        replicas().values().forEach(set -> set.forEach(partition -> verticesOn[partition]++));
        int vertices = replicas().size();
        return isOfVertices
                ? ofVertices(vertices, edges, edgesOn, verticesOn)
                : ofEdges(vertices, edges, edgesOn, verticesOn);
    }

    private Quality ofEdges(int vertices, long edges, long[] edgesOn, long[] verticesOn) {
        List<PartitionQuality> each = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            each.add(new PartitionQuality(p, verticesOn[p], edgesOn[p]));
        }
        return Quality.ofEdges(partitions, vertices, edges, 0, each);
    }

    private Quality ofVertices(int vertices, long edges, long[] edgesOn, long[] verticesOn) {
        long[] owned = new long[partitions];
        long[] volume = new long[partitions];
        Map<Long, Long> degrees = degrees();
        owners().forEach((vertex, owner) -> {
            owned[owner]++;
            volume[owner] += degrees.get(vertex);
        });
        List<PartitionQuality> each = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            each.add(new PartitionQuality(p, owned[p], volume[p], verticesOn[p] - owned[p], edgesOn[p]));
        }
        return Quality.ofVertices(partitions, vertices, edges, 0, each);
    }

    /** Returns the owner of each vertex of a vertex partitioning; all its edges must agree. */
    public Map<Long, Integer> owners() {
        Map<Long, Integer> owners = new TreeMap<>();
        for (Edge edge : copies.keySet()) {
            own(owners, edge.source, Place.ofSource(edge.owners));
            own(owners, edge.target, Place.ofTarget(edge.owners));
        }
        return owners;
    }

    private static void own(Map<Long, Integer> owners, long vertex, int owner) {
        Integer other = owners.put(vertex, owner);
        assertThat(other).as("owner of %d", vertex).isIn(null, owner);
    }
}
