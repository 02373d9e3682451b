package io.cutwater.state.placement;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.EarlierPlaces;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Placed edges that may get other places together. They are planned as a buffer is ({@link JointPartitioner#place}),
 * near all other edges of their ends: those of several small buffers together show more than each buffer did.
 *
 * <p>Edges that are not where they were placed are left out, as far as the counts of edges by partition tell: all of a
 * vertex on a partition that has fewer there.
 */
final class EdgeRegion {
    /** Replicas that the moves must save, as a share of the edges that move. */
    private static final double LEAST_GAIN = 0.02;

    private static final int LEAST_EDGES = 200;

    /** Vertices that are read ahead together. */
    private static final int EXPECTED = 4096;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final EdgeBatch edges;
    private int[] present; // edges that are where they were placed
    private AdjacencyGraph graph; // of these
    private EdgeCounts own; // edges of the region of each vertex, by partition
    private EdgeCounts counts = new EdgeCounts(0); // all others, and then all of them in their new places
    private long replicas; // of the vertices, before
    private int[] places = {};

    /** @param edges with their places; taken over until the places are chosen */
    EdgeRegion(EdgeBatch edges, JointPartitioner rule, VertexTable vertices, PartitionLoads loads) {
        this.edges = edges;
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        present = new int[edges.size()];
        Arrays.setAll(present, i -> i);
        graph = AdjacencyGraph.sorted(edges);
        own = count();
        leaveOutMoved();
    }

    private EdgeCounts count() {
        EdgeCounts ofRegion = new EdgeCounts(graph.vertexCount());
        for (int i = 0; i < present.length; i++) {
            ofRegion.add(graph.source(i), before(i));
            ofRegion.add(graph.target(i), before(i));
        }
        return ofRegion;
    }

    private void leaveOutMoved() {
        EdgeCounts there = there();
        if (there.replicas() == own.replicas()) {
            return;
        }
        EdgeBatch left = new EdgeBatch(Math.max(1, edges.size()));
        int[] numbers = new int[edges.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (there.count(graph.source(i), before(i)) > 0 && there.count(graph.target(i), before(i)) > 0) {
                numbers[left.size()] = i;
                left.addFrom(edges, i);
            }
        }
        present = Arrays.copyOf(numbers, left.size());
        graph = AdjacencyGraph.sorted(left);
        own = count();
    }

    /** Returns the edges of the region of each vertex on the partitions that have them all. */
    private EdgeCounts there() {
        EdgeCounts there = new EdgeCounts(graph.vertexCount());
        long[] expected = new long[EXPECTED];
        for (int v = 0; v < graph.vertexCount(); v++) {
            if (v % EXPECTED == 0) {
                vertices.expect(expected, graph.vertices(v, expected));
            }
            int slot = vertices.slot(graph.vertex(v));
            for (int i = 0; i < own.size(v); i++) {
                int place = EdgeCounts.partition(own.entry(v, i));
                int count = EdgeCounts.count(own.entry(v, i));
                if (place < loads.partitionCount() && vertices.edgesAt(slot, place) >= count) {
                    there.add(v, place, count);
                }
            }
            if (vertices.degree(slot) == 0) {
                vertices.forget(slot); // it is gone, or came with the question
            }
        }
        return there;
    }

    /**
     * Chooses places for the edges; returns whether that is worth the moves.
     *
     * @param mostMoves edges that may move
     */
    boolean choose(long mostMoves) {
        if (present.length < LEAST_EDGES) {
            return false;
        }
        places = new int[present.length];
        Arrays.fill(places, EdgePlaces.NONE);
        int @Nullable [] homes = rule.place(graph, others(), false, EdgePlaces.of(places));
        if (homes == null) {
            return false; // no communities show
        }
        long moves = 0;
        for (int i = 0; i < places.length; i++) {
            moves += places[i] == before(i) ? 0 : 1;
        }
        return moves > 0 && moves <= mostMoves && replicas - counts.replicas() >= LEAST_GAIN * moves;
    }

    /** What the vertices and the partitions have without the edges of the region. */
    private EarlierPlaces others() {
        int k = loads.partitionCount();
        int[] degrees = new int[graph.vertexCount()];
        long[] otherHomes = new long[k];
        Arrays.setAll(otherHomes, rule::homesOn);
        long[] otherEdges = new long[k];
        long[] otherReplicas = new long[k];
        Arrays.setAll(otherEdges, loads::edges);
        Arrays.setAll(otherReplicas, loads::vertices);
        for (int i = 0; i < present.length; i++) {
            otherEdges[before(i)]--;
        }
        counts = new EdgeCounts(graph.vertexCount());
        replicas = 0;
        long[] expected = new long[EXPECTED];
        for (int v = 0; v < degrees.length; v++) {
            if (v % EXPECTED == 0) {
                vertices.expect(expected, graph.vertices(v, expected));
            }
            int slot = vertices.slot(graph.vertex(v));
            degrees[v] = (int) Math.min(Integer.MAX_VALUE, vertices.degree(slot));
            int home = vertices.home(slot);
            if (home != VertexTable.NO_HOME) {
                otherHomes[home]--;
            }
            for (int word = 0; word < vertices.replicaWords(); word++) {
                for (long bits = vertices.replicaWord(slot, word); bits != 0; bits &= bits - 1) {
                    int p = (word << 6) + Long.numberOfTrailingZeros(bits);
                    int left = (int) Math.min(Integer.MAX_VALUE, vertices.edgesAt(slot, p) - own.count(v, p));
                    replicas++;
                    if (left > 0) {
                        counts.add(v, p, left);
                    } else {
                        otherReplicas[p]--;
                    }
                }
            }
        }
        PartitionLoads others = new PartitionLoads(otherEdges, otherReplicas, loads.totalVertices());
        return EarlierPlaces.of(others, counts, degrees, otherHomes, rule.maxEdges(loads.totalEdges(), k));
    }

    private int before(int i) {
        return Place.ofSource(edges.place(present[i]));
    }

    /** Edges that have a chosen place. */
    int size() {
        return places.length;
    }

    /** Returns which one of the given edges has the i-th chosen place. */
    int edge(int i) {
        return present[i];
    }

    /** Returns the i-th chosen place. */
    int place(int i) {
        return places[i];
    }
}
