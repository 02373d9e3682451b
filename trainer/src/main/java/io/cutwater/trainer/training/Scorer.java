package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.util.List;

/** Computes the class scores of the vertices that a shard owns. Used by one thread at a time. */
public interface Scorer {
    /** Computes one layer of a network. */
    @FunctionalInterface
    interface Layers {
        /** Returns one row per target of the hop, from one row per source. */
        float[] compute(int layer, Hop hop, InputRows inputs);
    }

    /** Computes the scores of a shard layer by layer. */
    @FunctionalInterface
    interface Layerwise {
        /** Does what {@link Scorer#run} does, with the weights of the layers. */
        void run(Layers layers, ScoreConsumer consumer) throws IOException;
    }

    /** Returns a source of a scorer that computes layer by layer. */
    static Source layerwise(GnnNetwork network, Layerwise layerwise) {
        return tensors -> (weights, consumer) -> {
            Torch.recordGradients(false);
            layerwise.run(
                    (layer, hop, inputs) -> {
                        try (NDScope scope = new NDScope()) {
                            scope.suppressNotUsedWarning();
                            return Floats.of(network.infer(layer, tensors, weights, hop, inputs));
                        }
                    },
                    consumer);
        };
    }

    /** Creates the scorer of a shard. */
    @FunctionalInterface
    interface Source {
        /** @param tensors tensors of the shard's trainer */
        Scorer scorer(Tensors tensors) throws IOException;
    }

    /** Receives the scores of vertices that the shard owns. */
    @FunctionalInterface
    interface ScoreConsumer {
        /**
         * Receives the next scores.
         *
         * @param from local number of the first vertex
         * @param scores one row per vertex, one value per class
         */
        void accept(int from, float[] scores) throws IOException;
    }

    /** Computes the scores of all vertices that the shard owns, in order. */
    void run(List<NDArray> weights, ScoreConsumer consumer) throws IOException;
}
