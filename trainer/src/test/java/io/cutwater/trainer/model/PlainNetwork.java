package io.cutwater.trainer.model;

import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.nio.FloatBuffer;

/** The networks in plain Java, from {@link PlainLayers}. */
final class PlainNetwork {
    private PlainNetwork() {}

    /** Returns the scores of the outputs of a mini-batch. */
    static double[][] scores(ModelOptions options, int classes, MiniBatch batch, float[][] weights) {
        double[][] rows = rows(batch.inputs());
        int perLayer = weights.length / options.layers();
        for (int layer = 0; layer < options.layers(); layer++) {
            Hop hop = batch.hops().get(layer);
            int at = layer * perLayer;
            boolean isLast = layer == options.layers() - 1;
            int width = isLast ? classes : options.hidden();
            double[][] weight = matrix(weights[at], width);
            double[] bias = matrix(weights[at + 1], width)[0];
            rows = switch (options.model()) {
                case "gcn" -> PlainLayers.gcn(hop, rows, weight, bias);
                case "gat" -> {
                    int perHead = isLast ? width : width / options.heads();
                    yield PlainLayers.gat(
                            hop,
                            rows,
                            weight,
                            bias,
                            matrix(weights[at + 2], perHead),
                            matrix(weights[at + 3], perHead));
                }
                default ->
                    options.aggregator() == Aggregator.MEAN
                            ? PlainLayers.sageMean(hop, rows, weight, bias, matrix(weights[at + 2], width))
                            : PlainLayers.sageGcn(hop, rows, weight, bias);
            };
            if (!isLast) {
                rows = options.model().equals("gat") ? PlainLayers.elu(rows) : PlainLayers.relu(rows);
            }
        }
        return rows;
    }

    private static double[][] matrix(float[] values, int columns) {
        double[][] rows = new double[values.length / columns][columns];
        for (int i = 0; i < values.length; i++) {
            rows[i / columns][i % columns] = values[i];
        }
        return rows;
    }

    private static double[][] rows(InputRows inputs) {
        double[][] rows = new double[inputs.rows()][inputs.columns()];
        if (inputs instanceof InputRows.Sparse sparse) {
            for (int row = 0; row < rows.length; row++) {
                for (int i = sparse.offsets()[row]; i < sparse.offsets()[row + 1]; i++) {
                    rows[row][sparse.indices()[i]] = sparse.values()[i];
                }
            }
            return rows;
        }
        FloatBuffer values = ((InputRows.Dense) inputs).values().asFloatBuffer();
        for (double[] row : rows) {
            for (int column = 0; column < row.length; column++) {
                row[column] = values.get();
            }
        }
        return rows;
    }
}
