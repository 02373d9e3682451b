package io.cutwater.trainer.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTrainerTest {
    @TempDir
    Path temp;

    @Test
    void aTrainerThatCannotBeCreatedFreesTheDevice() throws IOException {
        ShardStore store = new RandomGraph(3, 80, 400, 12, 3, 0.9).shards(temp, 2)[0];
        TrainerOptions options = new TrainerOptions(
                new ModelOptions("gcn", 2, 6, 2, Aggregator.MEAN, 0.4),
                new SamplingOptions(List.of(3, 3), 8, 2, 3),
                0.01,
                5e-4,
                7,
                TestDevice.get().isGpu() ? "gpu" : "cpu");
        GnnNetwork network = new GnnNetwork(options.model(), store.features().columns(), 3);
        BatchQueue batches = new BatchQueue(store, options.sampling(), store.verticesOf(VertexSplit.TRAIN), false);
        List<Tensors> created = new ArrayList<>();
        assertThatThrownBy(() -> new LocalTrainer(
                        store,
                        network,
                        options,
                        7,
                        batches,
                        tensors -> {
                            created.add(tensors);
                            throw new IOException("no space is left");
                        },
                        null))
                .hasMessage("no space is left");
        assertThat(created)
                .singleElement()
                .satisfies(tensors -> assertThat(tensors.manager().isOpen()).isFalse());
    }
}
