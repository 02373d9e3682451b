package io.cutwater.trainer.launch;

import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.remote.SampledTrainers;
import io.cutwater.trainer.remote.SamplerTrainers;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** A mode of trainings that need all shards at the same time. */
interface SharedMode {
    TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("gcn", 2, 8, 1, Aggregator.MEAN, 0.5),
            new SamplingOptions(Collections.nCopies(2, SamplingOptions.ALL), SamplingOptions.ALL, 1, 1),
            0.01,
            5e-4,
            7,
            "cpu");

    TrainerOptions ATTENTION = new TrainerOptions(
            new ModelOptions("gat", 2, 8, 2, Aggregator.MEAN, 0.5), OPTIONS.sampling(), 0.01, 5e-4, 7, "cpu");

    default TrainerOptions options() {
        return OPTIONS;
    }

    default GnnNetwork network(DataShape shape) {
        return new GnnNetwork(options().model(), shape.features(), shape.classes());
    }

    static SharedMode fullGraph(SplittableRandom random) {
        String rule =
                List.of("none", "epoch:1", "adaptive:1", "variation:0.05,2").get(random.nextInt(4));
        Staleness parsed = Staleness.of(rule);
        FullGraphOptions how = new FullGraphOptions(
                new Staleness(parsed.kind(), parsed.bound(), parsed.change(), 0),
                RowCoding.values()[random.nextInt(3)],
                random.nextBoolean());
        boolean hasAttention = parsed.kind() != Staleness.Kind.VARIATION && random.nextBoolean();
        return new FullGraph(hasAttention ? ATTENTION : OPTIONS, how);
    }

    ShardTrainers trainers(ShardSource source, DataShape shape, Path scratch);

    AverageEvery averageEvery();

    int embeddings();

    record FullGraph(TrainerOptions options, FullGraphOptions how) implements SharedMode {
        @Override
        public ShardTrainers trainers(ShardSource source, DataShape shape, Path scratch) {
            return new FullGraphTrainers(
                    new FullGraphStores(source, shape, scratch), shape.features(), network(shape), options, how);
        }

        @Override
        public AverageEvery averageEvery() {
            return AverageEvery.epochs(3);
        }

        @Override
        public int embeddings() {
            return 0;
        }
    }

    record Sync(int embeddings) implements SharedMode {
        @Override
        public ShardTrainers trainers(ShardSource source, DataShape shape, Path scratch) {
            return new SyncTrainers(source, shape, Sampled.SAMPLED, new SyncOptions(2000, embeddings), scratch);
        }

        @Override
        public AverageEvery averageEvery() {
            return AverageEvery.gradients();
        }
    }

    /** Like {@link Sync}, but samplers make the mini-batches. */
    record Sampled() implements SharedMode {
        private static final TrainerOptions SAMPLED =
                new TrainerOptions(OPTIONS.model(), new SamplingOptions(List.of(3, 2), 16, 1, 2), 0.01, 5e-4, 7, "cpu");

        private static final SyncOptions HOW = new SyncOptions(2000, 0, 1);

        @Override
        public ShardTrainers trainers(ShardSource source, DataShape shape, Path scratch) {
            return new SampledTrainers(shape, SAMPLED, HOW);
        }

        static ShardTrainers samplers(ShardSource source, DataShape shape, Path scratch) {
            return new SamplerTrainers(source, shape, SAMPLED, HOW, scratch);
        }

        @Override
        public AverageEvery averageEvery() {
            return AverageEvery.gradients();
        }

        @Override
        public int embeddings() {
            return 0;
        }
    }
}
