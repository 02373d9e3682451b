package io.cutwater.trainer.sync;

import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.linked.GraphAnswers;
import io.cutwater.trainer.linked.GraphReader;
import io.cutwater.trainer.linked.GraphSampler;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.linked.RowTable;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.SamplingOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Reads a linked shard layer by layer, and keeps the results of layers in files, from which other shards read rows.
 * Used by one thread; the results by any.
 */
public final class GraphLayers implements LayerData {
    /** Number of the table of embeddings; the tables of the results of layers follow. */
    static final int EMBEDDINGS = 0;

    /** Maximum number of edges computed at once; a vertex with more is alone. */
    private static final long MAX_EDGES = 1 << 18;

    private final LinkedShard shard;
    private final GnnNetwork network;
    private final int embeddings;
    private final int[] vertices;
    private final GraphReader reader;
    private final GraphSampler sampler;
    private final BufferPool buffers = new BufferPool();
    private final SampledFeatures features;
    private final DenseFeatures[] results;

    /**
     * Creates layers whose results other shards may read.
     *
     * @param embeddings values of a learned row; 0 if vertices have features
     * @param scratch folder for intermediate results, without those of another instance; that of the links if other
     *     processes read them in files
     */
    public GraphLayers(
            LinkedShard shard, GraphAnswers answers, GnnNetwork network, RowCache cache, int embeddings, Path scratch)
            throws IOException {
        this.shard = shard;
        this.network = network;
        this.embeddings = embeddings;
        vertices = IntStream.range(0, shard.store().vertexCount())
                .filter(shard::isHome)
                .toArray();
        reader = new GraphReader(shard);
        sampler = new GraphSampler(reader);
        features = new SampledFeatures(shard, reader, cache, buffers);
        results = new DenseFeatures[network.layerCount() - 1];
        for (int layer = 0; layer < results.length; layer++) {
            DenseFeatures rows = DenseFeatures.create(
                    scratch.resolve(GraphAnswers.fileOf(EMBEDDINGS + 1 + layer)),
                    shard.store().vertexCount(),
                    network.width(layer));
            results[layer] = rows;
            answers.offer(EMBEDDINGS + 1 + layer, RowTable.of(rows));
        }
    }

    @Override
    public int count(boolean isLast) {
        // Owned vertices have the lowest local numbers, so position and number are equal.
        return isLast ? shard.store().ownedCount() : vertices.length;
    }

    @Override
    public Chunk read(int layer, int from) throws IOException, InterruptedException {
        int end = count(layer == network.layerCount() - 1);
        sampler.begin();
        int to = from;
        long edges = 0;
        while (to < end && (to == from || edges < MAX_EDGES)) {
            int local = vertices[to++];
            sampler.target(shard.address(local), shard.degree(local));
            edges += shard.degree(local) + 1L;
        }
        Hop hop = sampler.hop(SamplingOptions.ALL, 0);
        return new Chunk(from, hop, inputs(layer, sampler.vertices()));
    }

    private InputRows inputs(int layer, long[] of) throws IOException, InterruptedException {
        if (layer == 0 && embeddings == 0) {
            return features.read(of);
        }
        int width = layer == 0 ? embeddings : network.width(layer - 1);
        ByteBuffer bytes = buffers.take((long) of.length * width * Float.BYTES);
        reader.rows(EMBEDDINGS + layer, layer > 0, width, of, of.length, bytes.asFloatBuffer());
        return new InputRows.Dense(of.length, width, bytes);
    }

    @Override
    public void giveBack(Chunk chunk) {
        if (chunk.inputs() instanceof InputRows.Dense dense) {
            buffers.giveBack(dense.values());
        }
    }

    @Override
    public void keep(int layer, int from, float[] rows) throws IOException {
        int width = network.width(layer);
        for (int i = 0; i < rows.length / width; i++) {
            results[layer].putRows(vertices[from + i], Arrays.copyOfRange(rows, i * width, (i + 1) * width));
        }
    }

    @Override
    public void awaitKept() {}

    /** Copies the result of a layer but the last for a vertex whose home this is. */
    void result(int layer, int local, FloatBuffer into) {
        results[layer].copyRow(local, into);
    }

    /** Returns the bytes of questions to other shards, and of their answers, since the last call. */
    public long takeBytes() {
        return reader.takeBytes();
    }

    /** Returns the bytes that files on this host saved, since the last call. */
    public long takeMapped() {
        return reader.takeMapped();
    }
}
