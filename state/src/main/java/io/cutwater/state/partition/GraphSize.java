package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;

/**
 * The size of an input that ends.
 *
 * @param vertices n, vertices without an edge counted
 * @param edges m, duplicates and self-loops counted
 */
@PublicApi
public record GraphSize(long vertices, long edges) {
    public GraphSize {
        if (vertices < 0 || edges < 0) {
            throw new IllegalArgumentException(
                    "vertices and edges must be 0 or more, but were %d and %d".formatted(vertices, edges));
        }
    }

    /** n as an array length. */
    public int slots() {
        return Math.toIntExact(vertices);
    }
}
