package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.model.GnnNetwork;
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
 * Computes a network for all vertices of a shard with all their neighbours, layer after layer, so that each vertex is
 * computed once per layer; what lies between layers is in mapped files. Used by one thread at a time.
 */
public final class Inference {
    private final ShardStore store;
    private final GnnNetwork network;
    private final Tensors tensors;
    private final ChunkReader chunks;
    private final DenseFeatures[] between;

    /** @param scratch a folder for files between layers, without such of another one */
    public Inference(ShardStore store, GnnNetwork network, Tensors tensors, Path scratch) throws IOException {
        this.store = store;
        this.network = network;
        this.tensors = tensors;
        chunks = new ChunkReader(store);
        between = new DenseFeatures[network.layerCount() - 1];
        for (int layer = 0; layer < between.length; layer++) {
            between[layer] =
                    DenseFeatures.create(scratch.resolve("layer-" + layer), store.vertexCount(), network.width(layer));
        }
    }

    /** Takes the scores of some vertices that the shard owns. */
    @FunctionalInterface
    public interface ScoreConsumer {
        /**
         * Takes the next scores.
         *
         * @param from local number of the first vertex
         * @param scores one row per vertex, a number per class
         */
        void accept(int from, float[] scores) throws IOException;
    }

    /** Computes the scores of all vertices that the shard owns, in their order. */
    public void run(List<NDArray> weights, ScoreConsumer consumer) throws IOException {
        Torch.recordGradients(false);
        Features inputs = store.features();
        for (int layer = 0; layer < between.length; layer++) {
            DenseFeatures outputs = between[layer];
            // Vertices of other owners, too: the next layer looks at them.
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

    /** Copies what the last layer saw of a vertex in the last run: the vertex's embedding. */
    public void embedding(int local, FloatBuffer into) {
        if (between.length == 0) {
            throw new IllegalStateException(
                    "a network of one layer has no embeddings; train one with --layers 2 or more");
        }
        between[between.length - 1].copyRow(local, into);
    }
}
