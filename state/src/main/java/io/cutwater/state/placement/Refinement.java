package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks at each placed edge again when more is known of its endpoints, and moves it, or one of them, where that helps
 * ({@link Placer#refine}). The edges wait in a queue. Each is looked at three times: when a sixteenth, a quarter and
 * all of {@value #LAG} more edges have been placed, or of {@link Placer#lag} if that is less.
 *
 * <p>What these moves leave of the share goes to vertices that move together: those of a region of the placed graph
 * around edges that are cut ({@link VertexRegion}). The more may move, the larger a region is, and the smaller the
 * graph is, the sooner the next one follows. If the rule for edges places buffers together, it goes to the edges of the
 * queue that were placed last ({@link EdgeRegion}).
 *
 * <p>If the edges are kept in other tasks, the moves are only chosen here, from vertices that the table has, and made
 * beside the stream ({@link io.cutwater.state.feedback.move.RemoteRefinement}).
 *
 * <p>The edges that move are a share of those that are placed; what is left of that share is kept for later, up to
 * {@value #MOST_CREDIT} edges. Plans of buffers move vertices at the cost of the same share. Turns come with counts of
 * edges, so that the result depends on the order of the input, and not on time, batches or checkpoints.
 *
 * <p>The bytes, in pieces of at most {@value #PIECE_EDGES} edges, big-endian: {@link #MAGIC} (8 bytes); in the first
 * piece edges of the stream since the last turn (4 bytes), edges that may move (8 bytes, a double) and that have moved
 * (8 bytes), how many edges of the queue have been looked at once and twice (4 bytes each), edges placed when the next
 * region is looked at (8 bytes) and regions without a gain since one that had one (4 bytes); then each edge of the
 * queue, the oldest first: source, target (8 bytes each) and partition (4 bytes).
 */
final class Refinement implements PlacedEdges {
    /** Makes moves that were chosen, or sees to it that they are made. */
    @FunctionalInterface
    interface Mover {
        /**
         * @param source of the edge; or the vertex
         * @param target of the edge; or the vertex
         * @param edges that the move counts
         * @return edges that changed a shard, or will; 0 if there is no move
         */
        long move(long source, long target, int from, int to, long edges);
    }

    /** Edges that are placed before one is looked at for the last time. */
    static final int LAG = 1 << 16;

    /** Edges of the stream between two turns; fewer with a short queue. */
    private static final int TURN = 256;

    /** Edges that are looked at for the same time in a turn, at most: more than come, since a plan delays turns. */
    private static final int LOOKS = 1024;

    /** The word "refine" and version 2; version 1 has nothing of regions. */
    private static final long MAGIC = 0x726566696e650002L;

    private static final long MAGIC_1 = 0x726566696e650001L;

    /** The shares of the lag after which an edge is looked at. */
    private static final int[] SHARES = {16, 4, 1};

    private static final int MOST_CREDIT = 1 << 16;

    /** Sum of the degrees of the vertices of a region, at most, and as a multiple of the edges that may move. */
    private static final int MOST_REGION = 1 << 16;

    private static final int REGION_OF_CREDIT = 8;

    /** Edges of a region of edges, at most, as a multiple of the edges that may move: half of them move at times. */
    private static final int EDGE_REGION_OF_CREDIT = 2;

    /**
     * Edges that must be free to move before a region is looked at: moves of single vertices gain more for each. In a
     * small graph it is this share of its edges, and at least {@value #LEAST_CREDIT}.
     */
    private static final int ENOUGH_CREDIT = 1 << 10;

    private static final int CREDIT_SHARE = 16;
    private static final int LEAST_CREDIT = 1 << 6;

    /**
     * The share of a region that is placed, in edges, before the next region is looked at: {@value #SMALL_GRAPH} over
     * the edges of the graph, between these two. While a graph is small, regions cost little time, and change most.
     */
    private static final int LEAST_REGION_SHARE = 12;

    private static final int MOST_REGION_SHARE = 48;
    private static final int SMALL_GRAPH = 1 << 20;

    /** The part of a region of edges that is placed before the next one: so an edge is planned about twice. */
    private static final int EDGE_REGION_SHARE = 2;

    /** Regions without a gain that double this share, at most. */
    private static final int MOST_IN_VAIN = 2;

    /** Edges of the queue that are tried as places where a region grows. */
    private static final int SEEDS = 64;

    private static final int EDGE_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int STATE_BYTES = 4 * Integer.BYTES + 3 * Long.BYTES;
    private static final int PIECE_EDGES = 1 << 17;

    /** Moves that are chosen and not made, at most; more are not worth the wait. */
    private static final int MOST_CHOSEN = 1 << 14;

    /** Edges in the queue, at most. There are no turns while partitions are closed, and then the oldest edges stay. */
    private static final int MOST_EDGES = 1 << 22;

    private final double share;
    private final int lag;
    private final int turn;
    private final Placer placer;
    private final VertexTable vertices;
    private final KeptEdges kept;
    private final Mover mover;
    private PlacedEdges into = (source, target, weight, timestamp, key, place) -> {};
    private long[] sources = new long[TURN];
    private long[] targets = new long[TURN];
    private int[] partitions = new int[TURN];
    private int oldest;
    private int size;
    private final int[] looked =
            new int[SHARES.length]; // edges of the queue that have been looked at so often, and once more
    private int adopted; // where the last edge that moved is
    private int taken;
    private double credit;
    private long moved;
    private long nextRegion; // edges placed when a region is looked at next
    private int inVain; // regions without a gain, since the last one that had one
    private EdgeBatch chosen = new EdgeBatch(1); // moves that are to be made beside the stream

    /**
     * @param share edges that may move, as a share of those that are placed, above 0 and at most 1
     * @param lag edges that are placed before one is looked at for the last time, at least 1
     */
    Refinement(double share, int lag, Placer placer, VertexTable vertices, KeptEdges kept) {
        this.share = share;
        this.lag = lag;
        turn = Math.max(1, Math.min(TURN, lag / 4));
        this.placer = placer;
        this.vertices = vertices;
        this.kept = kept;
        mover = kept.areElsewhere() ? this::choose : this::moveNow;
    }

    private long moveNow(long source, long target, int from, int to, long edges) {
        return placer.move(source, target, from, to, kept, this);
    }

    private long choose(long source, long target, int from, int to, long edges) {
        if (chosen.size() == MOST_CHOSEN) {
            return 0;
        }
        chosen.add(source, target, edges, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY);
        chosen.setPlace(chosen.size() - 1, Place.of(from, to));
        adopted = to;
        return edges;
    }

    /** Returns how many moves are to be made beside the stream. */
    int chosen() {
        return chosen.size();
    }

    /**
     * Returns these moves, which it no longer has; the place of each is a pair of partitions, its weight the number of
     * edges that it counts as.
     */
    EdgeBatch takeChosen() {
        EdgeBatch taken = chosen;
        chosen = new EdgeBatch(Math.max(1, taken.size()));
        return taken;
    }

    /**
     * Takes down how many edges have moved beside the stream.
     *
     * @param counted edges that the moves were counted as
     */
    void madeChosen(long edges, long counted) {
        moved += edges;
        credit = Math.min(MOST_CREDIT, credit + counted - edges);
    }

    /** Returns a receiver that queues the edges that are placed, and passes them on. */
    PlacedEdges over(PlacedEdges receiver) {
        into = receiver;
        return this;
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, long key, int place) {
        into.placed(source, target, weight, timestamp, key, place);
        credit = Math.min(MOST_CREDIT, credit + share);
        add(source, target, Place.ofSource(place));
    }

    @Override
    public void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int place) {
        into.changed(change, source, target, weight, timestamp, key, shard, place);
        if (change == ShardChange.ADOPT) {
            adopted = shard;
        }
    }

    private void add(long source, long target, int partition) {
        if (size == MOST_EDGES) {
            drop(1);
        }
        if (size == sources.length) {
            grow();
        }
        int at = (oldest + size++) % sources.length;
        sources[at] = source;
        targets[at] = target;
        partitions[at] = partition;
    }

    private void grow() {
        long[] grownSources = new long[2 * size];
        long[] grownTargets = new long[2 * size];
        int[] grownPartitions = new int[2 * size];
        for (int i = 0; i < size; i++) {
            int at = (oldest + i) % size;
            grownSources[i] = sources[at];
            grownTargets[i] = targets[at];
            grownPartitions[i] = partitions[at];
        }
        sources = grownSources;
        targets = grownTargets;
        partitions = grownPartitions;
        oldest = 0;
    }

    /** Counts an edge of the stream, or a removal, that has been taken; now and then edges are looked at. */
    void took() {
        if (++taken >= turn && placer.mayRefine()) {
            taken = 0;
            int now = (int) Math.min(lag, placer.lag());
            for (int time = 0; time < SHARES.length; time++) {
                int looks = Math.min(LOOKS, size - now / SHARES[time] - looked[time]);
                for (; looks > 0; looks--) {
                    look((oldest + looked[time]++) % sources.length);
                }
            }
            drop(looked[SHARES.length - 1]);
            rearrange();
        }
    }

    /** Moves the vertices, or the edges, of a region together, if it is time for one. */
    private void rearrange() {
        long placed = placer.placedEdges();
        long enough = Math.max(LEAST_CREDIT, Math.min(ENOUGH_CREDIT, placed / CREDIT_SHARE));
        if (credit < enough || placed < nextRegion || kept.areElsewhere()) {
            return;
        }
        long pause;
        long more;
        if (placer.replacesEdges()) {
            int region = (int) Math.min(Math.min(size, MOST_REGION), EDGE_REGION_OF_CREDIT * credit);
            pause = Math.max(LEAST_CREDIT, region / EDGE_REGION_SHARE);
            more = replaceLast(region);
        } else {
            int region = (int) Math.min(MOST_REGION, REGION_OF_CREDIT * credit);
            pause = region
                    / Math.max(LEAST_REGION_SHARE, Math.min(MOST_REGION_SHARE, SMALL_GRAPH / Math.max(1, placed)));
            more = rearrangeSeeds(region);
        }
        credit -= more;
        moved += more;
        inVain = more > 0 ? 0 : Math.min(MOST_IN_VAIN, inVain + 1);
        nextRegion = placed + (pause << inVain);
    }

    private long rearrangeSeeds(int region) {
        long[] seeds = seeds();
        return seeds.length == 0 ? 0 : placer.rearrange(seeds, region, (long) credit, kept, this);
    }

    /** Gives the edges of the queue that were placed last other places together. */
    private long replaceLast(int count) {
        EdgeBatch last = new EdgeBatch(Math.max(1, count));
        for (int i = size - count; i < size; i++) {
            int at = (oldest + i) % sources.length;
            last.add(sources[at], targets[at]);
            last.setPlace(last.size() - 1, Place.of(partitions[at]));
        }
        long more = placer.replace(last, (long) credit, kept, this);
        for (int i = 0; more > 0 && i < count; i++) {
            partitions[(oldest + size - count + i) % sources.length] = Place.ofSource(last.place(i));
        }
        return more;
    }

    /** Returns an endpoint of each cut edge among the oldest ones of the queue. */
    private long[] seeds() {
        long[] seeds = new long[SEEDS];
        int count = 0;
        for (int i = 0; i < Math.min(SEEDS, size); i++) {
            int at = (oldest + i) % sources.length;
            if (placer.isSeed(sources[at], targets[at])) {
                seeds[count++] = sources[at];
            }
        }
        return Arrays.copyOf(seeds, count);
    }

    private void look(int at) {
        if (credit >= 1 && (!kept.areElsewhere() || isKnown(sources[at]) && isKnown(targets[at]))) {
            long more = placer.refine(sources[at], targets[at], partitions[at], (long) credit, mover);
            if (more > 0) {
                credit -= more;
                moved += kept.areElsewhere() ? 0 : more;
                partitions[at] = adopted;
            }
        }
    }

    private boolean isKnown(long vertex) {
        return RecordExchange.has(vertices, vertex);
    }

    /** Returns how many edges may move now. */
    double credit() {
        return credit;
    }

    /** Moves a vertex that has so many edges, if they may move. */
    void move(long vertex, long degree, int from, int to, PlacedEdges receiver) {
        if (degree <= credit) {
            long more = placer.move(vertex, vertex, from, to, kept, receiver);
            credit -= more;
            moved += more;
        }
    }

    /** Takes the oldest edges out of the queue. */
    private void drop(int count) {
        oldest = (oldest + count) % sources.length;
        size -= count;
        for (int time = 0; time < looked.length; time++) {
            looked[time] -= Math.min(looked[time], count);
        }
    }

    /** Returns the edges that have moved. */
    long moved() {
        return moved;
    }

    /** Returns the state for a checkpoint; none if the edges are kept in other tasks. */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        if (kept.areElsewhere()) {
            return pieces;
        }
        int at = 0;
        do {
            int end = Math.min(size, at + PIECE_EDGES);
            ByteBuffer out =
                    ByteBuffer.allocate(Long.BYTES + (pieces.isEmpty() ? STATE_BYTES : 0) + (end - at) * EDGE_BYTES);
            out.putLong(MAGIC);
            if (pieces.isEmpty()) {
                out.putInt(taken)
                        .putDouble(credit)
                        .putLong(moved)
                        .putInt(looked[0])
                        .putInt(looked[1])
                        .putLong(nextRegion)
                        .putInt(inVain);
            }
            for (; at < end; at++) {
                int slot = (oldest + at) % sources.length;
                out.putLong(sources[slot]).putLong(targets[slot]).putInt(partitions[slot]);
            }
            pieces.add(out.array());
        } while (at < size);
        return pieces;
    }

    private static boolean isOfRefinement(byte[] piece) {
        return piece.length >= Long.BYTES && ByteBuffer.wrap(piece).getLong() >>> Short.SIZE == MAGIC >>> Short.SIZE;
    }

    /** Returns the pieces of a snapshot that are not of a refinement. */
    static List<byte[]> others(List<byte[]> snapshot) {
        return snapshot.stream().filter(piece -> !isOfRefinement(piece)).toList();
    }

    /**
     * Takes back the state from a snapshot, which has none if nothing was refined before.
     *
     * @throws IllegalStateException if it is of another version
     */
    void restore(List<byte[]> snapshot) {
        boolean isFirst = true;
        for (byte[] piece : snapshot) {
            if (isOfRefinement(piece) && !kept.areElsewhere()) {
                restore(ByteBuffer.wrap(piece), isFirst);
                isFirst = false;
            }
        }
    }

    private void restore(ByteBuffer in, boolean isFirst) {
        long magic = in.getLong();
        if (magic != MAGIC && magic != MAGIC_1) {
            throw new IllegalStateException("the checkpoint has a refinement in version %d; this is version %d"
                    .formatted((short) magic, (short) MAGIC));
        }
        if (isFirst) {
            taken = in.getInt();
            credit = in.getDouble();
            moved = in.getLong();
            looked[0] = in.getInt();
            looked[1] = in.getInt();
            nextRegion = magic == MAGIC_1 ? 0 : in.getLong();
            inVain = magic == MAGIC_1 ? 0 : in.getInt();
        }
        while (in.hasRemaining()) {
            add(in.getLong(), in.getLong(), in.getInt());
        }
    }
}
