package io.cutwater.trainer.torch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDScope;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The weights of edges that a script computes on the device are those of {@link Edges}, bit by bit. */
class EdgeWeightsTest {
    @TempDir
    Path temp;

    @Test
    void thoseOfTheDeviceAreThoseOfJava() throws Exception {
        ShardStore store = new RandomGraph(5, 300, 2_000, 4, 3, 0.9).shards(temp, 2)[0];
        for (int fanout : new int[] {SamplingOptions.ALL, 3}) {
            SamplingOptions sampling = new SamplingOptions(List.of(fanout, fanout), 16, 1, 1);
            try (BatchQueue queue = new BatchQueue(store, sampling, store.verticesOf(VertexSplit.TRAIN))) {
                queue.begin(1, 0);
                for (MiniBatch batch = queue.next(); batch != null; batch = queue.next()) {
                    check(TrainingScript.Kind.GCN, Edges::normalisedSum, batch);
                    check(TrainingScript.Kind.GRAPHSAGE_MEAN, Edges::meanOfNeighbours, batch);
                    check(TrainingScript.Kind.GRAPHSAGE_GCN, Edges::meanWithSelf, batch);
                }
            }
        }
    }

    private static void check(TrainingScript.Kind kind, Function<Hop, Edges> expected, MiniBatch batch) {
        TrainingScript script = new TrainingScript(kind, List.of(4, 4, 3), List.of(1, 1), 0, 1);
        try (Tensors tensors = new Tensors(TestDevice.get());
                NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            float[] weights = Floats.of(script.edgeWeights(tensors, batch));
            int at = 0;
            for (Hop hop : batch.hops()) {
                Edges edges = expected.apply(Objects.requireNonNull(hop));
                int count = edges.weights().length;
                assertThat(Arrays.copyOfRange(weights, at, at + count)).isEqualTo(edges.weights());
                float[] sorted = Arrays.copyOfRange(weights, at + count, at + 2 * count);
                float[] expectedSorted = edges.weights().clone();
                Arrays.sort(sorted);
                Arrays.sort(expectedSorted);
                assertThat(sorted).isEqualTo(expectedSorted);
                at += 2 * count;
            }
            assertThat(weights).hasSize(at);
        }
    }
}
