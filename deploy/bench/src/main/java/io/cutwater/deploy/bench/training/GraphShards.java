package io.cutwater.deploy.bench.training;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Shards of a vertex partitioning in memory. Vertices without an edge are distributed round robin. */
final class GraphShards {
    private final EdgeBatch edges;
    private final int[] owners;
    private final int[] degrees;
    private final int partitions;
    private final boolean isAlone;

    private GraphShards(EdgeBatch edges, int[] owners, int partitions, boolean isAlone) {
        this.edges = edges;
        this.owners = owners;
        this.partitions = partitions;
        this.isAlone = isAlone;
        degrees = new int[owners.length];
        for (int i = 0; i < edges.size(); i++) {
            degrees[(int) edges.source(i)]++;
            degrees[(int) edges.target(i)]++;
        }
    }

    /** Returns the graph as one shard. */
    static GraphShards whole(EdgeBatch edges, int vertices) {
        return new GraphShards(edges, new int[vertices], 1, false);
    }

    /** @param isAlone whether edges between partitions are left out, instead of being in the shards of both ends */
    static GraphShards by(String algorithm, int partitions, EdgeBatch edges, int vertices, boolean isAlone) {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        PartitionerOptions options =
                PartitionerOptions.ofVertices(algorithm, partitions, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        VertexPlacement placement =
                VertexPassRunner.place(graph, Algorithms.vertexPartitioner(options, size), partitions);
        int[] owners = new int[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            owners[vertex] = vertex % partitions;
        }
        for (int slot = 0; slot < graph.vertexCount(); slot++) {
            owners[(int) graph.vertex(slot)] = placement.partition(slot);
        }
        return new GraphShards(edges, owners, partitions, isAlone);
    }

    /** Returns the share of the edges whose ends have different owners. */
    double cut() {
        long cut = 0;
        for (int i = 0; i < edges.size(); i++) {
            cut += owners[(int) edges.source(i)] == owners[(int) edges.target(i)] ? 0 : 1;
        }
        return (double) cut / edges.size();
    }

    /** @param folder without files of other shards */
    List<ShardStore> stores(VertexData data, Path folder) throws IOException {
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < partitions; shard++) {
            stores.add(ShardBuilder.build(shard, new Shard(shard), data, folder.resolve("shard-" + shard)));
        }
        return stores;
    }

    private final class Shard implements ShardInput {
        private final int shard;
        private final EdgeBatch inside = new EdgeBatch();
        private final BitSet members = new BitSet();

        Shard(int shard) {
            this.shard = shard;
            for (int vertex = 0; vertex < owners.length; vertex++) {
                members.set(vertex, owners[vertex] == shard);
            }
            for (int i = 0; i < edges.size(); i++) {
                int source = (int) edges.source(i);
                int target = (int) edges.target(i);
                int owned = (owners[source] == shard ? 1 : 0) + (owners[target] == shard ? 1 : 0);
                if (owned >= (isAlone ? 2 : 1)) {
                    inside.add(source, target);
                    members.set(source);
                    members.set(target);
                }
            }
        }

        @Override
        public void readVertices(VertexConsumer consumer) throws IOException {
            for (int vertex = members.nextSetBit(0); vertex >= 0; vertex = members.nextSetBit(vertex + 1)) {
                consumer.accept(vertex, owners[vertex] == shard, degrees[vertex]);
            }
        }

        @Override
        public void readEdges(EdgeConsumer consumer) throws IOException {
            consumer.accept(inside);
        }
    }
}
