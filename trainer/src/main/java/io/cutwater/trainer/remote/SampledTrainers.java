package io.cutwater.trainer.remote;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.sync.GraphScorer;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.sync.WorkCounters;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.Scorer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates trainers of shards whose mini-batches and tests samplers prepare, see {@link SamplerTrainers}: they only
 * compute. The losses are those of {@link SyncTrainers}, bit for bit, because a mini-batch depends only on its seeds
 * and its random seed.
 */
public final class SampledTrainers implements ShardTrainers {
    private final GnnNetwork network;
    private final TrainerOptions options;
    private final SyncOptions how;
    private final Map<List<Integer>, BatchTeam> teams = new HashMap<>();

    /**
     * Creates a factory of trainers.
     *
     * @param shape shape of the network
     * @param options options for all shards together
     */
    public SampledTrainers(DataShape shape, TrainerOptions options, SyncOptions how) {
        this.how = how;
        network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        this.options = options;
    }

    @Override
    public boolean needAllShards() {
        return true;
    }

    @Override
    public ShardTrainer open(int shard, ShardCut cut) {
        return new Sampled(options.sharedBy(cut.shards()));
    }

    /** Returns the team of a shard, the same for all its shards as long as the same processes have them. */
    private synchronized BatchTeam team(FrameChannel others) {
        teams.values().removeIf(team -> team.linkId() != others.linkId());
        return teams.computeIfAbsent(
                others.team(),
                shards -> new BatchTeam(shards, others.linkId(), how.cacheBytes(), network.layerCount()));
    }

    private record Links(RemoteSource source, WorkCounters counters, LocalTrainer trainer) {}

    private final class Sampled implements ShardTrainer {
        private final TrainerOptions own;
        private @Nullable Links links;
        private long linkId;
        private Traffic ofTests = Traffic.NONE;

        Sampled(TrainerOptions own) {
            this.own = own;
        }

        private Links in(FrameChannel others) throws IOException, InterruptedException {
            Links made = links;
            if (made == null || linkId != others.linkId()) {
                closeLinks();
                made = open(others);
                links = made;
                linkId = others.linkId();
            }
            made.source.continueIn(others);
            return made;
        }

        private Links open(FrameChannel others) throws IOException, InterruptedException {
            if (!others.hasSampler()) {
                throw new IOException("no sampler has the shard; give the coordinator --sampler-processes, too");
            }
            RemoteShard shard = RemoteSource.open(others);
            BatchTeam team = team(others);
            team.joins(shard);
            WorkCounters counters = new WorkCounters();
            SamplingOptions sampling = own.sampling();
            RemoteSource source =
                    new RemoteSource(shard, network, team, Math.max(0, sampling.batchSize()), counters, others);
            BatchQueue batches = new BatchQueue(
                    shard.shard(),
                    SyncTrainers.salt(shard.shard()),
                    // A thread only waits for its answer: as many questions are open as mini-batches may be ahead.
                    new SamplingOptions(sampling.fanouts(), sampling.batchSize(), sampling.ahead(), sampling.ahead()),
                    IntStream.range(0, shard.trained()).toArray(),
                    source::maker);
            LocalTrainer trainer = new LocalTrainer(
                    shard,
                    network,
                    own,
                    own.randomSeed(),
                    batches,
                    Scorer.layerwise(network, new GraphScorer(source, network, source::channel)),
                    null);
            return new Links(source, counters, trainer);
        }

        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            try {
                Links in = in(others);
                in.counters.takeTraffic(); // of an attempt that failed
                in.counters.takeLocality();
                in.source.begin(round.number(), round.firstBatch());
                LocalUpdate update = in.trainer.train(round, from, others);
                EpochReport exchanged =
                        EpochReport.nothing().with(in.counters.takeTraffic().plus(ofTests), in.counters.takeLocality());
                ofTests = Traffic.NONE;
                return new LocalUpdate(
                        update.state(),
                        update.examples(),
                        update.epochBatches(),
                        update.report().plus(exchanged),
                        update.size());
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        /** Not supported: the shard is at its sampler. */
        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            throw new UnsupportedOperationException("a shard of a sampler cannot be tested alone");
        }

        @Override
        public AccuracyCounts evaluate(Round round, ModelState state, FrameChannel others)
                throws IOException, InterruptedException {
            Links in = in(others);
            AccuracyCounts counts = in.trainer.evaluate(state.weights());
            ofTests = ofTests.plus(in.source.takeTraffic());
            return counts;
        }

        private void closeLinks() {
            if (links != null) {
                links.source.close();
                links.trainer.close();
                links = null;
            }
        }

        @Override
        public void close() {
            closeLinks();
        }
    }
}
