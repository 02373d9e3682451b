package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A stream of edges before an assigner, and the shards that come out. Edges are known by their number. */
final class OwnedEdges implements PlacedEdges {
    final EdgeBatch graph;
    final int partitionCount;
    final VertexTable vertices;
    final PartitionLoads loads;
    final Placement assigner;

    /** The partitions of each edge, in the order in which the edges were placed. */
    final Map<Integer, List<Integer>> shards = new LinkedHashMap<>();

    OwnedEdges(EdgeBatch graph, PartitionerOptions options) {
        this(graph, options, VertexStore.NONE, Long.MAX_VALUE, 0, new PartitionLoads(options.partitionCount()));
    }

    OwnedEdges(
            EdgeBatch graph,
            PartitionerOptions options,
            VertexStore store,
            long cacheBytes,
            long vertexCount,
            PartitionLoads loads) {
        this.graph = graph;
        this.loads = loads;
        partitionCount = options.partitionCount();
        vertices = new VertexTable(
                Algorithms.get(PartitioningKind.VERTEX, options.algorithm()).layout(options),
                store,
                cacheBytes,
                vertexCount,
                VertexTable.Listener.NONE);
        assigner = new Placement(Algorithms.vertexRule(options), vertices, loads);
    }

    /** The whole graph in batches of a size. */
    OwnedEdges run(int batchSize) {
        for (int from = 0; from < graph.size(); from += batchSize) {
            feed(from, Math.min(graph.size(), from + batchSize));
        }
        assigner.placeHeld(this);
        return this;
    }

    void feed(int from, int to) {
        EdgeBatch batch = new EdgeBatch(to - from + 1);
        for (int i = from; i < to; i++) {
            batch.add(graph.source(i), graph.target(i), Double.NaN, i);
            if (graph.hasPlaces()) {
                batch.setPlace(batch.size() - 1, graph.place(i));
            }
        }
        assigner.accept(batch, this);
    }

    @Override
    public void placed(long source, long target, double weight, long edge, long key, int place) {
        assertThat(source).isEqualTo(graph.source((int) edge));
        assertThat(target).isEqualTo(graph.target((int) edge));
        List<Integer> in = shards.computeIfAbsent((int) edge, e -> new ArrayList<>());
        in.add(Place.ofSource(place));
        if (Place.ofTarget(place) != Place.ofSource(place)) {
            in.add(Place.ofTarget(place));
        }
    }

    /** The owners of all vertices of the edges that are placed. */
    Map<Long, Integer> owners() {
        Map<Long, Integer> owners = new HashMap<>();
        for (int edge : shards.keySet()) {
            for (long vertex : new long[] {graph.source(edge), graph.target(edge)}) {
                owners.put(vertex, vertices.master(vertices.slot(vertex)));
            }
        }
        return owners;
    }

    /** Counted from the shards as they are now. */
    Quality recount() {
        Map<Long, Integer> owners = owners();
        long[] volumes = new long[partitionCount];
        long[] edges = new long[partitionCount];
        List<Set<Long>> copies = new ArrayList<>();
        List<Set<Long>> owned = new ArrayList<>();
        for (int p = 0; p < partitionCount; p++) {
            copies.add(new HashSet<>());
            owned.add(new HashSet<>());
        }
        shards.forEach((edge, partitions) -> partitions.forEach(p -> {
            edges[p]++;
            for (long vertex : new long[] {graph.source(edge), graph.target(edge)}) {
                copies.get(p).add(vertex);
                if (owners.get(vertex) == (int) p) {
                    owned.get(p).add(vertex);
                    volumes[p]++;
                }
            }
        }));
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int p = 0; p < partitionCount; p++) {
            int own = owned.get(p).size();
            perPartition.add(
                    new PartitionQuality(p, own, volumes[p], copies.get(p).size() - own, edges[p]));
        }
        return Quality.ofVertices(partitionCount, owners.size(), shards.size(), 0, perPartition);
    }
}
