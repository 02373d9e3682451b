package io.cutwater.trainer.sampler;

import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.SparseFeatures;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** Copies the feature rows of sampled vertices, or names them, in the order of their numbers. */
final class RowGatherer {
    private final BufferPool buffers;
    private final boolean selects;

    /** @param selects whether rows are only named, because the device holds the features */
    RowGatherer(BufferPool buffers, boolean selects) {
        this.buffers = buffers;
        this.selects = selects;
    }

    InputRows gather(Features features, NeighbourSampler vertices) {
        if (selects) {
            int[] rows = new int[vertices.vertexCount()];
            for (int row = 0; row < rows.length; row++) {
                rows[row] = vertices.vertex(row);
            }
            return new InputRows.Selected(features.columns(), rows);
        }
        return features instanceof SparseFeatures sparse
                ? gatherSparse(sparse, vertices)
                : gatherDense((DenseFeatures) features, vertices);
    }

    private InputRows gatherDense(DenseFeatures features, NeighbourSampler vertices) {
        int rows = vertices.vertexCount();
        ByteBuffer bytes = buffers.take((long) rows * features.columns() * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = 0; row < rows; row++) {
            features.copyRow(vertices.vertex(row), values);
        }
        return new InputRows.Dense(rows, features.columns(), bytes);
    }

    private static InputRows gatherSparse(SparseFeatures features, NeighbourSampler vertices) {
        int rows = vertices.vertexCount();
        int[] offsets = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            int vertex = vertices.vertex(row);
            offsets[row + 1] = Math.toIntExact(offsets[row] + features.begin(vertex + 1) - features.begin(vertex));
        }
        int[] indices = new int[offsets[rows]];
        float[] values = new float[offsets[rows]];
        for (int row = 0; row < rows; row++) {
            long begin = features.begin(vertices.vertex(row)) - offsets[row];
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                indices[i] = features.column(begin + i);
                values[i] = features.value(begin + i);
            }
        }
        return new InputRows.Sparse(rows, features.columns(), offsets, indices, values);
    }
}
