package io.cutwater.format.json;

/**
 * The number of vertices of a graph that have data.
 *
 * @param vertices of the graph, at least 1
 * @param withFeatures vertices with a row of features
 * @param withLabels vertices with a label
 */
public record VertexCoverage(long vertices, long withFeatures, long withLabels) {
    public VertexCoverage {
        if (vertices < 1 || withFeatures < 0 || withFeatures > vertices || withLabels < 0 || withLabels > vertices) {
            throw new IllegalArgumentException("of %d vertices %d cannot have features and %d a label"
                    .formatted(vertices, withFeatures, withLabels));
        }
    }

    /** Returns the share of vertices with a row of features, 0 to 1. */
    double featureShare() {
        return (double) withFeatures / vertices;
    }

    /** Returns the share of vertices with a label, 0 to 1. */
    double labelShare() {
        return (double) withLabels / vertices;
    }
}
