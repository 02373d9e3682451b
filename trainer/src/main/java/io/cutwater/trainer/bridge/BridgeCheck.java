package io.cutwater.trainer.bridge;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Checks PyTorch as DJL loads it: the gradient of each model on each kind of device, in 64 bits, against the difference
 * quotient of the loss in the direction of the gradient.
 */
public final class BridgeCheck {
    private static final int FEATURES = 6;
    private static final int CLASSES = 3;
    private static final int VERTICES = 12;
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-6;

    private BridgeCheck() {}

    /** Prints a sentence about the devices as last line; ends with an exception if a gradient is wrong. */
    public static void main(String[] args) {
        int gpus = Torch.load().getGpuCount();
        check("cpu");
        if (gpus > 0) {
            check("gpu");
        }
        System.out.printf(
                "gradients of GCN, GraphSAGE and GAT are right on the CPU%s%n",
                gpus == 0 ? "; PyTorch sees no GPU here" : " and the first of %d GPUs".formatted(gpus));
    }

    /** @throws IllegalStateException if a gradient is wrong */
    static void check(String device) {
        Torch.recordGradients(true);
        for (String model : List.of("gcn", "graphsage", "gat")) {
            check(model, Torch.device(device));
        }
        Torch.recordGradients(false);
    }

    private static void check(String model, Device device) {
        ModelOptions options = new ModelOptions(model, 2, 8, 2, ModelOptions.Aggregator.MEAN, 0.5);
        GnnNetwork network = new GnnNetwork(options, FEATURES, CLASSES);
        MiniBatch batch = new MiniBatch(7, List.of(hop(VERTICES, 6), hop(6, 4)), inputs(), new int[] {0, 1, 2, 1});
        float[][] initial = network.initialWeights(1);
        double[] weights = new double[network.size()];
        int at = 0;
        for (float[] values : initial) {
            for (float value : values) {
                weights[at++] = value;
            }
        }
        try (Tensors tensors = new Tensors(device, DataType.FLOAT64)) {
            double[] gradient = Arrays.copyOf(differentiate(tensors, network, weights, batch), weights.length);
            double length = Math.sqrt(
                    Arrays.stream(gradient).map(value -> value * value).sum());
            double[] after = weights.clone();
            double[] before = weights.clone();
            for (int i = 0; i < weights.length; i++) {
                after[i] += STEP * gradient[i] / length;
                before[i] -= STEP * gradient[i] / length;
            }
            double difference = loss(tensors, network, after, batch) - loss(tensors, network, before, batch);
            double slope = difference / (2 * STEP);
            if (!(Math.abs(slope - length) < TOLERANCE)) {
                throw new IllegalStateException("the gradient of %s on %s has length %s, but the loss changes by %s"
                        .formatted(model, device, length, slope));
            }
        }
    }

    /** Returns the mean loss. */
    private static double loss(Tensors tensors, GnnNetwork network, double[] weights, MiniBatch batch) {
        return differentiate(tensors, network, weights, batch)[weights.length] / batch.labels().length;
    }

    private static double[] differentiate(Tensors tensors, GnnNetwork network, double[] weights, MiniBatch batch) {
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            NDArray results = network.differentiate(tensors, tensors.manager().create(weights), batch);
            return results.toDevice(Device.cpu(), false).toDoubleArray();
        }
    }

    /** Returns a hop with two edges to each target. */
    private static Hop hop(int sources, int targets) {
        int[] offsets = new int[targets + 1];
        int[] neighbours = new int[2 * targets];
        for (int target = 0; target < targets; target++) {
            offsets[target + 1] = 2 * target + 2;
            neighbours[2 * target] = (5 * target + 1) % sources;
            neighbours[2 * target + 1] = (7 * target + 3) % sources;
        }
        int[] listed = new int[targets];
        Arrays.fill(listed, 2);
        int[] degrees = new int[sources];
        Arrays.fill(degrees, 3);
        return new Hop(targets, offsets, neighbours, listed, degrees);
    }

    private static InputRows inputs() {
        int count = VERTICES * FEATURES;
        ByteBuffer values = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            values.putFloat((float) Math.sin(i + 1.0));
        }
        return new InputRows.Dense(VERTICES, FEATURES, values.flip());
    }
}
