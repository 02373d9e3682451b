package io.cutwater.trainer.sync;

import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.training.Scorer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * Computes a network for the vertices of a shard with all their neighbours in the whole graph, layer by layer and at
 * the same time as the other shards: each waits for the results of all before the next layer.
 */
final class GraphScorer implements Scorer.Layerwise {
    /** Maximum number of edges computed at once; a vertex with more is alone. */
    private static final long MAX_EDGES = 1 << 18;

    private final SharedGraph graph;
    private final LinkedShards shards;
    private final int rank;
    private final GnnNetwork network;
    private final int[] vertices;
    private final GraphSampler sampler;
    private final BufferPool buffers = new BufferPool();
    private final SampledFeatures features;
    private long sent;

    /** @param scratch folder for intermediate results, without those of another instance */
    GraphScorer(SharedGraph graph, int rank, GnnNetwork network, RecentRows recent, Path scratch) throws IOException {
        this.graph = graph;
        this.rank = rank;
        this.network = network;
        shards = graph.shards();
        vertices = shards.verticesAt(rank);
        sampler = new GraphSampler(shards, rank);
        features = new SampledFeatures(shards, rank, recent, buffers);
        DenseFeatures[] results = new DenseFeatures[network.layerCount() - 1];
        for (int layer = 0; layer < results.length; layer++) {
            results[layer] = DenseFeatures.create(
                    scratch.resolve("layer-" + layer), shards.store(rank).vertexCount(), network.width(layer));
        }
        graph.results(rank, results);
    }

    @Override
    public void run(Scorer.Layers layers, Scorer.ScoreConsumer consumer) throws IOException {
        try {
            int last = network.layerCount() - 1;
            for (int layer = 0; layer < last; layer++) {
                DenseFeatures results = graph.results(rank)[layer];
                int width = network.width(layer);
                run(layer, layers, vertices.length, (from, scores) -> {
                    for (int i = 0; i < scores.length / width; i++) {
                        results.putRows(vertices[from + i], Arrays.copyOfRange(scores, i * width, (i + 1) * width));
                    }
                });
                graph.awaitAll();
            }
            // Owned vertices have the lowest local numbers, so position and number are equal.
            run(last, layers, shards.store(rank).ownedCount(), consumer);
            long read = features.sent();
            graph.counters(rank).add(new Traffic(0, 0, 0, 0, sent + read), Locality.NONE);
            sent = -read;
        } catch (IOException | RuntimeException e) {
            graph.fail("shard %d failed: %s".formatted(rank, e.getMessage()));
            throw e;
        }
    }

    private void run(int layer, Scorer.Layers layers, int end, Scorer.ScoreConsumer consumer) throws IOException {
        for (int from = 0; from < end; ) {
            sampler.begin();
            int to = from;
            long edges = 0;
            while (to < end && (to == from || edges < MAX_EDGES)) {
                long vertex = LinkedShards.address(rank, vertices[to++]);
                sampler.target(vertex);
                edges += shards.degree(vertex) + 1L;
            }
            Hop hop = sampler.hop(SamplingOptions.ALL, 0);
            InputRows inputs = layer == 0 ? inputs() : results(layer - 1);
            sent += sampler.takeBytes();
            consumer.accept(from, layers.compute(layer, hop, inputs));
            if (inputs instanceof InputRows.Dense dense) {
                buffers.giveBack(dense.values());
            }
            from = to;
        }
    }

    private InputRows inputs() {
        SharedEmbeddings embeddings = graph.embeddings();
        return embeddings == null
                ? features.read(sampler)
                : rows(embeddings.width(), (into, vertex) -> embeddings.read(vertex, into));
    }

    private InputRows results(int layer) {
        return rows(
                network.width(layer),
                (into, vertex) ->
                        graph.results(LinkedShards.shard(vertex))[layer].copyRow(LinkedShards.local(vertex), into));
    }

    private InputRows rows(int width, ObjLongConsumer<FloatBuffer> source) {
        int rows = sampler.vertexCount();
        ByteBuffer bytes = buffers.take((long) rows * width * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = 0; row < rows; row++) {
            long vertex = sampler.vertex(row);
            source.accept(values, vertex);
            if (LinkedShards.shard(vertex) != rank) {
                sent += Long.BYTES + (long) width * Float.BYTES;
            }
        }
        return new InputRows.Dense(rows, width, bytes);
    }
}
