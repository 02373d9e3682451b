package io.cutwater.format.json;

/**
 * How many vertices of a graph have data.
 *
 * @param vertices of the graph, at least 1
 * @param withFeatures those with a row of features
 * @param withLabels those with a label
 */
public record VertexCoverage(long vertices, long withFeatures, long withLabels) {
    public VertexCoverage {
        if (vertices < 1 || withFeatures < 0 || withFeatures > vertices || withLabels < 0 || withLabels > vertices) {
            throw new IllegalArgumentException("of %d vertices %d cannot have features and %d a label"
                    .formatted(vertices, withFeatures, withLabels));
        }
    }

    /** Share of the vertices with a row of features, 0 to 1. */
    public double featureShare() {
        return (double) withFeatures / vertices;
    }

    /** Share of the vertices with a label, 0 to 1. */
    public double labelShare() {
        return (double) withLabels / vertices;
    }
}
