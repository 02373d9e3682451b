package io.cutwater.trainer.sync;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.linked.GraphAnswers;
import io.cutwater.trainer.linked.HostFiles;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.Scorer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates trainers of shards that train one model with mini-batches over the whole graph (DistDGL: Zheng et al. 2020).
 * Each step takes the mean gradient of the mini-batches of all shards, which read neighbours and features of each
 * other. With all neighbours and without dropout the losses are those of one model on the whole graph with the same
 * mini-batches. The first request after a change of the cut or of the processes links the shards.
 */
public final class SyncTrainers implements ShardTrainers {
    private static final String STORE = "store";

    private final ShardSource source;
    private final DataShape shape;
    private final GnnNetwork network;
    private final TrainerOptions options;
    private final SyncOptions how;
    private final Path scratch;

    /**
     * Creates a factory of trainers.
     *
     * @param shape shape of the network
     * @param options options for all shards together
     * @param scratch folder for temporary folders
     */
    public SyncTrainers(ShardSource source, DataShape shape, TrainerOptions options, SyncOptions how, Path scratch) {
        this.source = source;
        this.shape = shape;
        network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        this.options = options;
        this.how = how;
        this.scratch = scratch;
    }

    /** Returns the hash of a training and its cut, by which shards recognise each other. */
    public static long id(ShardCut cut, TrainerOptions options) {
        return Hashing.mix64(cut.fingerprint(), options.words().hashCode());
    }

    /** Returns the number that makes the dropout of a shard differ from that of others, which sample with one seed. */
    public static long salt(int shard) {
        return Hashing.mix64(shard + 1L);
    }

    @Override
    public void expect(ShardCut cut, Collection<Integer> shards) {
        source.expect(cut, shards);
    }

    @Override
    public boolean needAllShards() {
        return true;
    }

    @Override
    public ShardTrainer open(int shard, ShardCut cut) throws IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "shard-%d".formatted(shard));
        boolean isMade = false;
        try {
            ShardStore store = source.make(shard, cut, folder.folder(STORE));
            // Learned rows are not among the features of the shard.
            (how.embeddings() > 0 ? new DataShape(0, shape.classes()) : shape).requireFit(store);
            isMade = true;
            return new Trainer(store, cut, folder);
        } finally {
            if (!isMade) {
                folder.close();
            }
        }
    }

    /** What belongs to the links of a shard. */
    private record Links(
            LinkedShard shard,
            GraphAnswers answers,
            WorkCounters counters,
            @Nullable ShardEmbeddings embeddings,
            GraphLayers layers,
            LocalTrainer trainer) {}

    private final class Trainer implements ShardTrainer {
        private final ShardStore store;
        private final ShardCut cut;
        private final TemporaryFolder folder;
        private @Nullable Links links;
        private long linkId;
        private int linksMade;
        private Traffic ofTests = Traffic.NONE;

        Trainer(ShardStore store, ShardCut cut, TemporaryFolder folder) {
            this.store = store;
            this.cut = cut;
            this.folder = folder;
        }

        /** Returns the trainer in a group. If the links do not hold, all shards of the group link anew. */
        private Links in(FrameChannel others, @Nullable EmbeddingRows embeddings)
                throws IOException, InterruptedException {
            Links made = links;
            if (made == null || linkId != others.linkId()) {
                closeLinks();
                made = link(others, embeddings);
                links = made;
                linkId = others.linkId();
            }
            made.shard.continueIn(others, made.answers);
            return made;
        }

        private Links link(FrameChannel others, @Nullable EmbeddingRows rows) throws IOException, InterruptedException {
            if (how.embeddings() > 0 && rows == null) {
                throw new IOException("the request has no embeddings; run all processes with the same version");
            }
            String between = "between-" + linksMade++;
            Path scratchOfLinks = folder.folder(between);
            LinkedShard shard = LinkedShard.link(
                    others, store, source.kind(), id(cut, options), HostFiles.of(folder, STORE, between));
            GraphAnswers answers = new GraphAnswers(shard);
            WorkCounters counters = new WorkCounters();
            ShardEmbeddings embeddings = rows == null || how.embeddings() == 0
                    ? null
                    : new ShardEmbeddings(shard, rows, options.learningRate(), counters);
            if (embeddings != null) {
                answers.offer(GraphLayers.EMBEDDINGS, embeddings);
            }
            RowCache cache = new RowCache(how.cacheRows(store.features()));
            GraphLayers layers = new GraphLayers(shard, answers, network, cache, how.embeddings(), scratchOfLinks);
            TrainerOptions own = options.sharedBy(cut.shards());
            long salt = salt(store.shard());
            BatchQueue batches = new BatchQueue(
                    store.shard(),
                    salt,
                    own.sampling(),
                    IntStream.range(0, shard.slice().vertices().length).toArray(),
                    buffers -> new GraphBatchMaker(
                            shard, own.sampling().fanouts(), salt, cache, counters, how.embeddings(), buffers));
            LocalTrainer trainer = new LocalTrainer(
                    store,
                    network,
                    own,
                    own.randomSeed(),
                    batches,
                    Scorer.layerwise(network, new GraphScorer(layers, network, shard::channel)),
                    embeddings);
            return new Links(shard, answers, counters, embeddings, layers, trainer);
        }

        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            try {
                Links in = in(others, from.embeddings());
                in.counters.takeTraffic(); // of an attempt that failed
                in.counters.takeLocality();
                LocalUpdate update = in.trainer.train(round, from, others);
                EpochReport exchanged =
                        EpochReport.nothing().with(in.counters.takeTraffic().plus(ofTests), in.counters.takeLocality());
                ofTests = Traffic.NONE;
                ModelState state =
                        in.embeddings == null ? update.state() : update.state().with(in.embeddings.takeChanged());
                return new LocalUpdate(
                        state,
                        update.examples(),
                        update.epochBatches(),
                        update.report().plus(exchanged),
                        update.size());
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        /** Not supported: the rows of other shards are missing. */
        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            throw new UnsupportedOperationException("a shard of a linked graph cannot be tested alone");
        }

        @Override
        public AccuracyCounts evaluate(Round round, ModelState state, FrameChannel others)
                throws IOException, InterruptedException {
            Links in = in(others, state.embeddings());
            in.layers.takeBytes(); // of an attempt that failed
            in.layers.takeMapped();
            AccuracyCounts counts = in.trainer.evaluate(state.weights());
            ofTests = ofTests.plus(new Traffic(0, 0, 0, 0, in.layers.takeBytes()).withMapped(in.layers.takeMapped()));
            return counts;
        }

        private void closeLinks() {
            if (links != null) {
                links.trainer.close();
                links = null;
            }
        }

        @Override
        public void close() {
            closeLinks();
            try {
                folder.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete %s".formatted(folder.path()), e);
            }
        }
    }
}
