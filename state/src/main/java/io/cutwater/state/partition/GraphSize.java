package io.cutwater.state.partition;

import io.cutwater.state.rule.VertexPlacement;

/**
 * How large the whole input is, if that is known.
 *
 * @param vertices n, vertices without an edge counted; −1 if unknown
 * @param edges m, duplicates and self-loops counted; −1 if unknown
 */
public record GraphSize(long vertices, long edges) {
    /** The size of a stream without end. Capacities come from what has been placed so far, and hold at every prefix. */
    public static final GraphSize UNKNOWN = new GraphSize(-1, -1);

    public GraphSize {
        if (vertices < -1 || edges < -1 || vertices < 0 != edges < 0) {
            throw new IllegalArgumentException(
                    "vertices and edges must both be 0 or more, or both be -1 for unknown: %d and %d"
                            .formatted(vertices, edges));
        }
    }

    /** n, for an algorithm that must know it beforehand; it is refused before if it is unknown. */
    public int slots() {
        return Math.toIntExact(vertices);
    }

    /** Whether the input ends. */
    public boolean isKnown() {
        return vertices >= 0;
    }

    /** n, or while it is unknown the vertices placed with the present one. */
    public long verticesOr(VertexPlacement placement) {
        return isKnown() ? vertices : placement.totalVertices() + 1;
    }

    /** 2 m, or while it is unknown the volume placed with the present vertex. */
    public long volumeOr(VertexPlacement placement, int degree) {
        return isKnown() ? 2 * edges : placement.totalVolume() + degree;
    }
}
