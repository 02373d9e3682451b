package io.cutwater.state.joint;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.table.NeighbourHomes;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Places for the edges of a buffer, chosen together. Some of the edges are placed then, and the others wait on and are
 * chosen again with the edges that come.
 *
 * <p>The edges that are sure of their place come first. An edge is as sure as the endpoint that has fewer edges there,
 * earlier ones and those of the buffer together. So dense parts of the graph are placed first, and an edge waits while
 * one of its endpoints is nearly unknown. Of equally sure edges the oldest comes first.
 */
public final class JointBuffer {
    private static final int EXPECTED = 4096;

    /** Edges that are at least as sure are equally sure. */
    private static final int MAX_SURE = 1023;

    /** Edges of both endpoints on a place that leave no doubt of it. */
    private static final int SURE = 8;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final AdjacencyGraph graph;
    private final EdgeCounts counts;
    private final int[] places;
    private final int[] slots; // of the vertices in the table, as long as none has left it
    private final long departures;
    private final EarlierPlaces earlier;
    private int @Nullable [] homes; // null if nothing is chosen

    /**
     * Reads what is known of the vertices; {@link #choose} follows.
     *
     * @param graph of the edges, whose endpoints count them in their degrees
     * @param later edges that the endpoints count, too, and that are no part of the graph; nothing else has changed
     *     since they came
     * @param loads of the open partitions
     */
    public JointBuffer(
            AdjacencyGraph graph, EdgeBatch later, JointPartitioner rule, VertexTable vertices, PartitionLoads loads) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        this.graph = graph;
        counts = new EdgeCounts(graph.vertexCount());
        places = new int[Math.toIntExact(graph.edgeCount())];
        Arrays.fill(places, EdgePlaces.NONE);
        slots = new int[graph.vertexCount()];
        departures = vertices.departures();
        earlier = earlier();
        for (int i = 0; i < later.size(); i++) {
            uncount(later.source(i));
            uncount(later.target(i));
        }
    }

    /** Chooses places for some edges at once, whose endpoints count them; the arguments are those of the others. */
    public static JointBuffer of(
            EdgeBatch edges, JointPartitioner rule, VertexTable vertices, PartitionLoads loads, boolean isWhole) {
        JointBuffer buffer = new JointBuffer(AdjacencyGraph.sorted(edges), new EdgeBatch(1), rule, vertices, loads);
        buffer.choose(isWhole);
        return buffer;
    }

    private void uncount(long vertex) {
        int at = graph.find(vertex);
        if (at >= 0) {
            earlier.degrees()[at]--;
        }
    }

    /**
     * Chooses a place for each edge; needs neither table nor loads, so any thread may do it.
     *
     * @param isWhole whether the edges are all there is
     */
    public void choose(boolean isWhole) {
        homes = rule.place(graph, earlier, isWhole, EdgePlaces.of(places));
    }

    /** Returns whether places are chosen; if not, the edges are better placed one by one. */
    public boolean isChosen() {
        return homes != null;
    }

    private EarlierPlaces earlier() {
        int k = loads.partitionCount();
        int[] degrees = new int[graph.vertexCount()];
        long[] otherHomes = new long[k];
        Arrays.setAll(otherHomes, rule::homesOn);
        long[] expected = new long[EXPECTED];
        for (int v = 0; v < degrees.length; v++) {
            if (v % EXPECTED == 0) {
                vertices.expect(expected, graph.vertices(v, expected));
            }
            int slot = vertices.slot(graph.vertex(v));
            slots[v] = slot;
            degrees[v] = (int) Math.min(Integer.MAX_VALUE, vertices.degree(slot));
            int home = vertices.home(slot);
            if (home != VertexTable.NO_HOME) {
                otherHomes[home]--;
            }
            readReplicas(v, slot);
        }
        long maxEdges = rule.maxEdges(loads.totalEdges() + places.length, k);
        return EarlierPlaces.of(loads.first(k), counts, degrees, otherHomes, maxEdges);
    }

    /** A replica counts as many edges as the vertex has placed there of late, and one at least. */
    private void readReplicas(int vertex, int slot) {
        long weights = vertices.neighbourHomeWeights(slot);
        long homes = vertices.neighbourHomePlaces(slot);
        for (int word = 0; word < vertices.replicaWords(); word++) {
            for (long bits = vertices.replicaWord(slot, word); bits != 0; bits &= bits - 1) {
                int partition = (word << 6) + Long.numberOfTrailingZeros(bits);
                int count = 1;
                for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
                    if (NeighbourHomes.partition(homes, i) == partition) {
                        count = Math.max(count, NeighbourHomes.weight(weights, i) / NeighbourHomes.ONE);
                    }
                }
                counts.add(vertex, partition, count);
            }
        }
    }

    /** Returns the slot of the source of an edge in the table. */
    public int source(int edge) {
        return slot(graph.source(edge), VertexTable.NO_SLOT);
    }

    /** Returns the slot of the target of an edge in the table, where the source stays in its slot. */
    public int target(int edge, int source) {
        return graph.source(edge) == graph.target(edge) ? source : slot(graph.target(edge), source);
    }

    /** Looks a vertex up only if it may have another slot by now. */
    private int slot(int vertex, int pinned) {
        return vertices.departures() == departures ? slots[vertex] : vertices.slot(graph.vertex(vertex), pinned);
    }

    /** Gives the vertices the homes that were chosen with the places. */
    public void settle() {
        int[] homes = Objects.requireNonNull(this.homes, "no places are chosen");
        long[] expected = new long[EXPECTED];
        for (int v = 0; v < homes.length; v++) {
            if (v % EXPECTED == 0 && vertices.departures() != departures) {
                vertices.expect(expected, graph.vertices(v, expected));
            }
            rule.settle(vertices, slot(v, VertexTable.NO_SLOT), homes[v]);
        }
    }

    /** The place of an edge. */
    public int place(int edge) {
        return places[edge];
    }

    /** Finds the copies of each edge. */
    public EdgeCopies copies() {
        return EdgeCopies.of(places.length, i -> (long) graph.source(i) << Integer.SIZE | graph.target(i));
    }

    /**
     * The edges in the order of how sure their places are.
     *
     * @param edges the surest first
     * @param sureCount how many of them can be placed without a loss, more than half of the buffer or fewer
     */
    public record Order(int[] edges, int sureCount) {}

    /** Orders the edges, those first that are surest of their place. */
    public Order surestFirst() {
        short[] keys = new short[places.length];
        int[] starts = new int[MAX_SURE + 2];
        for (int i = 0; i < keys.length; i++) {
            int sure = Math.min(counts.count(graph.source(i), places[i]), counts.count(graph.target(i), places[i]));
            keys[i] = (short) (MAX_SURE - Math.min(MAX_SURE, sure));
            starts[keys[i] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int sureCount = starts[MAX_SURE - SURE + 1];
        int[] order = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            order[starts[keys[i]]++] = i;
        }
        return new Order(order, sureCount);
    }
}
