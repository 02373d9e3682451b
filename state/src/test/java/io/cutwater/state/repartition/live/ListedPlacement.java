package io.cutwater.state.repartition.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** A job that is a list of edges; its live rule places at random where it may. */
final class ListedPlacement implements LocalPlacement {
    private static final int BUCKETS = 4;
    private static final int VERTICES = 200;

    /** An edge with its place. */
    record Placed(long source, long target, int partition) {}

    final List<Placed> edges = new ArrayList<>();
    final List<Integer> restrictions = new ArrayList<>();
    final SplittableRandom random;
    String refusal = "";
    boolean buffersLastVertices;
    int partitions;
    int open;
    long generation = -1;

    ListedPlacement(int partitions, long seed) {
        this.partitions = partitions;
        open = partitions;
        random = new SplittableRandom(seed);
    }

    void stream(int count) {
        for (int i = 0; i < count; i++) {
            edges.add(new Placed(random.nextLong(VERTICES), random.nextLong(VERTICES), random.nextInt(open)));
        }
    }

    void lose(int count) {
        for (int i = 0; i < count && !edges.isEmpty(); i++) {
            edges.remove(random.nextInt(edges.size()));
        }
    }

    @Override
    public String refusal(int wanted) {
        return refusal;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public Quality quality() {
        long[] load = new long[partitions];
        long[] replicas = new long[partitions];
        Set<Long> vertices = new HashSet<>();
        Set<List<Long>> counted = new HashSet<>();
        for (Placed edge : edges) {
            load[edge.partition()]++;
            for (long vertex : new long[] {edge.source(), edge.target()}) {
                vertices.add(vertex);
                replicas[edge.partition()] += counted.add(List.of(vertex, (long) edge.partition())) ? 1 : 0;
            }
        }
        return Quality.of(new PartitionLoads(load, replicas, vertices.size()), 0);
    }

    @Override
    public boolean isEmptyFrom(int partition) {
        return !buffersLastVertices && edges.stream().allMatch(edge -> edge.partition() < partition);
    }

    @Override
    public void setPartitions(int wanted) {
        assertThat(edges).allMatch(edge -> edge.partition() < wanted);
        partitions = wanted;
        open = wanted;
    }

    @Override
    public void restrictTo(int first) {
        assertThat(first).isBetween(1, partitions);
        open = first;
        restrictions.add(first);
    }

    @Override
    public void setGeneration(long begun) {
        generation = begun;
    }

    @Override
    public void beginScan() {}

    @Override
    public int buckets() {
        return BUCKETS;
    }

    @Override
    public long[] vertices(int bucket) {
        return edges.stream()
                .mapToLong(Placed::source)
                .filter(vertex -> vertex % BUCKETS == bucket)
                .distinct()
                .toArray();
    }

    @Override
    public void edgesOf(long vertex, EdgeBatch into) {
        for (Placed edge : edges) {
            if (edge.source() == vertex) {
                into.add(edge.source(), edge.target());
                into.setPlace(into.size() - 1, Place.of(edge.partition()));
            }
        }
    }

    @Override
    public long move(long source, long target, int from, int to) {
        int at = edges.indexOf(new Placed(source, target, from));
        if (at < 0) {
            return 0;
        }
        edges.set(at, new Placed(source, target, to));
        return 1;
    }

    /** The properties that no move may change. */
    List<List<Long>> graph() {
        return edges.stream()
                .map(edge -> List.of(edge.source(), edge.target()))
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .collect(Collectors.toList());
    }
}
