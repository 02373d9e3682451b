package io.cutwater.trainer.fullgraph;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.exchange.Direction;
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
    private final NeighbourSums sums;
    private final InputMatrix neighbourInputs;
    private final ForwardPass forward;
    private final InputMatrix ownInputs; // used if a vertex has weights of its own
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
        sums = new NeighbourSums(store, rows, exchange, kind);
        neighbourInputs = sums.sumOfInputs(layers.norm(), store);
        ownInputs = layers.hasSelf() ? sums.ownInputs(store) : neighbourInputs;
        boolean measuresApart = how.staleness().kind() == Staleness.Kind.VARIATION && layers.dropout() > 0;
        forward = new ForwardPass(layers, options.randomSeed(), rows, sums, neighbourInputs, ownInputs, measuresApart);
        labels = new int[rows.ownCount()];
        splits = new VertexSplit[rows.ownCount()];
        for (int local = 0; local < store.vertexCount(); local++) {
            if (rows.ofLocal(local) < labels.length) {
                labels[rows.ofLocal(local)] = store.label(local);
                splits[rows.ofLocal(local)] = store.split(local);
            }
        }
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
                sums.edges() * layers.count() * round.epochs(),
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
        float[][] inputs = new float[layers.count()][];
        float[] scores = forward.run(true, epoch, weights, inputs);
        double loss = lossAndGradient(scores);
        float[][] gradients = backward(epoch, scores, inputs);
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

    private float[][] backward(int epoch, float[] ofScores, float[][] inputs) throws IOException, InterruptedException {
        float[][] gradients = new float[weights.length][];
        Arrays.setAll(gradients, i -> new float[weights[i].length]);
        float[] outer = ofScores;
        int own = rows.ownCount();
        for (int layer = layers.count() - 1; layer > 0; layer--) {
            int width = layers.widths()[layer];
            int columns = layers.widths()[layer + 1];
            int weight = layers.weight(layer);
            Products.addRows(outer, own, columns, gradients[weight + 1]);
            float[] products = sums.sum(
                    layers.norm(),
                    true,
                    Direction.BACKWARD_SCATTER,
                    Direction.BACKWARD_GATHER,
                    layer,
                    epoch,
                    outer,
                    outer,
                    columns);
            Products.addTransposed(inputs[layer], own, width, products, columns, gradients[weight]);
            float[] ofInputs = Products.zeros(own, width);
            Products.addByTransposed(products, own, columns, weights[weight], width, ofInputs);
            if (layers.hasSelf()) {
                Products.addTransposed(inputs[layer], own, width, outer, columns, gradients[weight + 2]);
                Products.addByTransposed(outer, own, columns, weights[weight + 2], width, ofInputs);
            }
            // An input is 0 if it was dropped or not activated, and otherwise has the factor of the dropout.
            float kept = keptFactor();
            for (int i = 0; i < ofInputs.length; i++) {
                ofInputs[i] = inputs[layer][i] > 0 ? kept * ofInputs[i] : 0;
            }
            outer = ofInputs;
        }
        int columns = layers.widths()[1];
        Products.addRows(outer, own, columns, gradients[1]);
        neighbourInputs.addTransposedProduct(outer, columns, gradients[0]);
        if (layers.hasSelf()) {
            ownInputs.addTransposedProduct(outer, columns, gradients[2]);
        }
        return gradients;
    }

    private float keptFactor() {
        return new CounterDropout(layers.dropout(), 0, 0, 0, 0).kept();
    }

    /** Tests weights on the own vertices, with all rows up to date. */
    AccuracyCounts test(int epoch, float[][] tested) throws IOException, InterruptedException {
        weights = tested;
        float[] scores = forward.run(false, epoch, weights, new float[layers.count()][]);
        AccuracyCounts counts = new AccuracyCounts();
        for (int row = 0; row < rows.ownCount(); row++) {
            if (labels[row] >= 0) {
                counts.count(splits[row], labels[row], scores, row * layers.classes(), layers.classes());
            }
        }
        return counts;
    }
}
