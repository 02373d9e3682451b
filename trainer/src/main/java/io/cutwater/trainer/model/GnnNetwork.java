package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.torch.GradientTape;
import io.cutwater.trainer.torch.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The sequence of layers of a network. Stateless and thread-safe. */
public final class GnnNetwork {
    private final GnnModel model;
    private final ModelOptions options;
    private final List<GnnLayer> layers;
    private final List<Integer> widths;
    private final List<Weight> weights;

    /**
     * Creates a network.
     *
     * @param features features per vertex
     * @param classes scores per vertex
     * @throws IllegalArgumentException if there is no such model; the message is meant for users
     */
    public GnnNetwork(ModelOptions options, int features, int classes) {
        this.options = options;
        model = GnnModels.of(options.model());
        List<GnnLayer> made = new ArrayList<>();
        List<Integer> outputs = new ArrayList<>();
        List<Weight> all = new ArrayList<>();
        for (int i = 0; i < options.layers(); i++) {
            boolean isLast = i == options.layers() - 1;
            int inputs = i == 0 ? features : options.hidden();
            GnnLayer layer = model.layer(inputs, isLast ? classes : options.hidden(), isLast, options);
            made.add(layer);
            outputs.add(isLast ? classes : options.hidden());
            all.addAll(layer.weights());
        }
        layers = List.copyOf(made);
        widths = List.copyOf(outputs);
        weights = List.copyOf(all);
    }

    public int layerCount() {
        return layers.size();
    }

    /** Returns the number of values per vertex after a layer. */
    public int width(int layer) {
        return widths.get(layer);
    }

    /** Returns all weights, layer by layer. */
    public List<Weight> weights() {
        return weights;
    }

    /**
     * Returns the weight decay of each weight. Biases have none, as in the papers' code, because decay would not make
     * the function smoother.
     *
     * @param byLayer one value per layer
     */
    public float[] weightDecays(List<Double> byLayer) {
        float[] decays = new float[weights.size()];
        int at = 0;
        for (int layer = 0; layer < layers.size(); layer++) {
            for (Weight weight : layers.get(layer).weights()) {
                decays[at++] = weight.fanIn() == 0 ? 0 : byLayer.get(layer).floatValue();
            }
        }
        return decays;
    }

    /** Returns the initial weights, which depend on the seed only. */
    public float[][] initialWeights(long randomSeed) {
        SplittableRandom random = new SplittableRandom(randomSeed);
        float[][] values = new float[weights.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = weights.get(i).initial(random);
        }
        return values;
    }

    /** Computes the class scores, one row per seed, with dropout. */
    public NDArray train(Tensors tensors, List<NDArray> values, MiniBatch batch) {
        return forward(tensors, values, batch, Dropout.of(tensors, options.dropout(), batch.randomSeed()));
    }

    /**
     * Computes the loss of a mini-batch as {@link #differentiate(Tensors, List, MiniBatch)} does, and adds its
     * gradients to those of the inputs, too.
     *
     * @param inputs one row per source of the first hop, instead of those of the mini-batch
     */
    public NDArray differentiate(Tensors tensors, List<NDArray> values, MiniBatch batch, NDArray inputs) {
        try (GradientTape tape = tensors.record()) {
            Dropout dropout = Dropout.of(tensors, options.dropout(), batch.randomSeed());
            NDArray rows = tape.divide(dropout.apply(inputs));
            NDArray loss = loss(tensors, forward(tensors, values, batch, rows, dropout, tape), batch.labels());
            tape.backward(loss);
            return loss;
        }
    }

    /**
     * Computes the loss of a mini-batch, with dropout, and adds its gradients to those of the weights. They equal those
     * that PyTorch computes from {@link #train} and {@link #loss}, at less cost.
     */
    public NDArray differentiate(Tensors tensors, List<NDArray> values, MiniBatch batch) {
        try (GradientTape tape = tensors.record()) {
            Dropout dropout = Dropout.of(tensors, options.dropout(), batch.randomSeed());
            NDArray loss = loss(tensors, forward(tensors, values, batch, dropout, tape), batch.labels());
            tape.backward(loss);
            return loss;
        }
    }

    NDArray forward(Tensors tensors, List<NDArray> values, MiniBatch batch, Dropout dropout) {
        return forward(tensors, values, batch, dropout, null);
    }

    private NDArray forward(
            Tensors tensors, List<NDArray> values, MiniBatch batch, Dropout dropout, @Nullable GradientTape tape) {
        return forward(tensors, values, batch, dropout.inputs(batch.inputs()), dropout, tape);
    }

    private NDArray forward(
            Tensors tensors,
            List<NDArray> values,
            MiniBatch batch,
            NDArray inputs,
            Dropout dropout,
            @Nullable GradientTape tape) {
        NDArray rows = inputs;
        for (int layer = 0; layer < layers.size(); layer++) {
            if (layer > 0) {
                rows = dropout.apply(rows);
                rows = tape == null ? rows : tape.divide(rows);
            }
            rows = forward(layer, tensors, values, batch.hops().get(layer), rows, dropout);
        }
        return rows;
    }

    /** Computes one layer without dropout, one row per target of the hop. */
    public NDArray infer(int layer, Tensors tensors, List<NDArray> values, Hop hop, InputRows inputs) {
        return infer(layer, tensors, values, hop, tensors.inputs(inputs));
    }

    /** Computes one layer without dropout, from one row per source of the hop. */
    public NDArray infer(int layer, Tensors tensors, List<NDArray> values, Hop hop, NDArray rows) {
        return forward(layer, tensors, values, hop, rows, Dropout.none(tensors));
    }

    private NDArray forward(int layer, Tensors tensors, List<NDArray> values, Hop hop, NDArray rows, Dropout dropout) {
        int from = 0;
        for (GnnLayer before : layers.subList(0, layer)) {
            from += before.weights().size();
        }
        GnnLayer at = layers.get(layer);
        NDArray results = at.forward(
                values.subList(from, from + at.weights().size()), new HopTensors(tensors, hop), rows, dropout);
        return layer == layers.size() - 1 ? results : model.activate(results);
    }

    /** Returns the cross-entropy loss: the mean of −ln of the probabilities of the labels. */
    public static NDArray loss(Tensors tensors, NDArray scores, int[] labels) {
        return scores.logSoftmax(1)
                .gather(tensors.column(labels), 1)
                .mean()
                .neg()
                .reshape(new Shape(1));
    }
}
