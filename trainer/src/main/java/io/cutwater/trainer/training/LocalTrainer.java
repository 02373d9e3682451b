package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.Weight;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.ChunkReader;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.shard.LabelledShard;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Devices;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Trains on one shard with mini-batches of sampled neighbourhoods. */
public final class LocalTrainer implements ShardTrainer {
    private static final int NOWHERE = -1;

    private final LabelledShard store;
    private final GnnNetwork network;
    private final long randomSeed;

    private final Tensors tensors;
    private final BatchQueue batches;
    private final Scorer scorer;
    private final @Nullable LearnedInputs learned;
    private final Adam adam;
    /** Number of values of all weights. */
    private final int size;

    /** All weights, one after the other. */
    private NDArray weights;

    private int epochAt = NOWHERE;
    private int batchAt;

    /**
     * Creates a trainer that reads its shard alone.
     *
     * @param scratch folder for files of this trainer alone
     */
    public LocalTrainer(ShardStore store, GnnNetwork network, TrainerOptions options, Path scratch) throws IOException {
        this(store, network, options, scratch, holdsFeatures(store, options));
    }

    private LocalTrainer(
            ShardStore store, GnnNetwork network, TrainerOptions options, Path scratch, boolean holdsFeatures)
            throws IOException {
        this(
                store,
                network,
                options,
                Hashing.mix64(options.randomSeed(), store.shard()),
                new BatchQueue(store, options.sampling(), store.verticesOf(VertexSplit.TRAIN), holdsFeatures),
                tensors -> {
                    if (holdsFeatures) {
                        tensors.hold((DenseFeatures) store.features(), store.vertexCount());
                    }
                    return ChunkReader.canKeep(store)
                            ? new KeptInference(store, network, tensors)
                            : new Inference(store, network, tensors, scratch);
                },
                null);
    }

    /** Returns whether the features stay on the device. Those of an epoch of one mini-batch do so in any case. */
    private static boolean holdsFeatures(ShardStore store, TrainerOptions options) {
        if (options.sampling().takesAll() || !(store.features() instanceof DenseFeatures features)) {
            return false;
        }
        long room = options.heldFeatures() == TrainerOptions.AUTOMATIC
                ? Devices.roomForFeatures(Torch.device(options.device(), store.shard()))
                : options.heldFeatures();
        return (long) store.vertexCount() * features.columns() * Float.BYTES <= room;
    }

    /**
     * Creates a trainer with mini-batches and tests from elsewhere.
     *
     * @param orderSeed seed of the order of training vertices and of samples
     * @param batches mini-batches, which this trainer closes
     * @param learned inputs of the mini-batches; null if these have features
     */
    public LocalTrainer(
            LabelledShard store,
            GnnNetwork network,
            TrainerOptions options,
            long orderSeed,
            BatchQueue batches,
            Scorer.Source scorers,
            @Nullable LearnedInputs learned)
            throws IOException {
        this.store = store;
        this.network = network;
        this.batches = batches;
        this.learned = learned;
        randomSeed = orderSeed;
        tensors = new Tensors(Torch.device(options.device(), store.shard()));
        boolean isComplete = false;
        try {
            scorer = scorers.scorer(tensors);
            adam = new Adam(
                    tensors, network.weights(), options.learningRate(), network.weightDecays(options.weightDecays()));
            size = network.size();
            batches.packWith(network.packer());
            weights = tensors.manager().zeros(new Shape(size));
            isComplete = true;
        } finally {
            if (!isComplete) {
                close(); // the device would keep its memory, and threads would go on sampling
            }
        }
    }

    @Override
    public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
        AllReduce gradients = new AllReduce(others);
        Torch.recordGradients(true); // for models without a script
        setWeights(from.weights());
        adam.restore(from.optimiser());
        EpochReport report = EpochReport.nothing();
        // One per epoch. They stay on the device until the end: to read one is to wait for all operations.
        List<NDArray> losses = new ArrayList<>();
        try {
            for (int epoch = round.firstEpoch(); epoch < round.firstEpoch() + round.epochs(); epoch++) {
                report = report.plus(trainBatches(
                        epoch,
                        round.firstBatch(),
                        round.isOfWholeEpochs() ? Integer.MAX_VALUE : round.batches(),
                        gradients,
                        losses));
            }
            long computed = System.nanoTime();
            for (NDArray loss : losses) {
                report = report.plus(new EpochReport(0, 0, Floats.number(loss), 0, 0, 0, 0, 0));
            }
            report = report.plus(new EpochReport(0, 0, 0, 0, System.nanoTime() - computed, 0, 0, 0));
        } finally {
            losses.forEach(NDArray::close);
        }
        return new LocalUpdate(
                new ModelState(Weight.split(network.weights(), Floats.of(weights)), adam.state()),
                round.isOfWholeEpochs() ? batches.seedCount() : report.seeds(),
                batches.epochBatches(),
                report,
                ShardSize.of(store));
    }

    private EpochReport trainBatches(int epoch, int first, int count, AllReduce gradients, List<NDArray> losses)
            throws InterruptedException {
        if (gradients.isAlone() && first >= batches.epochBatches()) {
            return EpochReport.nothing();
        }
        long began = System.nanoTime();
        long waitedForBatches = batches.waitedNanos();
        long waited = waitedForBatches + gradients.waitedNanos();
        long sent = gradients.bytes();
        goTo(epoch, first);
        int steps = 0;
        long trained = 0;
        long edges = 0;
        NDArray loss = tensors.manager().zeros(new Shape(1), DataType.FLOAT64);
        losses.add(loss);
        for (boolean hasMore = true; hasMore; ) {
            MiniBatch batch = steps < count ? batches.next() : null;
            try (NDScope scope = new NDScope()) { // otherwise intermediate arrays live as long as the weights
                scope.suppressNotUsedWarning();
                NDArray gradient = null;
                int seedCount = 0;
                if (batch != null) {
                    gradient = differentiate(batch, loss);
                    seedCount = batch.labels().length;
                    trained += seedCount;
                    edges += batch.edgeCount();
                    batches.giveBack(batch);
                    steps++;
                }
                boolean isLast = steps >= count || first + steps >= batches.epochBatches();
                hasMore = step(gradients, gradient, seedCount, !isLast);
            }
        }
        epochAt = epoch;
        batchAt = first + steps;
        return new EpochReport(
                steps,
                trained,
                0, // read at the end of the round
                edges,
                System.nanoTime() - began,
                batches.waitedNanos() + gradients.waitedNanos() - waited,
                batches.waitedNanos() - waitedForBatches,
                gradients.bytes() - sent);
    }

    /** Moves to a mini-batch. Prepared mini-batches are kept if the round continues the one before. */
    private void goTo(int epoch, int batch) {
        if (epochAt != epoch || batchAt != batch) {
            batches.begin(Hashing.mix64(randomSeed, epoch), batch);
        }
        epochAt = NOWHERE; // until the round is complete
    }

    /** Returns the gradient of a mini-batch, and adds its losses to a sum. */
    private NDArray differentiate(MiniBatch batch, NDArray losses) throws InterruptedException {
        if (batches.isAlwaysTheSame()) {
            tensors.keep(batch.inputs());
            batch.hops().forEach(tensors::keep);
        }
        NDArray results = batch.inputs() instanceof InputRows.Learned rows
                ? differentiate(batch, rows.vertices(), Objects.requireNonNull(learned))
                : network.differentiate(tensors, weights, batch);
        losses.addi(results.get(new NDIndex().addSliceDim(size, size + 1)).toType(DataType.FLOAT64, false));
        return results.get(new NDIndex().addSliceDim(0, size));
    }

    private NDArray differentiate(MiniBatch batch, long[] vertices, LearnedInputs from) throws InterruptedException {
        float[] rows;
        try {
            rows = from.read(vertices);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        NDArray inputs = tensors.floats(rows, new Shape(vertices.length, from.width()));
        inputs.setRequiresGradient(true);
        NDArray results = network.differentiate(tensors, weights, batch, inputs);
        from.announce(vertices, Floats.of(inputs.getGradient()), batch.labels().length);
        return results;
    }

    /**
     * Takes a step with the gradient of the last mini-batch, or with the mean over all ranks.
     *
     * @param gradient null if there is no mini-batch
     * @return whether this rank or another one has a mini-batch for the next step
     */
    private boolean step(AllReduce gradients, @Nullable NDArray gradient, int seedCount, boolean hasMore)
            throws InterruptedException {
        LearnedInputs inputs = learned;
        if (inputs == null) {
            return stepOfWeights(gradients, gradient, seedCount, hasMore);
        }
        try {
            inputs.update();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        // All shards have updated their rows when the mean of the gradients is known.
        return stepOfWeights(gradients, gradient, seedCount, hasMore);
    }

    private boolean stepOfWeights(AllReduce gradients, @Nullable NDArray gradient, int seedCount, boolean hasMore)
            throws InterruptedException {
        if (gradients.isAlone()) {
            if (gradient != null) {
                adam.step(weights, gradient);
            }
            return hasMore;
        }
        float[] values = gradient == null ? new float[size] : Floats.of(gradient);
        AllReduce.Outcome outcome = gradients.mean(values, seedCount, hasMore);
        if (outcome.weight() > 0) {
            adam.step(weights, tensors.floats(values, new Shape(size)));
        }
        return outcome.hasMore();
    }

    @Override
    public AccuracyCounts evaluate(float[][] values) throws IOException {
        setWeights(values);
        AccuracyCounts counts = new AccuracyCounts();
        int classes = network.width(network.layerCount() - 1);
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            scorer.run(network.split(weights), (from, scores) -> {
                for (int i = 0; i < scores.length / classes; i++) {
                    int label = store.label(from + i);
                    if (label >= 0) {
                        counts.count(store.split(from + i), label, scores, i * classes, classes);
                    }
                }
            });
        }
        return counts;
    }

    private void setWeights(float[][] values) {
        weights.close();
        weights = tensors.flat(values);
    }

    @Override
    public void close() {
        batches.close();
        tensors.close();
    }
}
