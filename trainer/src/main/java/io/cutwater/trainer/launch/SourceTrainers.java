package io.cutwater.trainer.launch;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.mapped.SequentialReading;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Creates trainers for the shards of a source. Each has a folder of its own, which is deleted when the trainer is
 * closed.
 */
final class SourceTrainers implements ShardTrainers {
    private static final String STORE = "store";

    private final ShardSource source;
    private final DataShape shape;
    private final GnnNetwork network;
    private final TrainerOptions options;
    private final Path scratch;

    /**
     * Creates a factory of trainers.
     *
     * @param shape shape of the network
     * @param options options for all shards together
     * @param scratch folder for temporary folders
     */
    SourceTrainers(ShardSource source, DataShape shape, TrainerOptions options, Path scratch) {
        this.source = source;
        this.shape = shape;
        network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        this.options = options;
        this.scratch = scratch;
    }

    @Override
    public void expect(ShardCut cut, Collection<Integer> shards) {
        source.expect(cut, shards);
    }

    @Override
    public ShardTrainer open(int shard, ShardCut cut) throws IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "shard-%d".formatted(shard));
        boolean isMade = false;
        try {
            ShardStore store = source.make(shard, cut, folder.folder(STORE));
            shape.requireFit(store);
            ShardTrainer trainer =
                    new LocalTrainer(store, network, options.sharedBy(cut.shards()), folder.folder("between"));
            isMade = true;
            return new WithFolder(trainer, folder);
        } finally {
            if (!isMade) {
                folder.close();
            }
        }
    }

    /** A trainer and its temporary folder. */
    private record WithFolder(ShardTrainer trainer, TemporaryFolder folder) implements ShardTrainer {
        /** Reads the files once: the shards of a thread take turns, and one may push another one out of memory. */
        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            if (round.firstBatch() == 0) {
                SequentialReading.of(files());
            }
            LocalUpdate update = trainer.train(round, from, others);
            if (round.isOfWholeEpochs() && !round.sharesSteps()) { // otherwise all shards are in use
                SequentialReading.free(files());
            }
            return update;
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) throws IOException {
            SequentialReading.of(files());
            AccuracyCounts counts = trainer.evaluate(weights);
            SequentialReading.free(files());
            return counts;
        }

        private Path files() {
            return folder.path().resolve(STORE);
        }

        @Override
        public void close() {
            trainer.close();
            try {
                folder.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete %s".formatted(folder.path()), e);
            }
        }
    }
}
