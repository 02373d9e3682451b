package io.cutwater.format.vertex;

import io.cutwater.format.VertexSplit;

/**
 * The data of one vertex in topic {@code vertices}; a later record of the vertex replaces it.
 *
 * @param features finite; {@link FeatureRow#NONE} if there are none
 * @param label from 0, or {@link #NO_LABEL}
 */
public record VertexRecord(long vertex, FeatureRow features, int label, VertexSplit split) {
    public static final int NO_LABEL = -1;

    /** @param features copied; empty for none */
    public VertexRecord(long vertex, float[] features, int label, VertexSplit split) {
        this(vertex, FeatureRow.of(features, features.length), label, split);
    }

    @Override
    public String toString() {
        return "vertex %d: %d features, label %d, split %s".formatted(vertex, features.width(), label, split.label());
    }
}
