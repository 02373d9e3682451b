package io.cutwater.state.joint;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Owners for the vertices of a buffer that have none, chosen together. Those come first that are surest of theirs: with
 * most buffered edges to vertices that it owns, or will own. Of equally sure vertices the one comes first that has
 * waited for longest.
 */
public final class OwnerBuffer {
    private static final int EXPECTED = 4096;

    /** Vertices that are at least as sure are equally sure. */
    private static final int MAX_SURE = 1023;

    private static final int NO_OWNER = VertexTable.NO_MASTER;

    private final EdgeBatch edges;
    private final Endpoints ends;
    private final int[] present; // owner of each endpoint
    private final int[] vertexCounts; // without an owner, that the edges up to each one name
    private final int[] degrees; // edges of these to vertices with an owner
    private final EdgeCounts counts;
    private AdjacencyGraph graph = AdjacencyGraph.of(new long[0], new EdgeBatch(1)); // of the vertices without an owner
    private int @Nullable [] owners; // null if nothing is chosen

    /** Numbers of the endpoints of buffered edges, in the order in which the edges name them. */
    public static final class Endpoints {
        private final long[] ids;
        private final int[] sources;
        private final int[] targets;

        /** Numbers them; needs no table, so any thread may do it. */
        public Endpoints(EdgeBatch edges) {
            VertexSlots slots = new VertexSlots(edges.size() / 4);
            sources = new int[edges.size()];
            targets = new int[edges.size()];
            for (int i = 0; i < sources.length; i++) {
                sources[i] = slots.slot(edges.source(i));
                targets[i] = slots.slot(edges.target(i));
            }
            ids = slots.vertices();
        }
    }

    /**
     * Reads who has an owner; {@link #choose} follows.
     *
     * @param edges all that are buffered, the oldest first
     * @param ends their endpoints
     */
    public OwnerBuffer(EdgeBatch edges, Endpoints ends, VertexTable vertices) {
        this.edges = edges;
        this.ends = ends;
        present = present(ends.ids, vertices);
        vertexCounts = new int[edges.size()];
        int freeCount =
                (int) Arrays.stream(present).filter(owner -> owner == NO_OWNER).count();
        counts = new EdgeCounts(freeCount);
        degrees = new int[freeCount];
    }

    /** Chooses owners for some edges at once; the arguments are those of the others. */
    public static OwnerBuffer of(
            EdgeBatch edges, JointVertexRule rule, VertexTable vertices, OwnerLoads loads, boolean isWhole) {
        OwnerBuffer buffer = new OwnerBuffer(edges, new Endpoints(edges), vertices);
        buffer.choose(rule, OwnedSoFar.of(loads), isWhole);
        return buffer;
    }

    /**
     * Chooses an owner for each vertex that has none; needs neither table nor loads, so any thread may do it.
     *
     * @param isWhole whether the edges are all there is
     */
    public void choose(JointVertexRule rule, OwnedSoFar loads, boolean isWhole) {
        int[] numbers = new int[present.length]; // of the vertices without an owner
        long[] free = new long[degrees.length];
        int freeCount = 0;
        for (int v = 0; v < present.length; v++) {
            numbers[v] = freeCount;
            if (present[v] == NO_OWNER) {
                free[freeCount++] = ends.ids[v];
            }
        }
        int named = 0;
        for (int i = 0; i < vertexCounts.length; i++) {
            named = Math.max(named, Math.max(ends.sources[i], ends.targets[i]) + 1);
            vertexCounts[i] = named == present.length ? freeCount : numbers[named];
        }
        graph = AdjacencyGraph.of(free, countOwned(numbers, loads.partitionCount()));
        GraphSize size = new GraphSize(Arrays.stream(loads.owned()).sum() + freeCount, loads.edges() + edges.size());
        owners = rule.owners(graph, new EarlierOwners(counts, degrees, loads.owned(), loads.volumes(), size), isWhole);
    }

    /** Returns whether owners are chosen; if not, the vertices better get them one by one. */
    public boolean isChosen() {
        return owners != null;
    }

    /** Counts the edges to vertices with an owner; returns those between vertices without one. */
    private EdgeBatch countOwned(int[] numbers, int partitionCount) {
        EdgeBatch between = new EdgeBatch(Math.max(1, edges.size()));
        for (int i = 0; i < edges.size(); i++) {
            int source = ends.sources[i];
            int target = ends.targets[i];
            if (present[source] == NO_OWNER && present[target] == NO_OWNER) {
                between.add(ends.ids[source], ends.ids[target]);
            } else if (present[source] == NO_OWNER && present[target] < partitionCount) {
                degrees[numbers[source]]++;
                counts.add(numbers[source], present[target]);
            } else if (present[target] == NO_OWNER && present[source] < partitionCount) {
                degrees[numbers[target]]++;
                counts.add(numbers[target], present[source]);
            }
        }
        return between;
    }

    private static int[] present(long[] ids, VertexTable vertices) {
        int[] owners = new int[ids.length];
        for (int v = 0; v < ids.length; v++) {
            if (v % EXPECTED == 0) {
                int count = Math.min(EXPECTED, ids.length - v);
                vertices.expect(Arrays.copyOfRange(ids, v, v + count), count);
            }
            owners[v] = vertices.master(vertices.slot(ids[v]));
        }
        return owners;
    }

    /** Returns a vertex without an owner; their numbers are in the order in which the edges name them. */
    public long vertex(int number) {
        return graph.vertex(number);
    }

    /** Returns the chosen owner of a vertex. */
    public int owner(int number) {
        return chosen()[number];
    }

    /** Returns the number of vertices without an owner. */
    public int size() {
        return degrees.length;
    }

    /** Returns the numbers of the vertices that the oldest edges name, in this order. */
    public int[] endpoints(int edges) {
        return IntStream.range(0, vertexCounts[edges - 1]).toArray();
    }

    /** Returns the numbers of the surest vertices, as many as let so many edges go. */
    public int[] surestFirst(int edges) {
        int[] order = surestFirst();
        BitSet settled = new BitSet(order.length);
        int count = 0;
        for (int free = 0; free < edges && count < order.length; count++) {
            int v = order[count];
            settled.set(v);
            free += degrees[v];
            int loops = 0;
            for (int at = graph.offset(v); at < graph.offset(v + 1); at++) {
                int neighbour = graph.neighbours()[at];
                free += settled.get(neighbour) && neighbour != v ? 1 : 0;
                loops += neighbour == v ? 1 : 0;
            }
            free += loops / 2;
        }
        return Arrays.copyOf(order, count);
    }

    private int[] chosen() {
        return Objects.requireNonNull(owners, "no owners are chosen");
    }

    /** The numbers of the vertices, the surest first. */
    private int[] surestFirst() {
        int[] owners = chosen();
        short[] keys = new short[owners.length];
        int[] starts = new int[MAX_SURE + 2];
        for (int v = 0; v < keys.length; v++) {
            int sure = counts.count(v, owners[v]);
            for (int at = graph.offset(v); at < graph.offset(v + 1); at++) {
                sure += owners[graph.neighbours()[at]] == owners[v] ? 1 : 0;
            }
            keys[v] = (short) (MAX_SURE - Math.min(MAX_SURE, sure));
            starts[keys[v] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] order = new int[keys.length];
        for (int v = 0; v < keys.length; v++) {
            order[starts[keys[v]]++] = v;
        }
        return order;
    }
}
