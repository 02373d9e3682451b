package io.cutwater.trainer.launch;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.shard.RandomGraph;

/** GCN of two layers with learned inputs: dense matrices of doubles, and Adam on all of them. */
final class DenseEmbeddings {
    private final RandomGraph graph;
    private final int vertices;
    private final double rate;
    private final double[][] sum;
    private final double[][][] parameters = new double[5][][]; // inputs, W1, b1, W2, b2
    private final double[][][] means = new double[5][][];
    private final double[][][] variances = new double[5][][];
    private int steps;

    /** @param initial weights of the model, of 8 hidden values */
    DenseEmbeddings(RandomGraph graph, float[][] initial, int width, long seed, double rate) {
        this.graph = graph;
        this.rate = rate;
        vertices = graph.vertices;
        sum = new double[vertices][vertices];
        double[] degrees = new double[vertices];
        for (long[] edge : graph.edges) {
            if (edge[0] != edge[1]) {
                sum[(int) edge[0]][(int) edge[1]]++;
                sum[(int) edge[1]][(int) edge[0]]++;
                degrees[(int) edge[0]]++;
                degrees[(int) edge[1]]++;
            }
        }
        for (int i = 0; i < vertices; i++) {
            sum[i][i] = 1;
            for (int j = 0; j < vertices; j++) {
                sum[i][j] /= Math.sqrt((degrees[i] + 1) * (degrees[j] + 1));
            }
        }
        parameters[0] = new double[vertices][width];
        float[] row = new float[width];
        for (int vertex = 0; vertex < vertices; vertex++) {
            EmbeddingRows.none(seed, width).copyRow(vertex, row, 0);
            for (int i = 0; i < width; i++) {
                parameters[0][vertex][i] = row[i];
            }
        }
        int[] rows = {vertices, width, 1, 8, 1};
        for (int i = 0; i < 5; i++) {
            int columns = i == 0 ? width : initial[i - 1].length / rows[i];
            parameters[i] = i == 0 ? parameters[0] : new double[rows[i]][columns];
            for (int j = 0; i > 0 && j < initial[i - 1].length; j++) {
                parameters[i][j / columns][j % columns] = initial[i - 1][j];
            }
            means[i] = new double[rows[i]][columns];
            variances[i] = new double[rows[i]][columns];
        }
    }

    double step() {
        double[][] hidden = add(product(sum, product(parameters[0], parameters[1])), parameters[2][0]);
        double[][] active = new double[vertices][8];
        for (int i = 0; i < vertices; i++) {
            for (int j = 0; j < 8; j++) {
                active[i][j] = Math.max(0, hidden[i][j]);
            }
        }
        double[][] scores = add(product(sum, product(active, parameters[3])), parameters[4][0]);
        double[][] ofScores = new double[vertices][graph.classes];
        double loss = 0;
        double trained = 0;
        for (VertexSplit split : graph.splits) {
            trained += split == VertexSplit.TRAIN ? 1 : 0;
        }
        for (int i = 0; i < vertices; i++) {
            double total = 0;
            for (double score : scores[i]) {
                total += Math.exp(score);
            }
            for (int j = 0; graph.splits[i] == VertexSplit.TRAIN && j < graph.classes; j++) {
                double share = Math.exp(scores[i][j]) / total;
                ofScores[i][j] = (share - (j == graph.labels[i] ? 1 : 0)) / trained;
                loss -= j == graph.labels[i] ? Math.log(share) / trained : 0;
            }
        }
        double[][] outer = product(sum, ofScores); // the sum is symmetric
        double[][] ofHidden = product(outer, transposed(parameters[3]));
        for (int i = 0; i < vertices; i++) {
            for (int j = 0; j < 8; j++) {
                ofHidden[i][j] *= hidden[i][j] > 0 ? 1 : 0;
            }
        }
        double[][] inner = product(sum, ofHidden);
        double[][][] gradients = {
            product(inner, transposed(parameters[1])),
            product(transposed(parameters[0]), inner),
            columnSums(ofHidden),
            product(transposed(active), outer),
            columnSums(ofScores)
        };
        steps++;
        for (int p = 0; p < 5; p++) {
            for (int i = 0; i < gradients[p].length; i++) {
                for (int j = 0; j < gradients[p][i].length; j++) {
                    double gradient = gradients[p][i][j];
                    means[p][i][j] = 0.9 * means[p][i][j] + 0.1 * gradient;
                    variances[p][i][j] = 0.999 * variances[p][i][j] + 0.001 * gradient * gradient;
                    double mean = means[p][i][j] / (1 - Math.pow(0.9, steps));
                    double variance = variances[p][i][j] / (1 - Math.pow(0.999, steps));
                    parameters[p][i][j] -= rate * mean / (Math.sqrt(variance) + 1e-8);
                }
            }
        }
        return loss;
    }

    private static double[][] add(double[][] rows, double[] bias) {
        for (double[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] += bias[i];
            }
        }
        return rows;
    }

    private static double[][] columnSums(double[][] rows) {
        return new double[][] {add(new double[1][rows[0].length], sums(rows))[0]};
    }

    private static double[] sums(double[][] rows) {
        double[] sums = new double[rows[0].length];
        for (double[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                sums[i] += row[i];
            }
        }
        return sums;
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
}
