package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.exchange.Direction;
import io.cutwater.trainer.exchange.ShardRows;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The passes of layers that sum over neighbours. Fresh dropout changes all rows in each epoch, whether the weights
 * change or not. So that a rule about the change of rows measures what is learned, the pass is made a second time
 * without dropout, from own rows only; its rows are not sent. Used by one thread.
 */
final class SumPasses implements Passes {
    private final FullGraphLayers layers;
    private final long randomSeed;
    private final ShardRows rows;
    private final NeighbourSums sums;
    private final InputMatrix neighbourInputs;
    private final InputMatrix ownInputs; // used if a vertex has weights of its own
    private final boolean measuresApart;
    private final float[][] inputs; // of each layer but the first, with dropout

    /** @param measuresApart whether the change of rows is measured without dropout */
    SumPasses(
            FullGraphLayers layers,
            long randomSeed,
            ShardRows rows,
            NeighbourSums sums,
            InputMatrix neighbourInputs,
            InputMatrix ownInputs,
            boolean measuresApart) {
        this.layers = layers;
        this.randomSeed = randomSeed;
        this.rows = rows;
        this.sums = sums;
        this.neighbourInputs = neighbourInputs;
        this.ownInputs = ownInputs;
        this.measuresApart = measuresApart;
        inputs = new float[layers.count()][];
    }

    @Override
    public long edges() {
        return sums.edges();
    }

    @Override
    public float[] forward(boolean isTraining, int epoch, float[][] weights) throws IOException, InterruptedException {
        float[] measured = isTraining && measuresApart ? first(false, epoch, weights) : null;
        float[] results = first(isTraining, epoch, weights);
        for (int layer = 1; layer < layers.count(); layer++) {
            int width = layers.widths()[layer];
            int columns = layers.widths()[layer + 1];
            relu(results);
            if (isTraining) {
                new CounterDropout(layers.dropout(), randomSeed, epoch, layer, 0).drop(results, width, rows);
            }
            inputs[layer] = results;
            float[] products = product(results, layer, weights);
            float[] measuredProducts = products;
            if (measured != null) {
                relu(measured);
                measuredProducts = product(measured, layer, weights);
            }
            float[] next = sums.sum(
                    layers.norm(),
                    false,
                    isTraining ? Direction.FORWARD_SCATTER : Direction.TEST_SCATTER,
                    isTraining ? Direction.FORWARD_GATHER : Direction.TEST_GATHER,
                    layer,
                    epoch,
                    products,
                    measuredProducts,
                    columns);
            addOwn(results, layer, weights, next);
            measured = layer + 1 == layers.count() ? null : nextMeasured(measured, measuredProducts, layer, weights);
            results = next;
        }
        return results;
    }

    private float @Nullable [] nextMeasured(
            float @Nullable [] measured, float[] measuredProducts, int layer, float[][] weights) {
        if (measured == null) {
            return null;
        }
        float[] next = sums.sumOfOwn(layers.norm(), measuredProducts, layers.widths()[layer + 1]);
        addOwn(measured, layer, weights, next);
        return next;
    }

    private float[] product(float[] values, int layer, float[][] weights) {
        int columns = layers.widths()[layer + 1];
        float[] products = Products.zeros(rows.ownCount(), columns);
        Products.add(values, rows.ownCount(), layers.widths()[layer], weights[layers.weight(layer)], columns, products);
        return products;
    }

    /** Adds a vertex's own part and the bias. */
    private void addOwn(float[] values, int layer, float[][] weights, float[] results) {
        int columns = layers.widths()[layer + 1];
        if (layers.hasSelf()) {
            Products.add(
                    values,
                    rows.ownCount(),
                    layers.widths()[layer],
                    weights[layers.weight(layer) + 2],
                    columns,
                    results);
        }
        addBias(layer, weights, results, columns);
    }

    private float[] first(boolean isTraining, int epoch, float[][] weights) {
        int columns = layers.widths()[1];
        float[] results = Products.zeros(rows.ownCount(), columns);
        if (isTraining) {
            neighbourInputs.drop(new CounterDropout(layers.dropout(), randomSeed, epoch, 0, 0), rows);
        }
        neighbourInputs.addProduct(isTraining, weights[0], columns, results);
        if (layers.hasSelf()) {
            if (isTraining) {
                ownInputs.drop(new CounterDropout(layers.dropout(), randomSeed, epoch, 0, 1), rows);
            }
            ownInputs.addProduct(isTraining, weights[2], columns, results);
        }
        addBias(0, weights, results, columns);
        return results;
    }

    private void addBias(int layer, float[][] weights, float[] results, int columns) {
        for (int row = 0; row < rows.ownCount(); row++) {
            Products.addScaled(1, weights[layers.weight(layer) + 1], 0, results, row * columns, columns);
        }
    }

    private static void relu(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.max(0, values[i]);
        }
    }

    @Override
    public float[][] backward(int epoch, float[] ofScores, float[][] weights) throws IOException, InterruptedException {
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
}
