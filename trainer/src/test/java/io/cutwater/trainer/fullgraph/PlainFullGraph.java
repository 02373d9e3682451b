package io.cutwater.trainer.fullgraph;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.training.TrainerOptions;
import java.util.ArrayList;
import java.util.List;

/** Full-graph training of one model on the whole graph, slowly and with doubles: dense matrices, no shards. */
final class PlainFullGraph {
    private static final double BETA1 = 0.9;
    private static final double BETA2 = 0.999;

    private final RandomGraph graph;
    private final FullGraphLayers layers;
    private final TrainerOptions options;
    private final float[] decays;
    private final double[][] sum;
    private final double[][] features;
    private final int trained;
    final double[][] weights;
    private final double[][] means;
    private final double[][] variances;

    PlainFullGraph(RandomGraph graph, GnnNetwork network, TrainerOptions options) {
        this.graph = graph;
        this.options = options;
        layers = FullGraphLayers.of(options.model(), network, graph.columns);
        decays = network.weightDecays(options.weightDecays());
        float[][] initial = network.initialWeights(options.randomSeed());
        weights = new double[initial.length][];
        means = new double[initial.length][];
        variances = new double[initial.length][];
        for (int i = 0; i < initial.length; i++) {
            weights[i] = new double[initial[i].length];
            for (int j = 0; j < initial[i].length; j++) {
                weights[i][j] = initial[i][j];
            }
            means[i] = new double[initial[i].length];
            variances[i] = new double[initial[i].length];
        }
        sum = matrix();
        features = new double[graph.vertices][graph.columns];
        int count = 0;
        for (int vertex = 0; vertex < graph.vertices; vertex++) {
            count += graph.splits[vertex] == VertexSplit.TRAIN ? 1 : 0;
            for (int column = 0; column < graph.columns; column++) {
                features[vertex][column] = graph.features[vertex][column];
            }
        }
        trained = count;
    }

    private double[][] matrix() {
        double[][] adjacency = new double[graph.vertices][graph.vertices];
        for (long[] edge : graph.edges) {
            if (edge[0] != edge[1]) {
                adjacency[(int) edge[0]][(int) edge[1]]++;
                adjacency[(int) edge[1]][(int) edge[0]]++;
            }
        }
        double[] degrees = new double[graph.vertices];
        for (int i = 0; i < graph.vertices; i++) {
            for (double value : adjacency[i]) {
                degrees[i] += value;
            }
        }
        for (int i = 0; i < graph.vertices; i++) {
            if (layers.norm().hasSelf()) {
                adjacency[i][i] = 1;
            }
            for (int j = 0; j < graph.vertices; j++) {
                adjacency[i][j] *= switch (layers.norm()) {
                    case SYMMETRIC -> 1 / Math.sqrt((degrees[i] + 1) * (degrees[j] + 1));
                    case MEAN -> degrees[i] == 0 ? 0 : 1 / degrees[i];
                    case MEAN_WITH_SELF -> 1 / (degrees[i] + 1);
                };
            }
        }
        return adjacency;
    }

    /** Returns the mean loss of the training vertices and makes a step. */
    double step(int epoch) {
        List<double[][]> inputs = new ArrayList<>();
        double[][] sums = drop(product(sum, features), epoch, 0, 0);
        double[][] own = drop(features, epoch, 0, 1);
        double[][] results = biased(product(sums, weight(0, 0)), 0);
        if (layers.hasSelf()) {
            results = added(results, product(own, weight(0, 2)));
        }
        inputs.add(sums);
        for (int layer = 1; layer < layers.count(); layer++) {
            double[][] input = drop(positive(results), epoch, layer, 0);
            inputs.add(input);
            results = biased(product(sum, product(input, weight(layer, 0))), layer);
            if (layers.hasSelf()) {
                results = added(results, product(input, weight(layer, 2)));
            }
        }
        double[] loss = new double[1];
        double[][] outer = gradient(results, loss);
        double[][] gradients = new double[weights.length][];
        for (int layer = layers.count() - 1; layer >= 0; layer--) {
            int at = layers.weight(layer);
            double[][] input = inputs.get(layer);
            double[][] ofProducts = layer == 0 ? outer : product(transposed(sum), outer);
            gradients[at] = flat(product(transposed(input), ofProducts));
            gradients[at + 1] = new double[outer[0].length];
            for (double[] row : outer) {
                for (int i = 0; i < row.length; i++) {
                    gradients[at + 1][i] += row[i];
                }
            }
            if (layers.hasSelf()) {
                gradients[at + 2] = flat(product(transposed(layer == 0 ? own : input), outer));
            }
            if (layer > 0) {
                double[][] ofInput = product(ofProducts, transposed(weight(layer, 0)));
                if (layers.hasSelf()) {
                    ofInput = added(ofInput, product(outer, transposed(weight(layer, 2))));
                }
                double kept = 65_536.0 / (65_536 - Math.round(layers.dropout() * 65_536));
                for (int i = 0; i < ofInput.length; i++) {
                    for (int j = 0; j < ofInput[i].length; j++) {
                        ofInput[i][j] *= input[i][j] > 0 ? kept : 0;
                    }
                }
                outer = ofInput;
            }
        }
        adam(gradients, epoch + 1);
        return loss[0];
    }

    private double[][] weight(int layer, int which) {
        int columns = layers.widths()[layer + 1];
        double[] values = weights[layers.weight(layer) + which];
        double[][] matrix = new double[layers.widths()[layer]][columns];
        for (int i = 0; i < matrix.length; i++) {
            System.arraycopy(values, i * columns, matrix[i], 0, columns);
        }
        return matrix;
    }

    private double[][] drop(double[][] values, int epoch, int layer, int input) {
        CounterDropout dropout = new CounterDropout(layers.dropout(), options.randomSeed(), epoch, layer, input);
        double[][] result = new double[values.length][values[0].length];
        for (int row = 0; row < values.length; row++) {
            for (int column = 0; column < values[row].length; column++) {
                result[row][column] = values[row][column] * dropout.factor(dropout.row(row), column);
            }
        }
        return result;
    }

    private double[][] biased(double[][] values, int layer) {
        double[] bias = weights[layers.weight(layer) + 1];
        for (double[] row : values) {
            for (int i = 0; i < row.length; i++) {
                row[i] += bias[i];
            }
        }
        return values;
    }

    private double[][] gradient(double[][] scores, double[] loss) {
        double[][] gradient = new double[scores.length][scores[0].length];
        for (int row = 0; row < scores.length; row++) {
            if (graph.splits[row] == VertexSplit.TRAIN) {
                double total = 0;
                for (double score : scores[row]) {
                    total += Math.exp(score);
                }
                loss[0] -= Math.log(Math.exp(scores[row][graph.labels[row]]) / total) / trained;
                for (int i = 0; i < scores[row].length; i++) {
                    gradient[row][i] = (Math.exp(scores[row][i]) / total - (i == graph.labels[row] ? 1 : 0)) / trained;
                }
            }
        }
        return gradient;
    }

    private void adam(double[][] gradients, int step) {
        for (int i = 0; i < weights.length; i++) {
            for (int j = 0; j < weights[i].length; j++) {
                double gradient = gradients[i][j] + decays[i] * weights[i][j];
                means[i][j] = BETA1 * means[i][j] + (1 - BETA1) * gradient;
                variances[i][j] = BETA2 * variances[i][j] + (1 - BETA2) * gradient * gradient;
                double mean = means[i][j] / (1 - Math.pow(BETA1, step));
                double root = Math.sqrt(variances[i][j]) / Math.sqrt(1 - Math.pow(BETA2, step));
                // epsilon is added before the correction, as in section 2 of the paper
                double epsilon = 1e-8 / Math.sqrt(1 - Math.pow(BETA2, step));
                weights[i][j] -= options.learningRate() * mean / (root + epsilon);
            }
        }
    }

    private static double[][] positive(double[][] values) {
        double[][] result = new double[values.length][values[0].length];
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < values[i].length; j++) {
                result[i][j] = Math.max(0, values[i][j]);
            }
        }
        return result;
    }

    private static double[][] added(double[][] some, double[][] others) {
        for (int i = 0; i < some.length; i++) {
            for (int j = 0; j < some[i].length; j++) {
                some[i][j] += others[i][j];
            }
        }
        return some;
    }

    private static double[][] transposed(double[][] values) {
        double[][] result = new double[values[0].length][values.length];
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < values[i].length; j++) {
                result[j][i] = values[i][j];
            }
        }
        return result;
    }

    private static double[][] product(double[][] left, double[][] right) {
        double[][] result = new double[left.length][right[0].length];
        for (int i = 0; i < left.length; i++) {
            for (int k = 0; k < right.length; k++) {
                for (int j = 0; left[i][k] != 0 && j < right[k].length; j++) {
                    result[i][j] += left[i][k] * right[k][j];
                }
            }
        }
        return result;
    }

    private static double[] flat(double[][] values) {
        double[] flat = new double[values.length * values[0].length];
        for (int i = 0; i < values.length; i++) {
            System.arraycopy(values[i], 0, flat, i * values[i].length, values[i].length);
        }
        return flat;
    }
}
