package io.cutwater.state.passes;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.table.PartitionLoads;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes fewer replicas of an edge placement by passing over the edges again, a few times: an edge moves to the
 * partition with room where it helps most.
 *
 * <p>What helps is not only the last edge that leaves a partition, for one edge seldom is the last. With c edges of a
 * vertex on a partition, the replica there counts for c / (c + 1): the first edges of a foothold weigh most, so that
 * small footholds empty into large ones, edge by edge, until they are gone. Moving edge (u, v) from p to q gains what
 * the counts of u and v on p and q say, and only partitions with a replica of u or v come into question; of equally
 * good ones the lowest. Every move makes the sum over all replicas smaller, so passes come to an end; there are
 * {@value #MAX_PASSES} at most, footholds move between them ({@link FootholdMoves}), and there is none after one that
 * moved fewer than one edge in {@value #LEAST_MOVES}.
 */
public final class EdgePolish {
    /** Passes of a {@link #polish} at most. */
    private static final int MAX_PASSES = 4;

    private static final int LEAST_MOVES = 500;
    private static final int NOWHERE = EdgePlaces.NONE;
    private static final double LEAST_GAIN = 1e-9; // above what rounding can make of nothing

    /** {@link #step} of the counts that are met most, so that they cost no division. */
    private static final double[] STEPS = new double[1024];

    static {
        for (int count = 1; count < STEPS.length; count++) {
            STEPS[count] = 1.0 / ((double) count * (count + 1));
        }
    }

    private final BoundedGraph graph;
    private final EdgePlaces places;
    private final EdgeRoom room;
    private final @Nullable CountChanges changes;
    private final double vertexSlack;
    private final long[] loads;
    private final long[] replicas;
    private final EdgeCounts counts;
    private EdgePlaces present = EdgePlaces.none();
    private double movePrice;
    private long otherReplicas; // of vertices that are not of this graph
    private final int[] ofTarget; // the counts of one vertex by partition, else zeros

    /**
     * @param loads edges of each partition as they are now, kept up to date; {@code replicas} likewise
     * @param counts of the vertices, kept up to date
     */
    public EdgePolish(
            BoundedGraph graph,
            EdgePlaces places,
            long maxEdges,
            double vertexSlack,
            long[] loads,
            long[] replicas,
            EdgeCounts counts) {
        this.graph = graph;
        this.places = places;
        room = new EdgeRoom(graph, maxEdges, loads.length);
        room.share(loads);
        this.vertexSlack = vertexSlack;
        this.loads = loads;
        this.replicas = replicas;
        this.counts = counts;
        GraphPart part = GraphPart.of(graph);
        changes = part == null ? null : new CountChanges(part, counts, loads, replicas);
        otherReplicas = Arrays.stream(replicas).sum() - counts.replicas();
        ofTarget = new int[loads.length];
    }

    /**
     * Improves a placement.
     *
     * @param places of the edges of the graph, 0 to k − 1, each has one; changed
     * @param partitionCount k
     * @param maxEdges no partition takes an edge more if it has as many; one that has more keeps them or loses some
     * @param vertexSlack no partition gets a replica more if it has as many over the average, from 1 on; one that has
     *     more keeps them or loses some
     * @return replicas afterwards, Σ |V(E_p)|
     */
    public static long polish(
            BoundedGraph graph, EdgePlaces places, int partitionCount, long maxEdges, double vertexSlack) {
        PartitionLoads loads = new PartitionLoads(partitionCount);
        EdgeCounts counts = new EdgeCounts(graph.vertexCount());
        counts.addAll(graph, places, loads);
        new EdgePolish(graph, places, maxEdges, vertexSlack, loads.edges(), loads.vertices(), counts).polish();
        return counts.replicas();
    }

    /**
     * From now on an edge that is off its present place must gain something by it.
     *
     * @param present a place for each edge, that may be beyond the partitions there are
     * @param movePrice what a move from there must gain, in replicas; from 0 on
     */
    public void nearTo(EdgePlaces present, double movePrice) {
        this.present = present;
        this.movePrice = movePrice;
    }

    /** Passes as often as it helps. */
    public void polish() {
        polish(MAX_PASSES);
    }

    /** Passes as often as it helps, {@code maxPasses} times at most and once at least. */
    public void polish(int maxPasses) {
        FootholdMoves footholds = footholds();
        long moves;
        int passes = 0;
        do {
            moves = 0;
            if (passes > 0) {
                moves = footholds.pass(movePrice == 0);
                exchange();
            }
            moves = GraphPart.sum(graph, moves + pass());
            passes++;
        } while (passes < maxPasses && (moves > graph.edgeCount() / LEAST_MOVES || passes == 1));
    }

    private FootholdMoves footholds() {
        long range = FootholdEdges.range(graph);
        return new FootholdMoves(graph, places, room, loads, replicas, counts, this, range);
    }

    /** Is told of moves as they are made. */
    @FunctionalInterface
    public interface Listener {
        void moved(int source, int target, int from, int to) throws IOException;
    }

    /** Begins a pass over the edges in which the parts of a graph tell each other what has moved. */
    public EdgePass edges() {
        return GraphPart.edges(graph, this::exchange);
    }

    private void exchange() {
        if (changes != null) {
            changes.exchange(loads, replicas);
            room.share(loads);
            otherReplicas = Arrays.stream(replicas).sum() - counts.replicas();
        }
    }

    /** The edges that each partition may take or must lose. */
    public EdgeRoom room() {
        return room;
    }

    /** Edges and replicas of each partition, as they are now. */
    public PartitionLoads loads() {
        return new PartitionLoads(loads, replicas, GraphPart.allVertices(graph));
    }

    /**
     * Makes one pass in which edges move that are at their {@link #nearTo present} place still, each for a gain of its
     * own that is large enough.
     *
     * @param leastGain what a move must gain more than, above 0
     * @param most as many moves at most
     * @return moves
     */
    public long pass(double leastGain, long most, Listener listener) throws IOException {
        long moves = 0;
        try (EdgePass edges = edges();
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = present.pass()) {
            while (moves < most && edges.next()) {
                int from = pass.next();
                if (presentPass.next() == from) {
                    int to = best(edges.source(), edges.target(), from, from, leastGain);
                    if (to != from) {
                        pass.set(to);
                        move(edges.source(), edges.target(), from, to);
                        listener.moved(edges.source(), edges.target(), from, to);
                        moves++;
                    }
                }
            }
        }
        return moves;
    }

    private long pass() {
        long moves = 0;
        try (EdgePass edges = edges();
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = present.pass()) {
            while (edges.next()) {
                int from = pass.next();
                int stay = presentPass.next();
                int to = best(edges.source(), edges.target(), from, stay < loads.length ? stay : NOWHERE, LEAST_GAIN);
                if (to != from) {
                    pass.set(to);
                    move(edges.source(), edges.target(), from, to);
                    moves++;
                }
            }
        }
        return moves;
    }

    /** Counts an edge at another place; the caller changes the place itself. */
    public void move(int source, int target, int from, int to) {
        loads[from]--;
        loads[to]++;
        move(source, from, to);
        move(target, from, to);
    }

    private void move(int vertex, int from, int to) {
        replicas[from] -= counts.remove(vertex, from) ? 1 : 0;
        replicas[to] += counts.add(vertex, to) ? 1 : 0;
    }

    private int best(int source, int target, int from, int stay, double leastGain) {
        if (source == target) {
            return from; // a self-loop has no reason to move
        }
        double leaving = step(counts.count(source, from)) + step(counts.count(target, from));
        if (stay == NOWHERE) {
            return best(source, target, from, leaving, leastGain);
        }
        if (stay == from) {
            return best(source, target, from, leaving - movePrice, leastGain);
        }
        int sourceCount = counts.count(source, stay);
        int targetCount = counts.count(target, stay);
        double back = leaving - step(sourceCount + 1) - step(targetCount + 1) + movePrice;
        if (back > leastGain && hasRoom(stay, sourceCount == 0 || targetCount == 0)) {
            int best = best(source, target, from, leaving, back);
            return best == from ? stay : best;
        }
        return best(source, target, from, leaving, leastGain);
    }

    /** The best partition that gains more than some; the present one if there is none. */
    private int best(int source, int target, int from, double leaving, double leastGain) {
        double atLeast = step(mostElsewhere(source, from) + 1) + step(mostElsewhere(target, from) + 1);
        if (leaving - atLeast <= leastGain) {
            return from; // so it is for most edges after the first pass
        }
        int best = from;
        double bestGain = leastGain;
        long[] page = counts.page(target);
        int first = counts.first(target);
        int end = first + counts.size(target);
        for (int i = first; i < end; i++) {
            ofTarget[EdgeCounts.partition(page[i])] = EdgeCounts.count(page[i]);
        }
        // Both lists begin with the largest counts: where even the best that may follow is not enough, they are left.
        double leastOfTarget = step(mostElsewhere(target, from) + 1);
        long[] sourcePage = counts.page(source);
        int sourceFirst = counts.first(source);
        int sourceEnd = sourceFirst + counts.size(source);
        for (int i = sourceFirst; i < sourceEnd; i++) {
            double ofSource = step(EdgeCounts.count(sourcePage[i]) + 1);
            if (leaving - (ofSource + leastOfTarget) < bestGain) {
                break;
            }
            int to = EdgeCounts.partition(sourcePage[i]);
            double gain = leaving - (ofSource + step(ofTarget[to] + 1));
            if (isBetter(gain, bestGain, to, best, from) && hasRoom(to, ofTarget[to] == 0)) {
                best = to;
                bestGain = gain;
            }
        }
        for (int i = first; i < end; i++) {
            // One where the source is, too, gains more than this and was seen above.
            double gain = leaving - (step(1) + step(EdgeCounts.count(page[i]) + 1));
            if (gain < bestGain) {
                break;
            }
            int to = EdgeCounts.partition(page[i]);
            if (isBetter(gain, bestGain, to, best, from) && hasRoom(to, true)) {
                best = to;
                bestGain = gain;
            }
        }
        for (int i = first; i < end; i++) {
            ofTarget[EdgeCounts.partition(page[i])] = 0;
        }
        return best;
    }

    /** Returns whether a partition is better than the best one; of equally good ones, the lowest is. */
    private boolean isBetter(double gain, double bestGain, int to, int best, int from) {
        return (gain > bestGain || gain == bestGain && best != from && to < best) && to != from;
    }

    /** @param isNew whether an end has no replica there yet */
    private boolean hasRoom(int partition, boolean isNew) {
        return loads[partition] < room.cap(partition) && (!isNew || replicas[partition] + 1 <= maxReplicas());
    }

    /** Returns the replicas that a partition may have. */
    double maxReplicas() {
        return vertexSlack * (otherReplicas + counts.replicas()) / loads.length;
    }

    /** The largest count of a vertex on any other partition. */
    private int mostElsewhere(int vertex, int partition) {
        long[] page = counts.page(vertex);
        int first = counts.first(vertex);
        if (EdgeCounts.partition(page[first]) != partition) {
            return EdgeCounts.count(page[first]);
        }
        return counts.size(vertex) == 1 ? 0 : EdgeCounts.count(page[first + 1]);
    }

    /** Returns the gain of the c-th edge of a vertex on a partition: c / (c + 1) − (c − 1) / c. */
    public static double step(long count) {
        return count < STEPS.length ? STEPS[(int) count] : 1.0 / ((double) count * (count + 1));
    }
}
