package io.cutwater.state.joint;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Owners for the vertices of a buffer that have none, chosen together. Those come first that are surest of theirs: with
 * most buffered edges to vertices that it owns, or will own. Of equally sure vertices the one comes first that has
 * waited for longest.
 *
 * <p>If vertices may move ({@link OwnerMoves}), owners are chosen for those with few placed edges as well, each of
 * which counts as an edge to the partition that owns its other end.
 */
public final class OwnerBuffer {
    private static final int EXPECTED = 4096;

    private static final int NO_OWNER = VertexTable.NO_MASTER;
    private static final int NOWHERE = VertexPlacement.NOWHERE;

    private final EdgeBatch edges;
    private final Endpoints ends;
    private final int[] present; // owner of each endpoint
    private final int[] slots; // of each endpoint in the table; none if others are asked
    private final BitSet chosenFor = new BitSet(); // endpoints without an owner, and those that may move
    private final int[] vertexCounts; // of the former, that the edges up to each one name
    private final int[] degrees; // edges of these to the others
    private final int[] before; // owner of each of these; empty if none has one
    private final int[] placed; // edges of each of those that may move
    private final EdgeCounts counts;
    private AdjacencyGraph graph = AdjacencyGraph.of(new long[0], new EdgeBatch(1)); // of the vertices without an owner
    private int @Nullable [] owners; // null if nothing is chosen
    private @Nullable WaitingEdges waiting; // if owners are chosen, and slots are known

    /** Numbers of the endpoints of buffered edges, in the order in which the edges name them. */
    public static final class Endpoints {
        private final @Nullable VertexSlots slots; // if they are to be found
        private final long[] ids;
        private final int[] sources;
        private final int[] targets;

        /**
         * Numbers them; needs no table, so any thread may do it.
         *
         * @param moves if some are wanted, vertices can be found by their ids
         */
        public Endpoints(EdgeBatch edges, OwnerMoves moves) {
            VertexSlots numbers = new VertexSlots(edges.size() / 4);
            slots = moves.areWanted() ? numbers : null;
            sources = new int[edges.size()];
            targets = new int[edges.size()];
            for (int i = 0; i < sources.length; i++) {
                sources[i] = numbers.slot(edges.source(i));
                targets[i] = numbers.slot(edges.target(i));
            }
            ids = numbers.vertices();
        }

        private int find(long vertex) {
            return Objects.requireNonNull(slots, "no vertex can be found").find(vertex);
        }
    }

    /**
     * Reads who has an owner; {@link #choose} follows.
     *
     * @param edges all that are buffered, the oldest first
     * @param ends their endpoints
     * @param known returns the owner of a vertex as one of several assigners knows it, or
     *     {@link VertexTable#NO_MASTER}; null to ask the table
     * @param moves of vertices that have an owner; none if {@code known} is given
     * @param partitionCount open partitions
     */
    public OwnerBuffer(
            EdgeBatch edges,
            Endpoints ends,
            VertexTable vertices,
            @Nullable LongToIntFunction known,
            OwnerMoves moves,
            int partitionCount) {
        this.edges = edges;
        this.ends = ends;
        present = new int[ends.ids.length];
        slots = new int[known == null ? present.length : 0];
        int[] later = later(moves);
        int[] degreesBefore = new int[later.length];
        for (int v = 0; v < present.length; v++) {
            int slot = known == null ? slot(v, vertices) : VertexTable.NO_SLOT;
            if (known == null) {
                slots[v] = slot;
            }
            present[v] = known == null ? vertices.master(slot) : known.applyAsInt(ends.ids[v]);
            if (present[v] == NO_OWNER) {
                chosenFor.set(v);
            } else if (moves.areWanted() && present[v] < partitionCount) {
                long degree = vertices.degree(slot) - later[v];
                chosenFor.set(v, degree <= moves.most());
                degreesBefore[v] = (int) Math.min(degree, Integer.MAX_VALUE);
            }
        }
        vertexCounts = new int[edges.size()];
        int count = chosenFor.cardinality();
        counts = new EdgeCounts(count);
        degrees = new int[count];
        before = new int[moves.areWanted() ? count : 0];
        placed = new int[before.length];
        if (before.length > 0) {
            readPlaced(vertices, moves, degreesBefore, partitionCount);
        }
    }

    /** Returns how many edges of each endpoint were placed since the plan began; nothing if none may move. */
    private int[] later(OwnerMoves moves) {
        int[] later = new int[moves.areWanted() ? present.length : 0];
        for (int i = 0; i < moves.size(); i++) {
            int source = ends.find(moves.source(i));
            int target = ends.find(moves.target(i));
            if (source >= 0) {
                later[source]++;
            }
            if (target >= 0) {
                later[target]++;
            }
        }
        return later;
    }

    /** Reads where the placed edges of vertices lead that may move. */
    private void readPlaced(VertexTable vertices, OwnerMoves moves, int[] degreesBefore, int partitionCount) {
        int[] numbers = numbers();
        Arrays.fill(before, NOWHERE);
        for (int v = chosenFor.nextSetBit(0); v >= 0; v = chosenFor.nextSetBit(v + 1)) {
            if (present[v] != NO_OWNER) {
                before[numbers[v]] = present[v];
                placed[numbers[v]] = degreesBefore[v];
                readPlaced(numbers[v], slot(v, vertices), vertices, partitionCount);
            }
        }
        for (int i = 0; i < moves.size(); i++) {
            uncount(numbers, moves.source(i), Place.ofTarget(moves.place(i)));
            uncount(numbers, moves.target(i), Place.ofSource(moves.place(i)));
        }
        for (int number = 0; number < before.length; number++) {
            for (int i = 0; i < counts.size(number); i++) {
                degrees[number] += EdgeCounts.count(counts.entry(number, i));
            }
        }
    }

    private void readPlaced(int number, int slot, VertexTable vertices, int partitionCount) {
        for (int word = 0; word < vertices.replicaWords(); word++) {
            for (long bits = vertices.replicaWord(slot, word); bits != 0; bits &= bits - 1) {
                int partition = (word << 6) + Long.numberOfTrailingZeros(bits);
                int edgesThere = (int) Math.min(Integer.MAX_VALUE, vertices.edgesAt(slot, partition));
                if (edgesThere > 0 && partition < partitionCount) {
                    counts.add(number, partition, edgesThere);
                }
            }
        }
    }

    private void uncount(int[] numbers, long vertex, int owner) {
        int v = ends.find(vertex);
        if (v >= 0 && chosenFor.get(v)) {
            counts.remove(numbers[v], owner);
        }
    }

    /** Returns the slot of an endpoint; for all of them in turn. */
    private int slot(int endpoint, VertexTable vertices) {
        if (endpoint % EXPECTED == 0) {
            int count = Math.min(EXPECTED, present.length - endpoint);
            vertices.expect(Arrays.copyOfRange(ends.ids, endpoint, endpoint + count), count);
        }
        return vertices.slot(ends.ids[endpoint]);
    }

    /** Returns the number of each endpoint that is chosen for; at the others that of the next one. */
    private int[] numbers() {
        int[] numbers = new int[present.length];
        int count = 0;
        for (int v = 0; v < numbers.length; v++) {
            numbers[v] = count;
            count += chosenFor.get(v) ? 1 : 0;
        }
        return numbers;
    }

    /** Chooses owners for some edges at once; the arguments are those of the others. */
    public static OwnerBuffer of(
            EdgeBatch edges,
            JointVertexRule rule,
            VertexTable vertices,
            @Nullable LongToIntFunction known,
            OwnerLoads loads,
            OwnerMoves moves,
            boolean isWhole) {
        OwnerBuffer buffer =
                new OwnerBuffer(edges, new Endpoints(edges, moves), vertices, known, moves, loads.partitionCount());
        buffer.choose(rule, OwnedSoFar.of(loads), isWhole);
        return buffer;
    }

    /**
     * Chooses an owner for each vertex that has none; needs neither table nor loads, so any thread may do it.
     *
     * @param isWhole whether the edges are all there is
     */
    public void choose(JointVertexRule rule, OwnedSoFar loads, boolean isWhole) {
        int[] numbers = numbers();
        long[] ids = new long[degrees.length];
        for (int v = chosenFor.nextSetBit(0); v >= 0; v = chosenFor.nextSetBit(v + 1)) {
            ids[numbers[v]] = ends.ids[v];
        }
        int named = 0;
        for (int i = 0; i < vertexCounts.length; i++) {
            named = Math.max(named, Math.max(ends.sources[i], ends.targets[i]) + 1);
            vertexCounts[i] = named == present.length ? degrees.length : numbers[named];
        }
        graph = countOwned(ids, numbers, loads.partitionCount());
        long[] owned = loads.owned().clone();
        long[] volumes = loads.volumes().clone();
        int movable = 0;
        for (int number = 0; number < before.length; number++) {
            if (before[number] != NOWHERE) {
                movable++;
                owned[before[number]]--;
                volumes[before[number]] -= graph.degree(number) + degrees[number];
            }
        }
        int freeCount = degrees.length - movable;
        GraphSize size = new GraphSize(Arrays.stream(loads.owned()).sum() + freeCount, loads.edges() + edges.size());
        double edgesPerVertex = (double) edges.size() / Math.max(1, freeCount);
        int[] movables = movable == 0 ? new int[0] : before;
        owners = rule.owners(
                graph,
                new EarlierOwners(counts, degrees, owned, volumes, movables, edgesPerVertex, size),
                isWhole,
                true);
        if (owners != null && slots.length > 0) {
            for (int v = chosenFor.nextClearBit(0); v < numbers.length; v = chosenFor.nextClearBit(v + 1)) {
                numbers[v] = -1;
            }
            waiting = new WaitingEdges(ends.ids, slots, ends.sources, ends.targets, numbers, degrees.length);
        }
    }

    /** Returns the edges of the vertices that owners are chosen for; null if one of several assigners chooses. */
    public @Nullable WaitingEdges waiting() {
        return waiting;
    }

    /** Returns whether owners are chosen; if not, the vertices better get them one by one. */
    public boolean isChosen() {
        return owners != null;
    }

    /** Counts the edges to vertices that keep their owner; returns the graph of those between the others. */
    private AdjacencyGraph countOwned(long[] ids, int[] numbers, int partitionCount) {
        int[] sources = new int[edges.size()];
        int[] targets = new int[edges.size()];
        int between = 0;
        for (int i = 0; i < sources.length; i++) {
            int source = ends.sources[i];
            int target = ends.targets[i];
            if (chosenFor.get(source) && chosenFor.get(target)) {
                sources[between] = numbers[source];
                targets[between++] = numbers[target];
            } else if (chosenFor.get(source) && present[target] < partitionCount) {
                degrees[numbers[source]]++;
                counts.add(numbers[source], present[target]);
            } else if (chosenFor.get(target) && present[source] < partitionCount) {
                degrees[numbers[target]]++;
                counts.add(numbers[target], present[source]);
            }
        }
        return AdjacencyGraph.of(ids, Arrays.copyOf(sources, between), Arrays.copyOf(targets, between));
    }

    /** Returns a vertex that an owner is chosen for; their numbers are in the order in which the edges name them. */
    public long vertex(int number) {
        return graph.vertex(number);
    }

    /** Returns the chosen owner of a vertex. */
    public int owner(int number) {
        return chosen()[number];
    }

    /** Returns whether a vertex has no owner yet. */
    public boolean isFree(int number) {
        return before.length == 0 || before[number] == NOWHERE;
    }

    /** Returns the owner that a vertex had when the plan began. */
    public int before(int number) {
        return before[number];
    }

    /** Returns the number of vertices that owners are chosen for. */
    public int size() {
        return degrees.length;
    }

    /**
     * Returns the numbers of the vertices without an owner that the oldest edges name, in order, where there is room.
     */
    public int[] endpoints(int edges, JointVertexRule rule, OwnerLoads loads) {
        int[] endpoints = IntStream.range(0, vertexCounts[edges - 1]).toArray();
        return order().withRoom(endpoints, Integer.MAX_VALUE, owned(loads), capacity(rule, loads));
    }

    /**
     * Returns the numbers of the surest vertices without an owner whose chosen owner has room for them, as many as let
     * so many edges go.
     *
     * @param loads the present ones
     */
    public int[] surestFirst(int edges, JointVertexRule rule, OwnerLoads loads) {
        return order().surestFirst(edges, owned(loads), capacity(rule, loads));
    }

    private static long[] owned(OwnerLoads loads) {
        return OwnedSoFar.of(loads).owned();
    }

    private static LongToDoubleFunction capacity(JointVertexRule rule, OwnerLoads loads) {
        int partitionCount = loads.partitionCount();
        return vertices -> rule.capacity(vertices, partitionCount);
    }

    /**
     * Returns the numbers of vertices that better move, those that gain most for each edge that moves first.
     *
     * @param leastGain what a move must gain, as a share of the edges that move
     */
    public int[] moves(double leastGain) {
        return order().moves(leastGain);
    }

    private OwnerOrder order() {
        return new OwnerOrder(graph, counts, degrees, chosen(), before, placed);
    }

    private int[] chosen() {
        return Objects.requireNonNull(owners, "no owners are chosen");
    }
}
