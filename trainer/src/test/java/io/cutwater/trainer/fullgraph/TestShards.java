package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The shards of a random graph, of both kinds of partitioning. */
public final class TestShards implements FullGraphTrainers.Stores {
    private final ShardSource source;
    private final Path folder;

    public TestShards(RandomGraph graph, PartitioningKind kind, int k, Path folder) {
        this(source(graph, kind, k, folder), folder);
    }

    TestShards(ShardSource source, Path folder) {
        this.source = source;
        this.folder = folder;
    }

    private static ShardSource source(RandomGraph graph, PartitioningKind kind, int k, Path folder) {
        try {
            VertexData data = graph.data(folder, FeatureScaling.NONE);
            List<ShardInput> inputs = new ArrayList<>();
            for (int shard = 0; shard < k; shard++) {
                inputs.add(kind == PartitioningKind.VERTEX ? graph.input(shard, k) : edgeShard(graph, shard, k));
            }
            return new FixedShards(inputs, kind, data, ShapeOptions.FOUND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Edge i is in shard i mod k, and the lowest shard that has a vertex is its master. */
    private static ShardInput edgeShard(RandomGraph graph, int shard, int k) {
        Map<Long, Integer> masters = new HashMap<>();
        TreeSet<Long> members = new TreeSet<>();
        EdgeBatch own = new EdgeBatch();
        Map<Long, Long> degrees = new HashMap<>();
        for (int i = 0; i < graph.edges.size(); i++) {
            for (long vertex : graph.edges.get(i)) {
                masters.merge(vertex, i % k, Math::min);
                degrees.merge(vertex, 1L, Long::sum);
                if (i % k == shard) {
                    members.add(vertex);
                }
            }
            if (i % k == shard) {
                own.add(graph.edges.get(i)[0], graph.edges.get(i)[1]);
            }
        }
        for (long vertex = 0; vertex < graph.vertices; vertex++) {
            if (!masters.containsKey(vertex) && vertex % k == shard) {
                members.add(vertex);
                masters.put(vertex, shard);
            }
        }
        return new ShardInput() {
            @Override
            public void readVertices(VertexConsumer consumer) throws IOException {
                for (long vertex : members) {
                    consumer.accept(vertex, masters.get(vertex) == shard, degrees.getOrDefault(vertex, 0L));
                }
            }

            @Override
            public void readEdges(EdgeConsumer consumer) throws IOException {
                consumer.accept(own);
            }
        };
    }

    public ShardSource source() {
        return source;
    }

    @Override
    public PartitioningKind kind() throws IOException, InterruptedException {
        return source.kind();
    }

    @Override
    public void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException {
        ShardStore store = source.make(shard, cut, Files.createTempDirectory(folder, "shard"));
        consumer.accept(store);
    }
}
