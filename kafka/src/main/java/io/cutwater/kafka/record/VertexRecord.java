package io.cutwater.kafka.record;

import java.util.Arrays;

/**
 * What topic {@code vertices} says of one vertex; a later record of the vertex takes the place of an earlier one.
 *
 * @param features finite, empty for none
 * @param label from 0, or {@link #NO_LABEL}
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; a list would box every feature
public record VertexRecord(long vertex, float[] features, int label, VertexSplit split) {
    public static final int NO_LABEL = -1;

    @Override
    public boolean equals(Object other) {
        return other instanceof VertexRecord that
                && vertex == that.vertex
                && Arrays.equals(features, that.features)
                && label == that.label
                && split == that.split;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(vertex);
    }

    @Override
    public String toString() {
        return "vertex %d: %d features, label %d, split %s".formatted(vertex, features.length, label, split.label());
    }
}
