package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Creates trainers of shards that train one model on the whole graph together, see {@link FullGraphWorker}. The first
 * request after a change of the cut or of the processes links the shards: it builds all of them.
 */
public final class FullGraphTrainers implements ShardTrainers {
    private final Stores stores;
    private final FullGraphLayers layers;
    private final TrainerOptions options;
    private final float[] weightDecays;
    private final FullGraphOptions how;

    /** Builds the shards of a cut. */
    public interface Stores {
        /** Announces shards of a cut that are going to be built here. */
        default void expect(ShardCut cut, Collection<Integer> shards) {}

        /** Returns what the shards of all cuts divide. */
        PartitioningKind kind() throws IOException, InterruptedException;

        /** Receives a store, which is valid until the call returns. */
        @FunctionalInterface
        interface StoreConsumer {
            void accept(ShardStore store) throws IOException, InterruptedException;
        }

        /**
         * Builds a shard; called by several threads for different shards.
         *
         * @throws IOException if the shard cannot be built; the message is meant for users
         */
        void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException;
    }

    /**
     * Creates a factory of trainers.
     *
     * @param features features of a vertex
     * @throws IllegalArgumentException if the model cannot be trained in this way; the message is meant for users
     */
    public FullGraphTrainers(
            Stores stores, int features, GnnNetwork network, TrainerOptions options, FullGraphOptions how) {
        how.requireSupported(options.model());
        this.stores = stores;
        layers = FullGraphLayers.of(options.model(), network, features);
        this.options = options;
        weightDecays = network.weightDecays(options.weightDecays());
        this.how = how;
    }

    @Override
    public void expect(ShardCut cut, Collection<Integer> shards) {
        stores.expect(cut, shards);
    }

    @Override
    public boolean needAllShards() {
        return true;
    }

    @Override
    public ShardTrainer open(int shard, ShardCut cut) {
        return new Trainer(shard, cut);
    }

    private final class Trainer implements ShardTrainer {
        private final int shard;
        private final ShardCut cut;
        private @Nullable FullGraphWorker worker;
        private long linkId;

        Trainer(int shard, ShardCut cut) {
            this.shard = shard;
            this.cut = cut;
        }

        /** Returns the worker in a group. If the links of the shards do not hold, all shards of the group link anew. */
        private FullGraphWorker in(FrameChannel others) throws IOException, InterruptedException {
            if (worker == null || linkId != others.linkId()) {
                worker = null; // frees its memory
                long id = Hashing.mix64(cut.fingerprint(), options.words().hashCode());
                PartitioningKind kind = stores.kind();
                stores.open(
                        shard,
                        cut,
                        store -> worker =
                                new FullGraphWorker(others, store, kind, layers, options, weightDecays, how, id));
                linkId = others.linkId();
            }
            FullGraphWorker linked = worker;
            if (linked == null) {
                throw new IllegalStateException("shard %d was not built".formatted(shard));
            }
            linked.continueIn(others);
            return linked;
        }

        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            if (!round.isOfWholeEpochs()) {
                throw new IllegalStateException("full-graph training has one step per epoch");
            }
            try {
                return in(others).train(round, from);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        /** Not supported: the rows of other shards are missing. */
        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            throw new UnsupportedOperationException("a shard of a full graph cannot be tested alone");
        }

        @Override
        public AccuracyCounts evaluate(Round round, ModelState state, FrameChannel others)
                throws IOException, InterruptedException {
            return in(others).test(round.firstEpoch(), state.weights());
        }

        @Override
        public void close() {
            worker = null;
        }
    }
}
