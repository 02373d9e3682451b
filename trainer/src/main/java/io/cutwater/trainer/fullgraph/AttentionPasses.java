package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.exchange.Direction;
import io.cutwater.trainer.exchange.RowExchange;
import io.cutwater.trainer.exchange.ShardRows;
import java.io.IOException;
import java.util.Arrays;

/**
 * The passes of a graph attention network. Owners send the products of their rows with a layer's weights to the copies.
 * A shard of vertices attends for its own vertices, and sends the gradients of copies back, which owners add. The first
 * layer sends no products and no gradients of them: features are known for copies, too, and gradients of weights are
 * summed anyway.
 *
 * <p>A shard of edges attends with the edges that it has, and masters add these parts, see {@link Attention}. In the
 * backward pass masters first send mirrors the gradients of outputs, with the sums of the softmax.
 */
final class AttentionPasses implements Passes {
    private final FullGraphLayers layers;
    private final long randomSeed;
    private final ShardRows rows;
    private final RowExchange exchange;
    private final NeighbourSums graph;
    private final InputMatrix features; // of all rows
    private final float[][] activated; // inputs of each layer but the first, before dropout
    private final Attention[] attentions;

    AttentionPasses(
            FullGraphLayers layers,
            long randomSeed,
            ShardRows rows,
            RowExchange exchange,
            NeighbourSums graph,
            InputMatrix features) {
        this.layers = layers;
        this.randomSeed = randomSeed;
        this.rows = rows;
        this.exchange = exchange;
        this.graph = graph;
        this.features = features;
        activated = new float[layers.count()][];
        attentions = new Attention[layers.count()];
    }

    @Override
    public long edges() {
        return graph.edges();
    }

    private CounterDropout dropout(int epoch, int layer, int input) {
        return new CounterDropout(layers.dropout(), randomSeed, epoch, layer, input);
    }

    @Override
    public float[] forward(boolean isTraining, int epoch, float[][] weights) throws IOException, InterruptedException {
        float[] results = {};
        for (int layer = 0; layer < layers.count(); layer++) {
            int columns = layers.widths()[layer + 1];
            int weight = layers.weight(layer);
            float[] projected = Products.zeros(rows.count(), columns);
            int oldest = epoch;
            if (layer == 0) {
                if (isTraining) {
                    features.drop(dropout(epoch, 0, 0), rows);
                }
                features.addProduct(isTraining, weights[weight], columns, projected);
            } else {
                activate(results);
                activated[layer] = results;
                float[] inputs = isTraining ? dropped(layer, epoch) : results;
                Products.add(inputs, rows.ownCount(), layers.widths()[layer], weights[weight], columns, projected);
                Direction direction = isTraining ? Direction.FORWARD_SCATTER : Direction.TEST_SCATTER;
                oldest = exchange.scatter(direction, layer, epoch, projected, projected, columns);
            }
            Attention attention = new Attention(
                    rows,
                    graph,
                    layers.heads(layer),
                    projected,
                    weights[weight + 2],
                    weights[weight + 3],
                    dropout(epoch, layer, 1));
            attentions[layer] = attention;
            float[] parts = attention.parts(isTraining);
            if (graph.isPartial()) {
                Direction direction = isTraining ? Direction.FORWARD_GATHER : Direction.TEST_GATHER;
                int ofParts = Attention.partColumns(layers.heads(layer), columns);
                exchange.gather(direction, layer, epoch, oldest, parts, parts, ofParts, attention::add);
            }
            results = attention.outputs(parts);
            for (int row = 0; row < rows.ownCount(); row++) {
                Products.addScaled(1, weights[weight + 1], 0, results, row * columns, columns);
            }
        }
        return results;
    }

    /** Exponential linear units. */
    private static void activate(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = values[i] > 0 ? values[i] : (float) Math.expm1(values[i]);
        }
    }

    /** Returns the inputs of a layer with dropout. */
    private float[] dropped(int layer, int epoch) {
        float[] values = activated[layer].clone();
        dropout(epoch, layer, 0).drop(values, layers.widths()[layer], rows);
        return values;
    }

    @Override
    public float[][] backward(int epoch, float[] ofScores, float[][] weights) throws IOException, InterruptedException {
        float[][] gradients = new float[weights.length][];
        Arrays.setAll(gradients, i -> new float[weights[i].length]);
        float[] outer = ofScores;
        int own = rows.ownCount();
        for (int layer = layers.count() - 1; layer >= 0; layer--) {
            int columns = layers.widths()[layer + 1];
            int weight = layers.weight(layer);
            Products.addRows(outer, own, columns, gradients[weight + 1]);
            float[] ofOutputs = attentions[layer].ofOutputs(outer);
            if (graph.isPartial()) {
                int needed = Attention.gradientColumns(layers.heads(layer), columns);
                exchange.scatter(Direction.BACKWARD_SCATTER, layer, epoch, ofOutputs, ofOutputs, needed);
            }
            float[] products = attentions[layer].gradients(ofOutputs, gradients[weight + 2], gradients[weight + 3]);
            if (layer == 0) {
                features.addTransposedProduct(products, columns, gradients[weight]);
                break;
            }
            exchange.gather(Direction.BACKWARD_GATHER, layer, epoch, epoch, products, products, columns);
            int width = layers.widths()[layer];
            Products.addTransposed(dropped(layer, epoch), own, width, products, columns, gradients[weight]);
            float[] ofInputs = Products.zeros(own, width);
            Products.addByTransposed(products, own, columns, weights[weight], width, ofInputs);
            dropout(epoch, layer, 0).drop(ofInputs, layers.widths()[layer], rows);
            for (int i = 0; i < ofInputs.length; i++) {
                float value = activated[layer][i];
                ofInputs[i] *= value > 0 ? 1 : value + 1;
            }
            outer = ofInputs;
        }
        return gradients;
    }
}
