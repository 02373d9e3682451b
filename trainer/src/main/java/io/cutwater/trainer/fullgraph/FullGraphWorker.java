package io.cutwater.trainer.fullgraph;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.exchange.RowExchange;
import io.cutwater.trainer.exchange.ShardRows;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.util.Arrays;

/**
 * One of the workers that train a model on the whole graph together: it has the rows of one shard's vertices. All
 * workers make the same steps, so that their models stay equal bit by bit. The product with the weights comes first and
 * then the sum over neighbours, so rows are as wide as a layer's outputs. The first layer sums the features, which do
 * not change, once per cut; its dropout applies to these sums. Used by one thread.
 */
final class FullGraphWorker {
    private final FullGraphLayers layers;
    private final TrainerOptions options;
    private final float[] weightDecays;
    private final ShardRows rows;
    private final RowExchange exchange;
    private final Passes passes;
    private final int[] labels;
    private final VertexSplit[] splits;
    private final ShardSize size;
    private final long trainingVertices;
    private float[][] weights = {};

    /**
     * Creates a worker, together with those of the other shards.
     *
     * @param weightDecays one value per weight
     * @param cut hash of the training and its cut
     */
    FullGraphWorker(
            FrameChannel channel,
            ShardStore store,
            PartitioningKind kind,
            FullGraphLayers layers,
            TrainerOptions options,
            float[] weightDecays,
            FullGraphOptions how,
            long cut)
            throws IOException, InterruptedException {
        this.layers = layers;
        this.options = options;
        this.weightDecays = weightDecays;
        trainingVertices = store.verticesOf(VertexSplit.TRAIN).length;
        size = ShardSize.of(store);
        rows = ShardRows.link(channel, store, trainingVertices, cut);
        exchange = new RowExchange(
                channel, rows, how.staleness(), how.coding(), how.mayDelayGradients(), kind == PartitioningKind.EDGE);
        NeighbourSums graph = new NeighbourSums(store, rows, exchange, kind);
        passes = layers.haveAttention()
                ? new AttentionPasses(layers, options.randomSeed(), rows, exchange, graph, graph.allInputs(store))
                : sums(graph, store, how);
        labels = new int[rows.ownCount()];
        splits = new VertexSplit[rows.ownCount()];
        for (int local = 0; local < store.vertexCount(); local++) {
            if (rows.ofLocal(local) < labels.length) {
                labels[rows.ofLocal(local)] = store.label(local);
                splits[rows.ofLocal(local)] = store.split(local);
            }
        }
    }

    private Passes sums(NeighbourSums sums, ShardStore store, FullGraphOptions how)
            throws IOException, InterruptedException {
        InputMatrix neighbourInputs = sums.sumOfInputs(layers.norm(), store);
        InputMatrix ownInputs = layers.hasSelf() ? sums.ownInputs(store) : neighbourInputs;
        boolean measuresApart = how.staleness().kind() == Staleness.Kind.VARIATION && layers.dropout() > 0;
        return new SumPasses(layers, options.randomSeed(), rows, sums, neighbourInputs, ownInputs, measuresApart);
    }

    /** Continues in another group of the same shards. */
    void continueIn(FrameChannel others) {
        exchange.continueIn(others);
    }

    /** Trains one step per epoch. The rows of earlier rounds are not used, so that a resumed training is the same. */
    LocalUpdate train(Round round, ModelState from) throws IOException, InterruptedException {
        long began = System.nanoTime();
        long waited = exchange.waitedNanos();
        weights = PlainAdam.copy(from.weights());
        PlainAdam adam = new PlainAdam(options.learningRate(), weightDecays, from.optimiser());
        double loss = 0;
        for (int epoch = round.firstEpoch(); epoch < round.firstEpoch() + round.epochs(); epoch++) {
            loss += step(epoch, adam);
        }
        EpochReport report = new EpochReport(
                round.epochs(),
                trainingVertices * round.epochs(),
                loss,
                passes.edges() * layers.count() * round.epochs(),
                System.nanoTime() - began,
                exchange.waitedNanos() - waited,
                0,
                0,
                exchange.takeTraffic(),
                Locality.NONE);
        return new LocalUpdate(
                new ModelState(weights, adam.state()), trainingVertices, trainingVertices == 0 ? 0 : 1, report, size);
    }

    private double step(int epoch, PlainAdam adam) throws IOException, InterruptedException {
        float[] scores = passes.forward(true, epoch, weights);
        double loss = lossAndGradient(scores);
        float[][] gradients = passes.backward(epoch, scores, weights);
        float[] flat =
                new float[Arrays.stream(gradients).mapToInt(each -> each.length).sum()];
        int at = 0;
        for (float[] gradient : gradients) {
            System.arraycopy(gradient, 0, flat, at, gradient.length);
            at += gradient.length;
        }
        exchange.sum(0, epoch, flat);
        at = 0;
        for (float[] gradient : gradients) {
            System.arraycopy(flat, at, gradient, 0, gradient.length);
            at += gradient.length;
        }
        adam.step(weights, gradients);
        return loss;
    }

    /**
     * Returns the sum of the losses of the own training vertices; replaces scores by the gradients of the mean loss.
     */
    private double lossAndGradient(float[] scores) {
        int classes = layers.classes();
        double loss = 0;
        for (int row = 0; row < rows.ownCount(); row++) {
            int at = row * classes;
            if (splits[row] != VertexSplit.TRAIN) {
                Arrays.fill(scores, at, at + classes, 0);
                continue;
            }
            double largest = Double.NEGATIVE_INFINITY;
            for (int i = at; i < at + classes; i++) {
                largest = Math.max(largest, scores[i]);
            }
            double sum = 0;
            for (int i = at; i < at + classes; i++) {
                sum += Math.exp(scores[i] - largest);
            }
            loss += Math.log(sum) + largest - scores[at + labels[row]];
            for (int i = at; i < at + classes; i++) {
                double probability = Math.exp(scores[i] - largest) / sum;
                scores[i] = (float) ((probability - (i - at == labels[row] ? 1 : 0)) / rows.trainingVertices());
            }
        }
        return loss;
    }

    /** Tests weights on the own vertices, with all rows up to date. */
    AccuracyCounts test(int epoch, float[][] tested) throws IOException, InterruptedException {
        weights = tested;
        float[] scores = passes.forward(false, epoch, weights);
        AccuracyCounts counts = new AccuracyCounts();
        for (int row = 0; row < rows.ownCount(); row++) {
            if (labels[row] >= 0) {
                counts.count(splits[row], labels[row], scores, row * layers.classes(), layers.classes());
            }
        }
        return counts;
    }
}
