package io.cutwater.trainer.sync;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.Scorer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains a shard's slice of the training vertices on the whole graph. It needs all shards, which it uses when asked.
 */
final class SyncTrainer implements ShardTrainer {
    private final SharedGraph graph;
    private final ShardStore store;
    private final GnnNetwork network;
    private final TrainerOptions options;
    private final SyncOptions how;
    private final TemporaryFolder folder;
    private @Nullable LocalTrainer trainer;

    /** @param folder folder of this trainer alone, which it closes */
    SyncTrainer(
            SharedGraph graph,
            ShardStore store,
            GnnNetwork network,
            TrainerOptions options,
            SyncOptions how,
            TemporaryFolder folder) {
        this.graph = graph;
        this.store = store;
        this.network = network;
        this.options = options;
        this.how = how;
        this.folder = folder;
    }

    private LocalTrainer trainer() throws IOException {
        LocalTrainer made = trainer;
        if (made == null) {
            made = make();
            trainer = made;
        }
        return made;
    }

    private LocalTrainer make() throws IOException {
        LinkedShards shards = graph.shards();
        int rank = store.shard();
        long[] slice = shards.slice(rank);
        RecentRows recent = new RecentRows(
                (int) Math.min(1 << 29, how.cacheBytes() / SampledFeatures.bytesPerRow(store.features())));
        // All shards sample with the same seed, but drop out with their own.
        long salt = Hashing.mix64(rank + 1L);
        BatchQueue batches = new BatchQueue(
                rank,
                salt,
                options.sampling(),
                IntStream.range(0, slice.length).toArray(),
                buffers -> new GraphBatchMaker(
                        shards,
                        rank,
                        slice,
                        options.sampling().fanouts(),
                        salt,
                        recent,
                        graph.counters(rank),
                        how.embeddings(),
                        buffers));
        SharedEmbeddings embeddings = graph.embeddings();
        return new LocalTrainer(
                store,
                network,
                options,
                options.randomSeed(),
                batches,
                Scorer.layerwise(network, new GraphScorer(graph, rank, network, recent, folder.folder("between"))),
                embeddings == null ? null : embeddings.of(rank));
    }

    @Override
    public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
        try {
            return trainer().train(round, from, others);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public AccuracyCounts evaluate(float[][] weights) throws IOException {
        return trainer().evaluate(weights);
    }

    @Override
    public void close() {
        if (trainer != null) {
            trainer.close();
        }
        try {
            folder.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete %s".formatted(folder.path()), e);
        }
    }
}
