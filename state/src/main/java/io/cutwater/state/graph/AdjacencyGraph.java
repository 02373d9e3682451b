package io.cutwater.state.graph;

import java.util.Arrays;

/** A graph in memory as a list of neighbours for each vertex. */
public final class AdjacencyGraph implements BoundedGraph {
    private static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;

    private final long[] vertices;
    private final int[] offsets;
    private final int[] neighbours;
    private final int[] sources;
    private final int[] targets;

    private AdjacencyGraph(long[] vertices, int[] sources, int[] targets) {
        this.vertices = vertices;
        this.sources = sources;
        this.targets = targets;
        if (2L * sources.length > MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "a graph in memory has %d edges at most: %d".formatted(MAX_ENTRIES / 2, sources.length));
        }
        offsets = new int[vertices.length + 1];
        for (int i = 0; i < sources.length; i++) {
            offsets[sources[i] + 1]++;
            offsets[targets[i] + 1]++;
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] next = offsets.clone();
        neighbours = new int[2 * sources.length];
        for (int i = 0; i < sources.length; i++) {
            neighbours[next[sources[i]]++] = targets[i];
            neighbours[next[targets[i]]++] = sources[i];
        }
    }

    /** The graph of some edges; vertices in ascending order of their ids. */
    public static AdjacencyGraph sorted(EdgeBatch edges) {
        VertexSlots slots = new VertexSlots(edges.size() / 4);
        int[] sources = new int[edges.size()];
        int[] targets = new int[edges.size()];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = slots.slot(edges.source(i));
            targets[i] = slots.slot(edges.target(i));
        }
        long[] vertices = slots.vertices();
        Arrays.sort(vertices);
        int[] numbers = new int[vertices.length];
        for (int number = 0; number < numbers.length; number++) {
            numbers[slots.slot(vertices[number])] = number;
        }
        for (int i = 0; i < sources.length; i++) {
            sources[i] = numbers[sources[i]];
            targets[i] = numbers[targets[i]];
        }
        return new AdjacencyGraph(vertices, sources, targets);
    }

    /** The graph of some edges; vertices in the order in which the edges name them. */
    public static AdjacencyGraph of(EdgeBatch edges) {
        return of(new long[0], edges);
    }

    /**
     * The graph of some vertices and edges.
     *
     * @param first distinct vertices that come first, in this order, with an edge or without one; then those that only
     *     the edges name
     */
    public static AdjacencyGraph of(long[] first, EdgeBatch edges) {
        VertexSlots slots = new VertexSlots(Math.max(first.length, edges.size() / 4));
        for (long vertex : first) {
            slots.slot(vertex);
        }
        int[] sources = new int[edges.size()];
        int[] targets = new int[edges.size()];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = slots.slot(edges.source(i));
            targets[i] = slots.slot(edges.target(i));
        }
        return new AdjacencyGraph(slots.vertices(), sources, targets);
    }

    /**
     * The graph of some vertices and edges.
     *
     * @param vertices distinct ids, the array itself
     * @param sources, targets ends of the edges as indices of the vertices; the arrays themselves
     */
    public static AdjacencyGraph of(long[] vertices, int[] sources, int[] targets) {
        return new AdjacencyGraph(vertices, sources, targets);
    }

    /** n, vertices without an edge counted. */
    @Override
    public int vertexCount() {
        return vertices.length;
    }

    @Override
    public long edgeCount() {
        return sources.length;
    }

    @Override
    public long vertex(int slot) {
        return vertices[slot];
    }

    /** Copies the ids of the slots from {@code from} on, as many as there is room for; returns how many these are. */
    public int vertices(int from, long[] into) {
        int count = Math.min(into.length, vertices.length - from);
        System.arraycopy(vertices, from, into, 0, count);
        return count;
    }

    /** Returns the slot of a vertex of a {@link #sorted} graph; negative if it has none. */
    public int find(long vertex) {
        return Arrays.binarySearch(vertices, vertex);
    }

    @Override
    public int degree(int slot) {
        return offsets[slot + 1] - offsets[slot];
    }

    @Override
    public EdgePass edges() {
        return new Edges();
    }

    @Override
    public VertexPass vertices() {
        return new Vertices();
    }

    /** Returns the concatenated lists of all vertices; the array itself, which must not be changed. */
    public int[] neighbours() {
        return neighbours;
    }

    /**
     * Returns where the list of a vertex begins in {@link #neighbours}. It ends where that of {@code slot + 1} begins.
     */
    public int offset(int slot) {
        return offsets[slot];
    }

    /** Returns one end of edge {@code i}, in the order of the input. */
    public int source(int i) {
        return sources[i];
    }

    /** The other end of edge {@code i}. */
    public int target(int i) {
        return targets[i];
    }

    private final class Edges implements EdgePass {
        private int edge = -1;

        @Override
        public boolean next() {
            return ++edge < sources.length;
        }

        @Override
        public int source() {
            return sources[edge];
        }

        @Override
        public int target() {
            return targets[edge];
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private final class Vertices implements VertexPass {
        private int vertex = -1;

        @Override
        public boolean next() {
            return ++vertex < vertices.length;
        }

        @Override
        public int vertex() {
            return vertex;
        }

        @Override
        public int[] neighbours() {
            return neighbours;
        }

        @Override
        public int from() {
            return offsets[vertex];
        }

        @Override
        public int to() {
            return offsets[vertex + 1];
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
