package io.cutwater.state.feedback.ask;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bounds how many edges are asked for and not placed yet, when there are several assigners: so many edges do not know
 * of each other. What that costs depends on the window as a share of the graph so far, and it is the beginning of the
 * graph that suffers: on uk-2007-05-100k (2.8 million edges, k = 32, HDRF, 2 assigners) a window of 32,768 edges from
 * the first to the last raises the replication factor by 5.2 %, one of 4 % of the edges so far by 0.6 %. Each round of
 * the loop places a window, so half the share takes twice as many rounds at the beginning. While a task's edges are the
 * only ones, nobody misses anything, and there is no bound.
 *
 * <p>With kept edges no assigner begins alone, so the window is a quarter of that while the graph is young: on the same
 * graph {@code cutwater} with 4 assigners then needs 0.2 % more replicas than with one, and not 3.6 %.
 *
 * <p>While edges come in runs that belong together, and assigners share loads, the rule says which share it is: what is
 * on its way goes to few partitions, and it must be little beside the room that is left there.
 */
public final class AskWindow {
    /** Edges in the window, as a share of those so far. */
    public static final double SHARE = 0.04;

    /** Edges in the window, as a share of the first edges of a graph that several assigners begin together. */
    private static final double YOUNG_SHARE = 0.01;

    /** How many first edges of a graph that several assigners begin together have that smaller share. */
    public static final long YOUNG = 500_000;

    /** Edges in the window however small the graph: less would be all waiting. */
    public static final int LEAST = 1024;

    private static final int SMALLEST_PIECE = 64;

    private record Asked(long number, int edges) {}

    private final int tasks;
    private final int assigners;
    private final long youngEdges;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private final long edgesBefore;
    private final long soloEdges;
    private long edges;
    private long inFlight;
    private double shareOfRuns;

    /** The window of one task that asks for all assigners. */
    public AskWindow(int assigners, long edgesBefore) {
        this(1, assigners, 0, edgesBefore, 0);
    }

    /**
     * The part of the window that a task has, if several ask.
     *
     * @param tasks that ask, each for its share of the edges
     * @param assigners of all tasks
     * @param youngEdges how many first edges have the smaller share: {@link #YOUNG}, or 0
     * @param edgesBefore that this task has asked for in earlier attempts
     * @param soloEdges that only this task asks for in this attempt, before the others begin
     */
    public AskWindow(int tasks, int assigners, long youngEdges, long edgesBefore, long soloEdges) {
        this.tasks = tasks;
        this.assigners = assigners / tasks;
        this.youngEdges = youngEdges / tasks;
        this.edgesBefore = edgesBefore;
        this.soloEdges = soloEdges;
        edges = edgesBefore;
    }

    private long size() {
        return shareOfRuns > 0
                ? sizeForRuns(LEAST / tasks, shareOfRuns, edges)
                : size(LEAST / tasks, youngEdges, edges);
    }

    /** Returns how many edges may be on their way while they come in runs and assigners share loads. */
    public static long sizeForRuns(long least, double share, long edges) {
        return Math.max(least, (long) (share * edges));
    }

    /**
     * Sets the share of the edges so far that the window has while these come in runs and assigners share loads.
     *
     * @param share 0 while they do not
     */
    public void setShareOfRuns(double share) {
        shareOfRuns = share;
    }

    /** Returns how many edges of a graph of so many may be on their way. */
    public static long size(long least, long youngEdges, long edges) {
        long young = Math.min(youngEdges, edges);
        return Math.max(least, (long) (YOUNG_SHARE * young + SHARE * (edges - young)));
    }

    /** Returns how many edges a batch may have so that every assigner has a batch. */
    public int batchSize() {
        return isSolo(1)
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, Math.max(SMALLEST_PIECE, size() / assigners));
    }

    /** Returns whether a batch may be requested now. */
    public boolean hasRoomFor(int batchEdges) {
        return inFlight == 0 || inFlight + batchEdges <= size() || isSolo(batchEdges);
    }

    /** Returns whether there may soon be no room, so that it matters which batches are placed. */
    public boolean isHalfFull() {
        return inFlight > size() / 2 && !isSolo(1);
    }

    private boolean isSolo(int batchEdges) {
        return edges - edgesBefore + batchEdges <= soloEdges;
    }

    public void ask(long number, int batchEdges) {
        asked.add(new Asked(number, batchEdges));
        edges += batchEdges;
        inFlight += batchEdges;
    }

    /** A batch and those before it of the same assigner are placed; what they have added is on its way. */
    public void placed(long number) {
        asked.removeIf(batch -> {
            boolean isOver = batch.number <= number && (number - batch.number) % assigners == 0;
            inFlight -= isOver ? batch.edges : 0;
            return isOver;
        });
    }

    /** Edges that were asked for and are not known to be placed. */
    public long inFlight() {
        return inFlight;
    }

    /** All edges that were asked for. */
    public long edges() {
        return edges;
    }
}
