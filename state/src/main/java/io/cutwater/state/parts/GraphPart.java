package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A part of a graph: the vertices that are its own with all their edges, and of other vertices what these edges know,
 * as in ParHIP (Meyerhenke, Sanders, Schulz: Parallel graph partitioning for complex networks, 2017, section 4.1). An
 * edge is in the part of its source and, as a mirror, in that of its target. The passes are over the part's own edges
 * and vertices; slots stand for all vertices that it knows, and {@link #edgeCount} and degrees are those of the whole
 * graph.
 *
 * <p>All parts run the same passes at the same time. In a pass they tell each other {@value #MOST_ROUNDS} times what
 * has changed, less often if the graph is small. In between, each part knows its own changes only.
 */
public final class GraphPart implements BoundedGraph {
    private static final int MOST_ROUNDS = 16;
    private static final int LEAST_ROUNDS = 2;
    private static final int EDGES_PER_ROUND = 2048;

    /** Edges of a part for one more round: changes in between are in memory. */
    private static final int MOST_EDGES_PER_ROUND = 1 << 20;

    private static final long LOW = 0xFFFF_FFFFL;

    /** Parts of one graph at most. */
    public static final int MOST_SHARED = Long.SIZE;

    private final BoundedGraph graph;
    private final Exchange exchange;
    private final int part;
    private final short[] partOf;
    private final int @Nullable [] degrees; // null: the graph has those of the whole graph
    private final Copies copies;
    private final int ownVertices;
    private final long ownEdges;
    private final long allVertices;
    private final long allEdges;
    private final int rounds;

    /**
     * Creates a part; all parts are created at the same time.
     *
     * @param graph the edges of the part's own vertices, each once
     * @param owner the part of each vertex
     */
    public GraphPart(BoundedGraph graph, Exchange exchange, LongToIntFunction owner) {
        this(graph, exchange, partOf(graph, owner), null);
    }

    /**
     * Creates a part of a graph whose parts are in one process; all parts are created at the same time.
     *
     * @param graph the part's own vertices and the edges whose sources they are; slots and degrees are those of the
     *     whole graph
     * @param exchange between {@value #MOST_SHARED} parts at most
     * @param partOf the part of each vertex, which is not changed any more
     * @param copies an entry for each vertex, of the same array for all parts
     */
    public static GraphPart of(BoundedGraph graph, Exchange exchange, short[] partOf, long[] copies) {
        return new GraphPart(graph, exchange, partOf, copies);
    }

    private GraphPart(BoundedGraph graph, Exchange exchange, short[] partOf, long @Nullable [] shared) {
        this.graph = graph;
        this.exchange = exchange;
        this.partOf = partOf;
        part = exchange.part();
        int own = 0;
        for (short of : partOf) {
            own += of == part ? 1 : 0;
        }
        ownVertices = own;
        degrees = shared == null ? degrees(graph) : null;
        ownEdges = shared == null ? ownEdges(graph) : graph.edgeCount();
        copies = shared == null
                ? new PartCopies(graph, partOf, part, exchange.parts())
                : new SharedSlots(graph, partOf, part, shared);
        long[] all = sum(new long[] {own, ownEdges});
        allVertices = all[0];
        allEdges = all[1];
        long usual = Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, allEdges / EDGES_PER_ROUND));
        long largest = Arrays.stream(gather(ownEdges)).max().orElse(0);
        rounds = (int) Math.max(usual, largest / MOST_EDGES_PER_ROUND);
        if (degrees != null) {
            share(degrees);
        }
    }

    private static short[] partOf(BoundedGraph graph, LongToIntFunction owner) {
        short[] partOf = new short[graph.vertexCount()];
        for (int slot = 0; slot < partOf.length; slot++) {
            partOf[slot] = (short) owner.applyAsInt(graph.vertex(slot));
        }
        return partOf;
    }

    private long ownEdges(BoundedGraph graph) {
        long edges = 0;
        try (EdgePass pass = graph.edges()) {
            while (pass.next()) {
                edges += isOwn(pass.source()) ? 1 : 0;
            }
        }
        return edges;
    }

    private static int[] degrees(BoundedGraph graph) {
        int[] degrees = new int[graph.vertexCount()];
        for (int slot = 0; slot < degrees.length; slot++) {
            degrees[slot] = graph.degree(slot);
        }
        return degrees;
    }

    /** Returns the graph as a part; null if it is whole. */
    public static @Nullable GraphPart of(BoundedGraph graph) {
        return graph instanceof GraphPart part ? part : null;
    }

    /** Returns whether a vertex belongs to a graph itself, and is not a copy of one of another part. */
    public static boolean isOwn(BoundedGraph graph, int slot) {
        return !(graph instanceof GraphPart part) || part.isOwn(slot);
    }

    /** Returns the vertices of a graph, with those of its other parts. */
    public static long allVertices(BoundedGraph graph) {
        return graph instanceof GraphPart part ? part.allVertices : graph.vertexCount();
    }

    /** Begins a pass over edges; if the graph is a part, {@code between} runs several times in it and at its end. */
    public static EdgePass edges(BoundedGraph graph, Runnable between) {
        return graph instanceof GraphPart part ? part.new Edges(between) : graph.edges();
    }

    /** Begins a pass over vertices; if the graph is a part, {@code between} runs several times in it and at its end. */
    public static VertexPass vertices(BoundedGraph graph, Runnable between) {
        return graph instanceof GraphPart part ? part.new Vertices(between) : graph.vertices();
    }

    /** Returns a sum over all parts of a graph. */
    public static long sum(BoundedGraph graph, long value) {
        return graph instanceof GraphPart part ? part.sum(new long[] {value})[0] : value;
    }

    /** Returns an even share of something for a part of a graph; all of it for a whole graph. */
    public static long share(BoundedGraph graph, long all) {
        GraphPart part = of(graph);
        return part == null ? all : all / part.parts() + (part.part < all % part.parts() ? 1 : 0);
    }

    /** Returns the number of this part. */
    public int part() {
        return part;
    }

    /** Returns P. */
    public int parts() {
        return exchange.parts();
    }

    /** Returns the edges whose sources are this part's own. */
    public long ownEdges() {
        return ownEdges;
    }

    /** Returns whether a vertex is this part's own. */
    public boolean isOwn(int slot) {
        return partOf[slot] == part;
    }

    /** Returns the part of a vertex. */
    public int partOf(int slot) {
        return partOf[slot];
    }

    /** Exchanges messages with the other parts. */
    public long[][] exchange(Outbox messages) {
        try {
            return exchange.exchange(messages.take());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the sums of some values over all parts. */
    public long[] sum(long[] values) {
        Outbox out = new Outbox(parts());
        for (int p = 0; p < parts(); p++) {
            for (long value : values) {
                out.add(p, value);
            }
        }
        long[] sums = new long[values.length];
        for (long[] message : exchange(out)) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += message[i];
            }
        }
        return sums;
    }

    /** Returns a value of each part. */
    public long[] gather(long value) {
        Outbox out = new Outbox(parts());
        for (int p = 0; p < parts(); p++) {
            out.add(p, value);
        }
        return Arrays.stream(exchange(out)).mapToLong(message -> message[0]).toArray();
    }

    /** Returns the numbers that part 0 has; those of other parts are not looked at. */
    public int[] fromFirst(int[] numbers) {
        Outbox out = new Outbox(parts());
        for (int p = 0; p < parts() && part == 0; p++) {
            for (int number : numbers) {
                out.add(p, number);
            }
        }
        return Arrays.stream(exchange(out)[0]).mapToInt(number -> (int) number).toArray();
    }

    /** Tells a number of every own vertex to the parts that have a copy of it. */
    public void share(int[] numbers) {
        Outbox out = new Outbox(parts());
        for (int p = 0; p < parts(); p++) {
            for (int rank = copies.nextExported(p, 0); rank >= 0; rank = copies.nextExported(p, rank + 1)) {
                out.add(p, (long) rank << Integer.SIZE | numbers[copies.exported(p, rank)] & LOW);
            }
        }
        receive(out, numbers);
    }

    /** Takes the numbers of copies: rank and number, in half a word each. */
    public void receive(Outbox out, int[] numbers) {
        long[][] messages = exchange(out);
        for (int p = 0; p < messages.length; p++) {
            for (long word : messages[p]) {
                numbers[copies.imported(p, (int) (word >>> Integer.SIZE))] = (int) word;
            }
        }
    }

    /** Returns the number that another part and this one have for an own vertex; negative if it has no copy there. */
    public int rankAt(int other, int slot) {
        return copies.rankAt(other, slot);
    }

    /** Returns the own vertex that has this number at another part. */
    public int exported(int other, int rank) {
        return copies.exported(other, rank);
    }

    /** Returns the number that the part of a vertex of another part has for it. */
    public int rankOfCopy(int slot) {
        return copies.rankOfCopy(partOf[slot], slot);
    }

    /** Returns the copy that has this number at its part. */
    public int imported(int other, int rank) {
        return copies.imported(other, rank);
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public long edgeCount() {
        return allEdges;
    }

    @Override
    public long vertex(int slot) {
        return graph.vertex(slot);
    }

    @Override
    public int degree(int slot) {
        return degrees == null ? graph.degree(slot) : degrees[slot];
    }

    @Override
    public EdgePass edges() {
        return new Edges(null);
    }

    @Override
    public VertexPass vertices() {
        return new Vertices(null);
    }

    private final class Edges implements EdgePass {
        private final EdgePass pass = graph.edges();
        private final PassTurns turns;
        private long step;

        Edges(@Nullable Runnable between) {
            turns = new PassTurns(between, ownEdges, rounds);
        }

        @Override
        public boolean next() {
            while (pass.next()) {
                if (degrees == null || isOwn(pass.source())) { // a part of one graph has no edges of others
                    turns.before(step++);
                    return true;
                }
            }
            turns.end();
            return false;
        }

        @Override
        public int source() {
            return pass.source();
        }

        @Override
        public int target() {
            return pass.target();
        }

        @Override
        public void close() {
            pass.close();
            turns.end();
        }
    }

    private final class Vertices implements VertexPass {
        private final VertexPass pass = graph.vertices();
        private final PassTurns turns;
        private long step;

        Vertices(@Nullable Runnable between) {
            turns = new PassTurns(between, ownVertices, rounds);
        }

        @Override
        public boolean next() {
            while (pass.next()) {
                if (isOwn(pass.vertex())) {
                    turns.before(step++);
                    return true;
                }
            }
            turns.end();
            return false;
        }

        @Override
        public int vertex() {
            return pass.vertex();
        }

        @Override
        public int[] neighbours() {
            return pass.neighbours();
        }

        @Override
        public int from() {
            return pass.from();
        }

        @Override
        public int to() {
            return pass.to();
        }

        @Override
        public void close() {
            pass.close();
            turns.end();
        }
    }
}
