package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.joint.EarlierOwners;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.OwnedSoFar;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of the placed graph whose vertices may get other owners together. Where a community is spread over several
 * partitions, hardly a vertex gains by a move of its own.
 *
 * <p>A region grows from a vertex, always to the vertex that has the largest share of its edges in it, and from the
 * next given one when it has all that can be reached. Its vertices get owners as those of a buffer do whose vertices
 * all have one ({@link JointVertexRule#owners}); whether they begin where they are or with their clusters, the better
 * of both counts.
 */
final class VertexRegion {
    /** Vertices with more edges than this share of a region stay outside: they belong to many. */
    private static final int HUB_SHARE = 8;

    /**
     * Edges that the moves must save from being cut, as a share of those that move. It is less than for a vertex alone:
     * single vertices that gain have moved already, and what a region has gained helps its neighbours.
     */
    private static final double LEAST_GAIN = 0.02;

    private static final int LEAST_VERTICES = 8;
    private static final int SHARE_BITS = 20;
    private static final int NO_MEMBER = -1;

    private final VertexTable vertices;
    private final KeptEdges kept;
    private final VertexSlots numbers; // of the vertices of the region, and of their neighbours
    private final LongHeap next = new LongHeap();
    private final EdgeBatch chunk = new EdgeBatch();
    private long[] ids = new long[256]; // and so on, by number
    private int[] degrees = new int[256];
    private int[] owners = new int[256];
    private int[] links = new int[256];
    private int[] members = new int[256]; // what member of the region each one is
    private int[] region = new int[64]; // the number of each member
    private int size;
    private int[] ends = new int[64]; // of the neighbours of each member
    private int[] neighbours = new int[1024];
    private long[] found = new long[256];
    private int foundCount;
    private AdjacencyGraph graph = AdjacencyGraph.of(new long[0], new EdgeBatch(1));
    private EdgeCounts counts = new EdgeCounts(0);
    private int[] outside = {}; // edges of each member to others
    private int @Nullable [] chosen;

    /**
     * Reads a region.
     *
     * @param seeds vertices to grow from, which have an owner
     * @param most edges that its vertices may have, the sum of their degrees
     */
    VertexRegion(long[] seeds, long most, VertexTable vertices, KeptEdges kept) {
        this.vertices = vertices;
        this.kept = kept;
        numbers = new VertexSlots(256);
        long volume = 0;
        int seed = 0;
        while ((!next.isEmpty() || seed < seeds.length) && volume < most) {
            int number = next.isEmpty() ? number(seeds[seed++]) : (int) (next.remove() & Integer.MAX_VALUE);
            if (members[number] == NO_MEMBER && (size == 0 || degrees[number] <= most / HUB_SHARE)) {
                volume += degrees[number];
                if (volume <= most) {
                    join(number);
                }
            }
        }
    }

    private int number(long vertex) {
        int before = numbers.size();
        int number = numbers.slot(vertex);
        if (numbers.size() == before) {
            return number;
        }
        if (number == ids.length) {
            ids = Arrays.copyOf(ids, 2 * number);
            degrees = Arrays.copyOf(degrees, 2 * number);
            owners = Arrays.copyOf(owners, 2 * number);
            links = Arrays.copyOf(links, 2 * number);
            members = Arrays.copyOf(members, 2 * number);
        }
        int slot = vertices.slot(vertex);
        ids[number] = vertex;
        degrees[number] = (int) Math.min(Integer.MAX_VALUE, vertices.degree(slot));
        owners[number] = vertices.master(slot);
        members[number] = NO_MEMBER;
        return number;
    }

    /** Makes a vertex one of the region, and its neighbours candidates. */
    private void join(int number) {
        if (size == region.length) {
            region = Arrays.copyOf(region, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        members[number] = size;
        region[size] = number;
        readNeighbours(ids[number]);
        int end = size == 0 ? 0 : ends[size - 1];
        if (end + foundCount > neighbours.length) {
            neighbours = Arrays.copyOf(neighbours, 2 * (end + foundCount));
        }
        for (int i = 0; i < foundCount; i++) {
            int neighbour = number(found[i]);
            neighbours[end++] = neighbour;
            links[neighbour]++;
            if (members[neighbour] == NO_MEMBER && (i + 1 == foundCount || found[i + 1] != found[i])) {
                long share = ((long) links[neighbour] << SHARE_BITS) / (degrees[neighbour] + 2L);
                next.add((1L << SHARE_BITS) - share << Integer.SIZE | neighbour);
            }
        }
        ends[size++] = end;
    }

    /** Finds the neighbours of a vertex in the order of their ids, so that it does not matter how edges are stored. */
    private void readNeighbours(long vertex) {
        foundCount = 0;
        chunk.clear();
        kept.forEach(vertex, chunk, () -> {
            if (foundCount + chunk.size() > found.length) {
                found = Arrays.copyOf(found, 2 * (foundCount + chunk.size()));
            }
            for (int i = 0; i < chunk.size(); i++) {
                if (chunk.source(i) != chunk.target(i)) {
                    found[foundCount++] = chunk.source(i) == vertex ? chunk.target(i) : chunk.source(i);
                }
            }
            chunk.clear();
        });
        Arrays.sort(found, 0, foundCount);
        vertices.expect(found, foundCount);
    }

    /**
     * Chooses owners for the vertices; returns whether that is worth the moves.
     *
     * @param mostMoves edges that may change a shard
     */
    boolean choose(JointVertexRule rule, OwnerLoads loads, long mostMoves) {
        if (size < LEAST_VERTICES) {
            return false;
        }
        long[] vertexIds = new long[size];
        int[] present = new int[size];
        Arrays.setAll(vertexIds, v -> ids[region[v]]);
        Arrays.setAll(present, v -> owners[region[v]]);
        outside = new int[size];
        counts = new EdgeCounts(size);
        graph = AdjacencyGraph.of(vertexIds, between());
        OwnedSoFar now = OwnedSoFar.of(loads);
        long[] owned = now.owned().clone();
        long[] volumes = now.volumes().clone();
        for (int v = 0; v < size; v++) {
            owned[present[v]]--;
            volumes[present[v]] -= degrees[region[v]];
        }
        GraphSize all = new GraphSize(loads.totalOwned(), now.edges());
        double edgesPerVertex = (double) graph.edgeCount() / size;
        EarlierOwners others = new EarlierOwners(counts, outside, owned, volumes, present, edgesPerVertex, all);
        long gain = 0;
        for (boolean isKeeping : new boolean[] {true, false}) {
            int[] tried = rule.owners(graph, others, false, isKeeping);
            if (tried == null) {
                break; // no communities show
            }
            long saved = gain(tried, mostMoves);
            if (saved > gain) {
                gain = saved;
                chosen = tried;
            }
        }
        return chosen != null;
    }

    /** Counts the edges to other vertices; returns those between the vertices of the region. */
    private EdgeBatch between() {
        EdgeBatch between = new EdgeBatch(Math.max(1, ends[size - 1] / 2));
        for (int v = 0, at = 0; v < size; v++) {
            for (; at < ends[v]; at++) {
                int other = members[neighbours[at]];
                if (other == NO_MEMBER) {
                    outside[v]++;
                    counts.add(v, owners[neighbours[at]]);
                } else if (other > v) {
                    between.add(ids[region[v]], ids[region[other]]);
                }
            }
        }
        return between;
    }

    /** Returns how many edges the moves save from being cut; 0 if that is too few for each edge that moves. */
    private long gain(int[] chosenOwners, long mostMoves) {
        long gain = 0;
        long cost = 0;
        for (int v = 0; v < size; v++) {
            int present = owners[region[v]];
            if (chosenOwners[v] != present) {
                cost += degrees[region[v]];
                gain += counts.count(v, chosenOwners[v]) - counts.count(v, present);
            }
            for (int at = graph.offset(v); at < graph.offset(v + 1); at++) {
                int other = graph.neighbours()[at];
                if (other > v) {
                    gain += chosenOwners[v] == chosenOwners[other] ? 1 : 0;
                    gain -= present == owners[region[other]] ? 1 : 0;
                }
            }
        }
        return cost <= mostMoves && gain >= LEAST_GAIN * cost ? gain : 0;
    }

    int size() {
        return size;
    }

    long vertex(int member) {
        return ids[region[member]];
    }

    long degree(int member) {
        return degrees[region[member]];
    }

    /** Returns the owner that a vertex had when the region was read. */
    int before(int member) {
        return owners[region[member]];
    }

    /** Returns the chosen owner of a vertex. */
    int owner(int member) {
        return Objects.requireNonNull(chosen, "no owners are chosen")[member];
    }
}
