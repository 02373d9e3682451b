package io.cutwater.trainer.remote;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.linked.GraphAnswers;
import io.cutwater.trainer.linked.HostFiles;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.sync.GraphLayers;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Opens shards in a sampler, which makes mini-batches over the whole graph for the workers of the shards (Armada, batch
 * preparation layer). The first request after a change of the cut or of the processes links the shards of all samplers.
 */
public final class SamplerTrainers implements ShardTrainers {
    private static final String STORE = "store";

    private final ShardSource source;
    private final DataShape shape;
    private final GnnNetwork network;
    private final TrainerOptions options;
    private final SyncOptions how;
    private final Path scratch;

    /**
     * Creates a factory.
     *
     * @param shape shape of the network
     * @param options options for all shards together
     * @param scratch folder for temporary folders
     */
    public SamplerTrainers(ShardSource source, DataShape shape, TrainerOptions options, SyncOptions how, Path scratch) {
        this.source = source;
        this.shape = shape;
        network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        this.options = options;
        this.how = how;
        this.scratch = scratch;
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
            shape.requireFit(store);
            isMade = true;
            return new Served(store, cut, folder);
        } finally {
            if (!isMade) {
                folder.close();
            }
        }
    }

    private record Links(LinkedShard shard, GraphAnswers answers, BatchServer server) {}

    private final class Served implements ShardTrainer {
        private final ShardStore store;
        private final ShardCut cut;
        private final TemporaryFolder folder;
        private @Nullable Links links;
        private long linkId;
        private int linksMade;

        Served(ShardStore store, ShardCut cut, TemporaryFolder folder) {
            this.store = store;
            this.cut = cut;
            this.folder = folder;
        }

        @Override
        public void serve(FrameChannel samplers) throws IOException, InterruptedException {
            Links made = links;
            if (made == null || linkId != samplers.linkId()) {
                links = null;
                made = link(samplers);
                links = made;
                linkId = samplers.linkId();
            }
            made.shard.continueIn(samplers, made.answers);
            made.server.continueIn(samplers);
            samplers.serveWith(made.server);
        }

        private Links link(FrameChannel samplers) throws IOException, InterruptedException {
            String between = "between-" + linksMade++;
            Path scratchOfLinks = folder.folder(between);
            LinkedShard shard = LinkedShard.link(
                    samplers,
                    store,
                    source.kind(),
                    SyncTrainers.id(cut, options),
                    HostFiles.of(folder, STORE, between));
            GraphAnswers answers = new GraphAnswers(shard);
            RowCache cache = new RowCache(how.cacheRows(store.features()));
            GraphLayers layers = new GraphLayers(shard, answers, network, cache, 0, scratchOfLinks);
            return new Links(
                    shard, answers, new BatchServer(shard, options.sampling().fanouts(), network, cache, layers));
        }

        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) {
            throw new UnsupportedOperationException("a sampler does not train");
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            throw new UnsupportedOperationException("a sampler does not test");
        }

        @Override
        public void close() {
            links = null;
            try {
                folder.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete %s".formatted(folder.path()), e);
            }
        }
    }
}
