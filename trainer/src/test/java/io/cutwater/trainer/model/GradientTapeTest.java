package io.cutwater.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.GradientTape;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import io.cutwater.trainer.torch.Torch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GradientTapeTest {
    private static final int CLASSES = 3;

    @TempDir
    Path temp;

    @ParameterizedTest(name = "{0}, density {1}, fan-out {2}")
    @MethodSource("io.cutwater.trainer.model.GnnNetworkTest#cases")
    void lossAndGradientsAreThoseOfPyTorch(ModelOptions options, double density, int fanout) throws Exception {
        MiniBatch batch = batch(options, density, fanout);
        GnnNetwork network = new GnnNetwork(options, batch.inputs().columns(), CLASSES);
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(true);
            List<NDArray> weights = weights(tensors, network);
            NDArray loss = GnnNetwork.loss(tensors, network.train(tensors, weights, batch), batch.labels());
            JniUtils.backward((PtNDArray) loss, (PtNDArray) loss.onesLike(), false, false);
            float[][] expected = gradients(weights);
            assertSame(differentiate(tensors, network, batch), expected);
            batch.hops().forEach(tensors::keep);
            tensors.keep(batch.inputs());
            for (int step = 0; step < 3; step++) {
                System.gc(); // kept matrices must not be in memory that Java frees
                assertSame(differentiate(tensors, network, batch), expected);
            }
            Torch.recordGradients(false);
        }
    }

    private static void assertSame(float[][] actual, float[][] expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).containsExactly(expected[i], within(1e-5f));
        }
    }

    /** An array that feeds a product, the product's own operand and the result itself counts with all three. */
    @Test
    void gradientsOfArraysThatAreReadSeveralTimesAddUp() {
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(true);
            NDArray x = tensors.floats(new float[] {2, 3}, new Shape(2, 1));
            x.setRequiresGradient(true);
            NDArray matrix =
                    tensors.sparse(2, 2, new int[] {0, 1, 3}, new int[] {1, 0, 1}, new float[] {5, 7, 11}, false);
            try (GradientTape tape = tensors.record()) {
                NDArray squares = tape.divide(x.mul(x)); // 4, 9
                NDArray once = matrix.matMul(squares); // 45, 127
                NDArray twice = matrix.matMul(once.add(squares)); // 680, 343 + 1496
                NDArray sum = twice.add(once).add(x).sum();
                tape.backward(sum);
                assertThat(sum.getFloat()).isEqualTo(680 + 1839 + 45 + 127 + 5);
            }
            // d/ds of 5(7 s0 + 11 s1 + s1) + 7(5 s1 + s0) + 11(7 s0 + 11 s1 + s1) + 5 s1 + 7 s0 + 11 s1, times 2x, plus
            // 1
            assertThat(x.getGradient().toFloatArray())
                    .containsExactly((35 + 7 + 77 + 7) * 2 * 2 + 1f, (60 + 35 + 132 + 5 + 11) * 2 * 3 + 1f);
            Torch.recordGradients(false);
        }
    }

    /** Returns the gradients by the script, after comparing them with those by the layers. */
    private static float[][] differentiate(Tensors tensors, GnnNetwork network, MiniBatch batch) {
        try (NDScope step = new NDScope()) {
            step.suppressNotUsedWarning();
            NDArray weights = tensors.flat(network.initialWeights(7));
            float[] script = Floats.of(network.differentiate(tensors, weights, batch));
            Dropout dropout = Dropout.of(tensors, 0.4, batch.randomSeed());
            float[] layers = Floats.of(network.record(tensors, weights, batch, dropout));
            assertThat(script).containsExactly(layers, within(1e-5f));
            return Weight.split(network.weights(), script);
        }
    }

    private static List<NDArray> weights(Tensors tensors, GnnNetwork network) {
        float[][] values = network.initialWeights(7);
        List<NDArray> arrays = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            NDArray array = tensors.floats(values[i], network.weights().get(i).shape());
            array.setRequiresGradient(true);
            arrays.add(array);
        }
        return arrays;
    }

    private static float[][] gradients(List<NDArray> weights) {
        return weights.stream()
                .map(weight -> weight.getGradient().toFloatArray())
                .toArray(float[][]::new);
    }

    private MiniBatch batch(ModelOptions options, double density, int fanout) throws Exception {
        ShardStore store = new RandomGraph(3, 60, 240, 12, CLASSES, density).shards(temp, 2)[0];
        SamplingOptions sampling = new SamplingOptions(Collections.nCopies(options.layers(), fanout), 8, 1, 1);
        try (BatchQueue queue = new BatchQueue(store, sampling, store.verticesOf(VertexSplit.TRAIN))) {
            queue.begin(3, 0);
            return Objects.requireNonNull(queue.next());
        }
    }
}
