package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.torch.GradientTape;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TrainingScript;
import java.util.ArrayList;
import java.util.Collections;
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
    private final @Nullable TrainingScript script;

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
        script = script(features);
    }

    /** Returns the script of a model of this module, null for others. */
    private @Nullable TrainingScript script(int features) {
        TrainingScript.Kind kind = model instanceof GcnModel
                ? TrainingScript.Kind.GCN
                : model instanceof GatModel
                        ? TrainingScript.Kind.GAT
                        : model instanceof GraphSageModel ? GraphSageModel.script(options) : null;
        if (kind == null) {
            return null;
        }
        List<Integer> all = new ArrayList<>(widths);
        all.add(0, features);
        List<Integer> heads = new ArrayList<>(Collections.nCopies(layers.size() - 1, options.heads()));
        heads.add(1);
        int dropped = Dropout.levels(options.dropout());
        return new TrainingScript(kind, all, heads, dropped, Dropout.scale(dropped));
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

    /** Returns what packs mini-batches for this network; null if they are read unpacked. */
    public BatchQueue.@Nullable Packer packer() {
        TrainingScript whole = script;
        // Learned rows are differentiated without the script.
        return whole == null
                ? null
                : (batch, buffers) -> batch.inputs() instanceof InputRows.Learned ? null : whole.pack(batch, buffers);
    }

    /** Computes the class scores, one row per seed, with dropout. */
    public NDArray train(Tensors tensors, List<NDArray> values, MiniBatch batch) {
        return forward(tensors, values, batch, Dropout.of(tensors, options.dropout(), batch.randomSeed()));
    }

    /**
     * Computes the gradient of the loss of a mini-batch, with dropout. It equals, up to rounding, that which PyTorch
     * computes from {@link #train} and {@link #loss}, at less cost. The models of this module are one TorchScript
     * module each; others are divided at their sparse products.
     *
     * @param weights all weights, one after the other
     * @return the gradient of all weights, one after the other, and the sum of the seeds' losses behind it
     */
    public NDArray differentiate(Tensors tensors, NDArray weights, MiniBatch batch) {
        Dropout dropout = Dropout.of(tensors, options.dropout(), batch.randomSeed());
        TrainingScript whole = script;
        return whole == null
                ? record(tensors, weights, batch, dropout)
                : differentiate(whole, tensors, weights, batch, dropout);
    }

    /**
     * Computes the gradient of the loss of a mini-batch as {@link #differentiate(Tensors, NDArray, MiniBatch)} does,
     * and adds that of the inputs to them.
     *
     * @param inputs one row per source of the first hop, instead of those of the mini-batch
     */
    public NDArray differentiate(Tensors tensors, NDArray weights, MiniBatch batch, NDArray inputs) {
        Dropout dropout = Dropout.of(tensors, options.dropout(), batch.randomSeed());
        try (GradientTape tape = tensors.record()) {
            return record(tensors, weights, batch, tape.divide(dropout.apply(inputs)), dropout, tape);
        }
    }

    private NDArray differentiate(
            TrainingScript whole, Tensors tensors, NDArray weights, MiniBatch batch, Dropout dropout) {
        if (batch.inputs() instanceof InputRows.Selected) {
            return whole.gradient(tensors, weights, batch, weights, dropout.isActive(), dropout.state());
        }
        // On the CPU, Java draws for many values in less time than PyTorch, which makes an array for each operation.
        boolean drawsInputs = dropout.isActive() && tensors.isOnGpu();
        NDArray inputs = drawsInputs ? tensors.values(batch.inputs()) : dropout.values(batch.inputs());
        return whole.gradient(tensors, weights, batch, inputs, drawsInputs, dropout.state());
    }

    /** Differentiates by PyTorch what the layers compute. */
    NDArray record(Tensors tensors, NDArray weights, MiniBatch batch, Dropout dropout) {
        try (GradientTape tape = tensors.record()) {
            return record(tensors, weights, batch, dropout.inputs(batch.inputs()), dropout, tape);
        }
    }

    private NDArray record(
            Tensors tensors, NDArray weights, MiniBatch batch, NDArray rows, Dropout dropout, GradientTape tape) {
        List<NDArray> values = new ArrayList<>();
        for (NDArray value : split(weights)) {
            NDArray leaf = value.stopGradient();
            leaf.setRequiresGradient(true);
            values.add(leaf);
        }
        NDArray loss = loss(tensors, forward(tensors, values, batch, rows, dropout, tape), batch.labels());
        tape.backward(loss);
        NDList parts = new NDList();
        values.forEach(value -> parts.add(value.getGradient().reshape(-1)));
        parts.add(loss.stopGradient().mul(batch.labels().length));
        return NDArrays.concat(parts);
    }

    /** Returns views of the weights, each with its own shape, from all weights one after the other. */
    public List<NDArray> split(NDArray all) {
        List<NDArray> parts = new ArrayList<>();
        long at = 0;
        for (Weight weight : weights) {
            parts.add(all.get(new NDIndex().addSliceDim(at, at + weight.size())).reshape(weight.shape()));
            at += weight.size();
        }
        return parts;
    }

    /** Returns the number of values of all weights. */
    public int size() {
        return weights.stream().mapToInt(Weight::size).sum();
    }

    NDArray forward(Tensors tensors, List<NDArray> values, MiniBatch batch, Dropout dropout) {
        return forward(tensors, values, batch, dropout.inputs(batch.inputs()), dropout, null);
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
