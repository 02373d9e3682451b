package io.cutwater.trainer.live;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The committed contents of the topics of a simulated live job, and the shards that they make. */
final class SimulatedGraph {
    private static final int NOBODY = -1;

    /** An edge with its place: the shard in an edge partitioning, the owners in a vertex partitioning. */
    record Edge(long source, long target, int place) {}

    final List<Edge> edges = new ArrayList<>();
    final Map<Long, Integer> owners = new HashMap<>();

    private final PartitioningKind kind;
    private final List<Map<Long, float[]>> rows = new ArrayList<>();

    SimulatedGraph(PartitioningKind kind) {
        this.kind = kind;
    }

    SimulatedGraph copy() {
        SimulatedGraph copy = new SimulatedGraph(kind);
        copy.edges.addAll(edges);
        copy.owners.putAll(owners);
        rows.forEach(row -> copy.rows.add(new HashMap<>(row)));
        return copy;
    }

    /** Returns the class, or −1, and the features of vertices in a shard. */
    Map<Long, float[]> rows(int shard) {
        while (rows.size() <= shard) {
            rows.add(new HashMap<>());
        }
        return rows.get(shard);
    }

    TreeSet<Integer> shardsOf(Edge edge) {
        return kind == PartitioningKind.EDGE
                ? new TreeSet<>(List.of(edge.place()))
                : new TreeSet<>(List.of(Place.ofSource(edge.place()), Place.ofTarget(edge.place())));
    }

    long degree(long vertex) {
        return edges.stream()
                .mapToLong(edge -> (edge.source() == vertex ? 1 : 0) + (edge.target() == vertex ? 1 : 0))
                .sum();
    }

    int master(long vertex) {
        if (kind == PartitioningKind.VERTEX) {
            return owners.getOrDefault(vertex, NOBODY);
        }
        return edges.stream()
                .filter(edge -> edge.source() == vertex || edge.target() == vertex)
                .mapToInt(Edge::place)
                .max()
                .orElse(NOBODY);
    }

    /** Returns the expected shard as text, one line per vertex. */
    List<String> expected(int shard) {
        TreeMap<Long, List<Long>> neighbours = new TreeMap<>();
        for (Edge edge : edges) {
            if (shardsOf(edge).contains(shard)) {
                List<Long> ofSource = neighbours.computeIfAbsent(edge.source(), v -> new ArrayList<>());
                List<Long> ofTarget = neighbours.computeIfAbsent(edge.target(), v -> new ArrayList<>());
                if (edge.source() != edge.target()) {
                    ofSource.add(edge.target());
                    ofTarget.add(edge.source());
                }
            }
        }
        List<String> lines = new ArrayList<>();
        neighbours.forEach((vertex, ends) -> {
            boolean isOwned = master(vertex) == shard;
            float[] row = rows(shard).getOrDefault(vertex, new float[1 + SimulatedLiveJob.COLUMNS]);
            boolean isKnown = rows(shard).containsKey(vertex);
            int label = isKnown && isOwned ? (int) row[0] : -1;
            lines.add(line(
                    vertex,
                    isOwned,
                    ends,
                    label,
                    label < 0 ? VertexSplit.NONE : VertexSplit.TRAIN,
                    Arrays.copyOfRange(row, 1, row.length)));
        });
        return lines.stream().sorted().toList();
    }

    static String line(
            long vertex, boolean isOwned, List<Long> neighbours, int label, VertexSplit split, float[] features) {
        return "%d %s %s %d %s %s"
                .formatted(
                        vertex,
                        isOwned ? "owned" : "other",
                        neighbours.stream().sorted().toList(),
                        label,
                        split,
                        Arrays.toString(features));
    }

    /** Returns the number of vertices of a shard without a row. */
    int withoutFeatures(int shard) {
        TreeSet<Long> vertices = new TreeSet<>();
        edges.stream().filter(edge -> shardsOf(edge).contains(shard)).forEach(edge -> {
            vertices.add(edge.source());
            vertices.add(edge.target());
        });
        vertices.removeAll(rows(shard).keySet());
        return vertices.size();
    }

    /** Returns the degree in the whole graph, without self-loops that the shard has. */
    long degree(int shard, long vertex) {
        long loops = edges.stream()
                .filter(edge -> edge.source() == vertex && edge.target() == vertex)
                .filter(edge -> shardsOf(edge).contains(shard))
                .count();
        return degree(vertex) - 2 * loops;
    }
}
