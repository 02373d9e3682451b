package io.cutwater.trainer.model;

import io.cutwater.trainer.sampler.Hop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Slow reference layers: the papers' formulas on arrays of doubles, vertex by vertex. */
final class PlainLayers {
    private PlainLayers() {}

    static double[][] gcn(Hop hop, double[][] x, double[][] weight, double[] bias) {
        double[][] out = new double[hop.targetCount()][];
        for (int v = 0; v < out.length; v++) {
            double[] sum = scaled(x[v], Math.pow(hop.listed()[v] + 1, -0.5) * Math.pow(hop.degrees()[v] + 1, -0.5));
            List<Integer> neighbours = neighbours(hop, v);
            for (int u : neighbours) {
                double norm = Math.sqrt(hop.listed()[v] + 1) * Math.sqrt(hop.degrees()[u] + 1);
                add(sum, x[u], (double) hop.listed()[v] / neighbours.size() / norm);
            }
            out[v] = plus(times(sum, weight), bias);
        }
        return out;
    }

    static double[][] sageMean(Hop hop, double[][] x, double[][] forNeighbours, double[] bias, double[][] forSelf) {
        double[][] out = new double[hop.targetCount()][];
        for (int v = 0; v < out.length; v++) {
            double[] mean = new double[x[v].length];
            for (int u : neighbours(hop, v)) {
                add(mean, x[u], 1.0 / neighbours(hop, v).size());
            }
            out[v] = plus(plus(times(mean, forNeighbours), bias), times(x[v], forSelf));
        }
        return out;
    }

    static double[][] sageGcn(Hop hop, double[][] x, double[][] weight, double[] bias) {
        double[][] out = new double[hop.targetCount()][];
        for (int v = 0; v < out.length; v++) {
            double[] sum = x[v].clone();
            for (int u : neighbours(hop, v)) {
                add(sum, x[u], 1);
            }
            out[v] = plus(times(scaled(sum, 1.0 / (neighbours(hop, v).size() + 1)), weight), bias);
        }
        return out;
    }

    static double[][] gat(
            Hop hop,
            double[][] x,
            double[][] weight,
            double[] bias,
            double[][] sourceAttention,
            double[][] targetAttention) {
        int heads = sourceAttention.length;
        int width = sourceAttention[0].length;
        double[][] out = new double[hop.targetCount()][bias.length];
        for (int v = 0; v < out.length; v++) {
            List<Integer> around = neighbours(hop, v);
            around.add(v);
            for (int head = 0; head < heads; head++) {
                double[] scores = new double[around.size()];
                double total = 0;
                for (int i = 0; i < scores.length; i++) {
                    double score = attend(x[around.get(i)], weight, sourceAttention, head)
                            + attend(x[v], weight, targetAttention, head);
                    scores[i] = Math.exp(score > 0 ? score : 0.2 * score);
                    total += scores[i];
                }
                for (int i = 0; i < scores.length; i++) {
                    double[] row = times(x[around.get(i)], weight);
                    for (int j = head * width; j < (head + 1) * width; j++) {
                        out[v][j] += scores[i] / total * row[j];
                    }
                }
            }
            out[v] = plus(out[v], bias);
        }
        return out;
    }

    private static double attend(double[] x, double[][] weight, double[][] attention, int head) {
        double[] row = times(x, weight);
        double sum = 0;
        for (int j = 0; j < attention[head].length; j++) {
            sum += attention[head][j] * row[head * attention[head].length + j];
        }
        return sum;
    }

    static double[][] relu(double[][] rows) {
        double[][] out = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            out[i] = Arrays.stream(rows[i]).map(v -> Math.max(v, 0)).toArray();
        }
        return out;
    }

    static double[][] elu(double[][] rows) {
        double[][] out = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            out[i] =
                    Arrays.stream(rows[i]).map(v -> v > 0 ? v : Math.exp(v) - 1).toArray();
        }
        return out;
    }

    private static List<Integer> neighbours(Hop hop, int target) {
        List<Integer> neighbours = new ArrayList<>();
        for (int i = hop.offsets()[target]; i < hop.offsets()[target + 1]; i++) {
            neighbours.add(hop.sources()[i]);
        }
        return neighbours;
    }

    private static double[] times(double[] row, double[][] matrix) {
        double[] out = new double[matrix[0].length];
        for (int i = 0; i < row.length; i++) {
            add(out, matrix[i], row[i]);
        }
        return out;
    }

    private static void add(double[] sum, double[] row, double factor) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * row[i];
        }
    }

    private static double[] scaled(double[] row, double factor) {
        double[] out = new double[row.length];
        add(out, row, factor);
        return out;
    }

    private static double[] plus(double[] a, double[] b) {
        double[] out = a.clone();
        add(out, b, 1);
        return out;
    }
}
