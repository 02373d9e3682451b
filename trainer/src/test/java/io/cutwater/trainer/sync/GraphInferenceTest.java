package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.fullgraph.TestShards;
import io.cutwater.trainer.linked.TestLinks;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.output.EmbeddingSource;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import io.cutwater.trainer.training.Inference;
import io.cutwater.trainer.training.Scorer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What shards predict together is what one model predicts on the whole graph. */
@Timeout(60)
class GraphInferenceTest {
    private static final int HIDDEN = 12;

    @TempDir
    private Path folder;

    private final RandomGraph graph = new RandomGraph(3, 150, 500, 40, 4, 0.1);

    @ParameterizedTest
    @CsvSource({"gcn, 3, VERTEX", "gat, 2, EDGE", "graphsage, 3, EDGE"})
    void theScoresAreThoseOfTheWholeGraph(String model, int layers, PartitioningKind kind) throws Exception {
        GnnNetwork network = new GnnNetwork(
                new ModelOptions(model, layers, HIDDEN, 2, Aggregator.MEAN, 0), graph.columns, graph.classes);
        float[][] expected = new float[graph.vertices][];
        ShardStore whole = graph.whole(Files.createTempDirectory(folder, "whole"));
        try (Tensors tensors = new Tensors(Torch.device("cpu"))) {
            Inference inference = new Inference(whole, network, tensors, Files.createTempDirectory(folder, "between"));
            score(network, tensors, inference, inference, whole, expected);
        }
        int k = 4;
        ShardSource source = new TestShards(graph, kind, k, folder).source();
        FrameGroup group = FrameGroup.ofThisProcess(k);
        float[][] found = new float[graph.vertices][];
        TestLinks.together(k, group, shard -> {
            ShardStore store = source.make(shard, ShardCut.only(k), Files.createTempDirectory(folder, "store"));
            try (Tensors tensors = new Tensors(Torch.device("cpu"))) {
                GraphInference inference = GraphInference.link(
                        group.channel(shard), store, kind, network, Files.createTempDirectory(folder, "between"));
                score(network, tensors, inference.scorer().scorer(tensors), inference, store, found);
            }
            return shard;
        });
        for (int vertex = 0; vertex < graph.vertices; vertex++) {
            assertThat(found[vertex]).hasSameSizeAs(expected[vertex]);
            for (int i = 0; i < expected[vertex].length; i++) {
                assertThat(found[vertex][i])
                        .as("value %d of vertex %d", i, vertex)
                        .isCloseTo(expected[vertex][i], within(1e-4f));
            }
        }
    }

    /** Puts the scores of a vertex and its embedding behind each other. */
    private void score(
            GnnNetwork network,
            Tensors tensors,
            Scorer scorer,
            EmbeddingSource embeddings,
            ShardStore store,
            float[][] into)
            throws Exception {
        List<NDArray> weights = new ArrayList<>();
        float[][] initial = network.initialWeights(9);
        for (int i = 0; i < initial.length; i++) {
            weights.add(tensors.floats(initial[i], network.weights().get(i).shape()));
        }
        int classes = graph.classes;
        scorer.run(weights, (from, scores) -> {
            for (int i = 0; i < scores.length / classes; i++) {
                FloatBuffer both = FloatBuffer.allocate(classes + network.width(network.layerCount() - 2));
                both.put(scores, i * classes, classes);
                into[(int) store.vertex(from + i)] = both.array();
            }
        });
        for (int local = 0; local < store.ownedCount(); local++) {
            float[] both = into[(int) store.vertex(local)];
            embeddings.embedding(local, FloatBuffer.wrap(both, classes, both.length - classes));
        }
    }
}
