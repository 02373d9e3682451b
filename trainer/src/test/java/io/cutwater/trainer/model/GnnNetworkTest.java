package io.cutwater.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import io.cutwater.trainer.torch.Torch;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GnnNetworkTest {
    private static final int CLASSES = 3;

    @TempDir
    Path temp;

    /** Returns every model with dense and sparse inputs, all or some neighbours, one or several layers. */
    static Stream<Arguments> cases() {
        return models().flatMap(options -> Stream.of(0.9, 0.02)
                .flatMap(density ->
                        Stream.of(SamplingOptions.ALL, 3).map(fanout -> Arguments.of(options, density, fanout))));
    }

    static Stream<ModelOptions> models() {
        return Stream.of(
                options("gcn", 2, Aggregator.MEAN),
                options("graphsage", 2, Aggregator.MEAN),
                options("graphsage", 2, Aggregator.GCN),
                options("gat", 2, Aggregator.MEAN),
                options("gat", 1, Aggregator.MEAN),
                options("gcn", 3, Aggregator.MEAN));
    }

    private static ModelOptions options(String model, int layers, Aggregator aggregator) {
        return new ModelOptions(model, layers, 6, 2, aggregator, 0.4);
    }

    @ParameterizedTest(name = "{0}, density {1}, fan-out {2}")
    @MethodSource("cases")
    void scoresAreThoseOfPlainJava(ModelOptions options, double density, int fanout) throws Exception {
        MiniBatch batch = batch(options, density, fanout);
        GnnNetwork network = new GnnNetwork(options, batch.inputs().columns(), CLASSES);
        float[][] initial = perturbed(network);
        double[][] expected = PlainNetwork.scores(options, CLASSES, batch, initial);
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(false);
            NDArray scores = network.forward(tensors, arrays(tensors, network, initial), batch, Dropout.none(tensors));
            assertThat(scores.getShape()).isEqualTo(new Shape(expected.length, CLASSES));
            float[] values = scores.toFloatArray();
            for (int i = 0; i < values.length; i++) {
                assertThat((double) values[i]).isCloseTo(expected[i / CLASSES][i % CLASSES], within(1e-5));
            }
        }
    }

    @ParameterizedTest(name = "{0}, density {1}, fan-out {2}")
    @MethodSource("cases")
    void gradientsAreThoseOfFiniteDifferencesDropoutIncluded(ModelOptions options, double density, int fanout)
            throws Exception {
        MiniBatch batch = batch(options, density, fanout);
        GnnNetwork network = new GnnNetwork(options, batch.inputs().columns(), CLASSES);
        float[][] initial = perturbed(network);
        try (Tensors tensors = new Tensors(TestDevice.get(), DataType.FLOAT64);
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(true);
            NDArray weights = tensors.flat(initial);
            double[] gradients = network.differentiate(tensors, weights, batch).toDoubleArray();
            Torch.recordGradients(false);
            assertThat(gradients).hasSize(network.size() + 1);
            int begin = 0;
            for (int i = 0; i < initial.length; begin += initial[i++].length) {
                for (int j = 0; j < initial[i].length; j += 1 + initial[i].length / 12) {
                    double difference = (loss(tensors, network, initial, i, j, 1e-5, batch)
                                    - loss(tensors, network, initial, i, j, -1e-5, batch))
                            / 2e-5;
                    assertThat(gradients[begin + j])
                            .as("%s, number %d", network.weights().get(i).name(), j)
                            .isCloseTo(difference, within(1e-7));
                }
            }
        }
    }

    /** DJL reads some arrays in Java's memory, which may be reused between the forward and the backward pass. */
    @ParameterizedTest
    @MethodSource("models")
    void gradientsAreTheSameAfterAGarbageCollection(ModelOptions options) throws Exception {
        MiniBatch batch = batch(options, 0.9, 3);
        GnnNetwork network = new GnnNetwork(options, batch.inputs().columns(), CLASSES);
        float[][] initial = perturbed(network);
        assertThat(gradients(network, initial, batch, GnnNetworkTest::collectGarbage))
                .isDeepEqualTo(gradients(network, initial, batch, () -> {}));
    }

    @Test
    void aNumberOfALayerOutlivesAGarbageCollection() throws Exception {
        MiniBatch batch = batch(options("gcn", 2, Aggregator.MEAN), 0.9, 3);
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(true);
            NDArray weights = tensors.floats(new float[] {3, 4}, new Shape(2));
            weights.setRequiresGradient(true);
            NDArray sum = weights.mul(new HopTensors(tensors, batch.hops().get(0)).number(0.5f))
                    .sum();
            collectGarbage();
            JniUtils.backward((PtNDArray) sum, (PtNDArray) sum.onesLike(), false, false);
            Torch.recordGradients(false);
            assertThat(weights.getGradient().toFloatArray()).containsExactly(0.5f, 0.5f);
        }
    }

    private static float[][] gradients(GnnNetwork network, float[][] initial, MiniBatch batch, Runnable between) {
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            Torch.recordGradients(true);
            List<NDArray> weights = arrays(tensors, network, initial);
            weights.forEach(weight -> weight.setRequiresGradient(true));
            NDArray loss = GnnNetwork.loss(tensors, network.train(tensors, weights, batch), batch.labels());
            between.run();
            JniUtils.backward((PtNDArray) loss, (PtNDArray) loss.onesLike(), false, false);
            Torch.recordGradients(false);
            return weights.stream()
                    .map(weight -> weight.getGradient().toFloatArray())
                    .toArray(float[][]::new);
        }
    }

    /** Frees the memory of unreachable direct buffers, and overwrites it. */
    private static void collectGarbage() {
        ReferenceQueue<ByteBuffer> freed = new ReferenceQueue<>();
        for (int collection = 0; collection < 2; collection++) {
            Reference<ByteBuffer> garbage = new PhantomReference<>(ByteBuffer.allocateDirect(Double.BYTES), freed);
            System.gc();
            try {
                assertThat(freed.remove(10_000)).as("collected within 10 s").isSameAs(garbage);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        List<ByteBuffer> fillers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            fillers.add(ByteBuffer.allocateDirect(Float.BYTES << i % 4)); // zeros
        }
        Reference.reachabilityFence(fillers);
    }

    private static double loss(
            Tensors tensors, GnnNetwork network, float[][] values, int weight, int at, double by, MiniBatch batch) {
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            List<NDArray> weights = arrays(tensors, network, values);
            double[] moved = weights.get(weight).toDoubleArray();
            moved[at] += by;
            weights.set(
                    weight,
                    tensors.manager()
                            .create(moved, network.weights().get(weight).shape()));
            return GnnNetwork.loss(tensors, network.train(tensors, weights, batch), batch.labels())
                    .toDoubleArray()[0];
        }
    }

    /** Replaces the initial zeros of biases, which would hide errors. */
    private static float[][] perturbed(GnnNetwork network) {
        float[][] values = network.initialWeights(7);
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < values[i].length; j++) {
                values[i][j] += 0.01f * ((i + j) % 7);
            }
        }
        return values;
    }

    private static List<NDArray> arrays(Tensors tensors, GnnNetwork network, float[][] values) {
        List<NDArray> arrays = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            arrays.add(tensors.floats(values[i], network.weights().get(i).shape()));
        }
        return arrays;
    }

    private MiniBatch batch(ModelOptions options, double density, int fanout) throws Exception {
        ShardStore store = new RandomGraph(3, 60, 240, 12, CLASSES, density).shards(temp, 2)[0];
        SamplingOptions sampling = new SamplingOptions(Collections.nCopies(options.layers(), fanout), 8, 1, 1);
        try (BatchQueue queue = new BatchQueue(store, sampling, store.verticesOf(VertexSplit.TRAIN))) {
            queue.begin(3, 0);
            return Objects.requireNonNull(queue.next());
        }
    }

    @Test
    void weightDecayIsThatOfTheLayerAndBiasesHaveNone() {
        GnnNetwork network = new GnnNetwork(options("gat", 2, Aggregator.MEAN), 5, CLASSES);
        assertThat(network.weightDecays(List.of(0.5, 0.25)))
                .containsExactly(0.5f, 0, 0.5f, 0.5f, 0.25f, 0, 0.25f, 0.25f);
    }

    @Test
    void aModelThatIsNotThereIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> GnnModels.of("transformer"))
                .hasMessage("there is no model 'transformer'; there are gat, gcn, graphsage");
    }

    @Test
    void headsMustShareTheHiddenNumbers() {
        ModelOptions options = new ModelOptions("gat", 2, 7, 2, Aggregator.MEAN, 0);
        assertThatThrownBy(() -> new GnnNetwork(options, 5, 3))
                .hasMessage("--hidden 7 cannot be shared by --heads 2; take a multiple");
    }
}
