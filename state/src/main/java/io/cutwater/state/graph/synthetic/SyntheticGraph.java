package io.cutwater.state.graph.synthetic;

import io.cutwater.state.graph.EdgeBatch;

/**
 * Seeded graphs without end, for demonstrations, benchmarks and tests. The edges are a pure function of the parameters
 * and the seed; how many are asked for at a time changes nothing.
 */
public final class SyntheticGraph {
    private static final int MAX_SCALE = 62;

    private final EdgeGenerator edges;

    private SyntheticGraph(EdgeGenerator edges) {
        this.edges = edges;
    }

    /**
     * R-MAT with a = .57, b = c = .19, d = .05 (Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph
     * mining, SDM 2004): a few hubs, no communities, duplicates and self-loops, ids 0 to 2^scale − 1.
     *
     * @param scale 1 to 62
     */
    public static SyntheticGraph rmat(int scale, long seed) {
        if (scale < 1 || scale > MAX_SCALE) {
            throw new IllegalArgumentException("scale must be in [1, %d]: %d".formatted(MAX_SCALE, scale));
        }
        return new SyntheticGraph(new RmatEdges(scale, seed));
    }

    /**
     * A graph that grows: communities of unequal sizes, degrees by a power law in each, nine edges of ten inside a
     * community or more. A new vertex comes with its first edge, one every eight edges; no self-loops, some duplicates.
     * Vertex v is of community v mod {@code communities}.
     *
     * @param communities 1 to 1 000 000
     */
    public static SyntheticGraph growingCommunities(int communities, long seed) {
        if (communities < 1 || communities > 1_000_000) {
            throw new IllegalArgumentException("communities must be in [1, 1000000]: " + communities);
        }
        return new SyntheticGraph(new CommunityEdges(communities, seed));
    }

    /** Appends the next edges to a batch. */
    public void fill(EdgeBatch batch, int count) {
        batch.ensureCapacity(batch.size() + count);
        for (int i = 0; i < count; i++) {
            edges.appendNext(batch);
        }
    }
}
