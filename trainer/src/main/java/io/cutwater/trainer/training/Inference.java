package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.output.EmbeddingSource;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.ChunkReader;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Computes a network for all vertices of a shard with all their neighbours, layer by layer, so that each vertex is
 * computed once per layer. Intermediate results are in memory-mapped files. Used by one thread at a time.
 */
public final class Inference implements Scorer, EmbeddingSource {
    private final ShardStore store;
    private final GnnNetwork network;
    private final Tensors tensors;
    private final ChunkReader chunks;
    private final DenseFeatures[] between;

    /** @param scratch folder for intermediate results, without those of another instance */
    public Inference(ShardStore store, GnnNetwork network, Tensors tensors, Path scratch) throws IOException {
        this.store = store;
        this.network = network;
        this.tensors = tensors;
        chunks = new ChunkReader(store, tensors.holds());
        between = new DenseFeatures[network.layerCount() - 1];
        for (int layer = 0; layer < between.length; layer++) {
            between[layer] =
                    DenseFeatures.create(scratch.resolve("layer-" + layer), store.vertexCount(), network.width(layer));
        }
    }

    @Override
    public void run(List<NDArray> weights, ScoreConsumer consumer) throws IOException {
        Torch.recordGradients(false);
        Features inputs = store.features();
        for (int layer = 0; layer < between.length; layer++) {
            DenseFeatures outputs = between[layer];
            // Includes vertices of other owners, which the next layer reads.
            runLayer(layer, weights, inputs, store.vertexCount(), outputs::putRows);
            inputs = outputs;
        }
        runLayer(between.length, weights, inputs, store.ownedCount(), consumer);
    }

    private void runLayer(int layer, List<NDArray> weights, Features inputs, int end, ScoreConsumer consumer)
            throws IOException {
        for (int from = 0; from < end; ) {
            Chunk chunk = chunks.read(from, end, inputs);
            try (NDScope scope = new NDScope()) {
                scope.suppressNotUsedWarning();
                consumer.accept(from, Floats.of(network.infer(layer, tensors, weights, chunk.hop(), chunk.inputs())));
            }
            chunks.giveBack(chunk);
            from = chunk.to();
        }
    }

    @Override
    public void embedding(int local, FloatBuffer into) {
        if (between.length == 0) {
            throw new IllegalStateException(
                    "a network of one layer has no embeddings; train one with --layers 2 or more");
        }
        between[between.length - 1].copyRow(local, into);
    }
}
