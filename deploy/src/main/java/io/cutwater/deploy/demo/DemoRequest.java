package io.cutwater.deploy.demo;

/**
 * What the demonstration is to do.
 *
 * @param edges how many the graph has at the end, up to the next full record
 * @param edgesPerSecond how fast it grows, at most
 * @param seed of the graph, the partitioner and the model
 */
public record DemoRequest(long edges, long edgesPerSecond, long seed) {
    public DemoRequest {
        if (edges < 1 || edgesPerSecond < 1) {
            throw new IllegalArgumentException(
                    "edges and edgesPerSecond must be at least 1: %d, %d".formatted(edges, edgesPerSecond));
        }
    }

    long records() {
        return (edges + Growth.EDGES_PER_RECORD - 1) / Growth.EDGES_PER_RECORD;
    }

    long grownEdges() {
        return records() * Growth.EDGES_PER_RECORD;
    }
}
