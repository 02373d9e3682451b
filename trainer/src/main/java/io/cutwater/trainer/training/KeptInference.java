package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.ChunkReader;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.util.List;

/**
 * Computes a network as {@link Inference} does, for a shard of which {@link ChunkReader#canKeep} holds: its features
 * and matrices stay on the device, and results of a layer never leave it. Only the scores are copied to Java.
 */
final class KeptInference implements Scorer {
    private final GnnNetwork network;
    private final Tensors tensors;
    private final Chunk all;
    private final Hop last;

    KeptInference(ShardStore store, GnnNetwork network, Tensors tensors) {
        this.network = network;
        this.tensors = tensors;
        all = new ChunkReader(store, tensors.holds()).read(0, store.vertexCount(), store.features());
        // With every vertex a target, the numbers of sources are those of the shard, and owned vertices come first.
        last = all.hop().first(store.ownedCount());
        tensors.keep(all.inputs());
        tensors.keep(all.hop());
        tensors.keep(last);
    }

    @Override
    public void run(List<NDArray> weights, ScoreConsumer consumer) throws IOException {
        if (last.targetCount() == 0) {
            return;
        }
        Torch.recordGradients(false);
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            // All rows, in the order of the local numbers.
            NDArray rows = tensors.holds() ? tensors.held() : tensors.inputs(all.inputs());
            for (int layer = 0; layer < network.layerCount(); layer++) {
                boolean isLast = layer == network.layerCount() - 1;
                rows = network.infer(layer, tensors, weights, isLast ? last : all.hop(), rows);
            }
            consumer.accept(0, Floats.of(rows));
        }
    }
}
