package io.cutwater.trainer.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.ChunkReader;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeptInferenceTest {
    private static final int CLASSES = 3;

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({"gcn,1,0.9", "gcn,3,0.02", "graphsage,2,0.9", "graphsage,2,0.02", "gat,2,0.9", "gat,1,0.02"})
    void scoresAreThoseOfTheInferenceInChunks(String model, int layers, double density) throws Exception {
        ModelOptions options = new ModelOptions(model, layers, 6, 2, Aggregator.MEAN, 0.4);
        for (ShardStore store : new RandomGraph(3, 60, 240, 12, CLASSES, density).shards(temp, 2)) {
            assertThat(ChunkReader.canKeep(store)).isTrue();
            assertThat(store.ownedCount()).isLessThan(store.vertexCount());
            GnnNetwork network = new GnnNetwork(options, store.features().columns(), CLASSES);
            Path scratch = Files.createDirectory(temp.resolve("between-" + store.shard()));
            try (Tensors tensors = new Tensors(TestDevice.get())) {
                Inference inChunks = new Inference(store, network, tensors, scratch);
                KeptInference kept = new KeptInference(store, network, tensors);
                for (long seed = 1; seed < 4; seed++) {
                    List<NDArray> weights = weights(tensors, network, seed);
                    List<Float> expected = scores(inChunks, weights);
                    System.gc(); // what is kept must not be in memory that Java frees
                    List<Float> actual = scores(kept, weights);
                    assertThat(actual).hasSize(store.ownedCount() * CLASSES).hasSameSizeAs(expected);
                    for (int i = 0; i < actual.size(); i++) {
                        assertThat(actual.get(i)).isCloseTo(expected.get(i), within(1e-6f));
                    }
                }
            }
        }
    }

    private static List<Float> scores(Scorer scorer, List<NDArray> weights) throws IOException {
        List<Float> all = new ArrayList<>();
        scorer.run(weights, (from, scores) -> {
            assertThat(from * CLASSES).isEqualTo(all.size());
            for (float score : scores) {
                all.add(score);
            }
        });
        return all;
    }

    private static List<NDArray> weights(Tensors tensors, GnnNetwork network, long seed) {
        float[][] values = network.initialWeights(seed);
        List<NDArray> arrays = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            arrays.add(tensors.floats(values[i], network.weights().get(i).shape()));
        }
        return arrays;
    }
}
