package io.cutwater.trainer.training;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features that stay on the device, and are selected there, change no bit of a training. */
class HeldFeaturesTest {
    private static final int CLASSES = 3;

    @TempDir
    Path temp;

    private ShardStore store;

    @BeforeEach
    void build() throws IOException {
        store = new RandomGraph(3, 80, 400, 12, CLASSES, 0.9).shards(temp, 2)[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcn", "graphsage", "gat"})
    void aTrainingIsTheSameBitByBit(String model) throws Exception {
        LocalUpdate sent = train(options(model), 0);
        LocalUpdate held = train(options(model), Long.MAX_VALUE);
        assertThat(held.report().lossSum()).isEqualTo(sent.report().lossSum());
        assertThat(held.state().isEqual(sent.state())).isTrue();
    }

    @Test
    void moreThanTheMaximumIsSent() throws Exception {
        long bytes = (long) store.vertexCount() * store.features().columns() * Float.BYTES;
        LocalUpdate sent = train(options("gcn"), bytes - 1);
        LocalUpdate held = train(options("gcn"), bytes);
        assertThat(held.state().isEqual(sent.state())).isTrue();
    }

    private static TrainerOptions options(String model) {
        return new TrainerOptions(
                new ModelOptions(model, 2, 6, 2, Aggregator.MEAN, 0.4),
                new SamplingOptions(List.of(3, 3), 8, 2, 3),
                0.01,
                5e-4,
                7,
                TestDevice.get().isGpu() ? "gpu" : "cpu");
    }

    private LocalUpdate train(TrainerOptions options, long maximum) throws Exception {
        GnnNetwork network = new GnnNetwork(options.model(), store.features().columns(), CLASSES);
        Path scratch = Files.createTempDirectory(temp, "between");
        try (LocalTrainer trainer = new LocalTrainer(store, network, options.holding(maximum), scratch)) {
            LocalUpdate update =
                    trainer.train(new Round(1, ShardCut.only(1), 0, 3), ModelState.initial(network.initialWeights(1)));
            trainer.evaluate(update.state().weights());
            return update;
        }
    }

    @Test
    void scoresAreTheSameBitByBit() throws Exception {
        GnnNetwork network =
                new GnnNetwork(options("graphsage").model(), store.features().columns(), CLASSES);
        List<float[]> sent = scores(network, false);
        List<float[]> held = scores(network, true);
        assertThat(held).usingRecursiveComparison().isEqualTo(sent);
    }

    private List<float[]> scores(GnnNetwork network, boolean holds) throws IOException {
        List<float[]> scores = new ArrayList<>();
        try (Tensors tensors = new Tensors(TestDevice.get())) {
            if (holds) {
                tensors.hold((DenseFeatures) store.features(), store.vertexCount());
            }
            List<NDArray> weights = network.split(tensors.flat(network.initialWeights(1)));
            Scorer kept = new KeptInference(store, network, tensors);
            Scorer inChunks = new Inference(store, network, tensors, Files.createTempDirectory(temp, "scores"));
            kept.run(weights, (from, rows) -> scores.add(rows));
            inChunks.run(weights, (from, rows) -> scores.add(rows));
        }
        return scores;
    }
}
