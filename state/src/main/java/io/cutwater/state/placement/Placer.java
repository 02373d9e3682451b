package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.TeamLoads;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** The part of {@link Placement} that differs between edge and vertex partitioning. */
sealed interface Placer permits EdgePlacer, VertexPlacer {
    /** What a move of {@link #makeMoves} returns if there is no room for it now. */
    long NO_ROOM = -1;

    /** How often {@link #makeMoves} asks for a move; each that leaves a partition makes room there. */
    int MOVE_PASSES = 3;

    /**
     * Makes moves that were chosen together, some of which may have room only when others are made.
     *
     * @param move makes the i-th move; returns the edges that changed a shard, or {@link #NO_ROOM}
     * @return edges that changed a shard
     */
    static long makeMoves(int count, IntToLongFunction move) {
        long moved = 0;
        BitSet made = new BitSet(count);
        for (int pass = 0; pass < MOVE_PASSES; pass++) {
            for (int i = made.nextClearBit(0); i < count; i = made.nextClearBit(i + 1)) {
                long now = move.applyAsLong(i);
                if (now != NO_ROOM) {
                    made.set(i);
                    moved += now;
                }
            }
        }
        return moved;
    }

    /** Places, records or buffers edge {@code i}, which is no removal; in a preparation pass only learns from it. */
    void take(EdgeBatch batch, int i, PlacedEdges into);

    /** Returns the buffered edges; always the same object. */
    EdgeWindow window();

    /**
     * Returns whether an edge may have placed copies while others are buffered, which are younger; else all of its
     * copies are placed or all are buffered.
     */
    default boolean placesCopiesApart() {
        return false;
    }

    /** Returns what plans the buffered edges, if they are placed together; always the same object. */
    default @Nullable PlannedBuffer<?, ?> plannedBuffer() {
        return null;
    }

    /** See {@link Placement#shareVertices}. */
    default void shareVertices(int assigner, int assigners) {}

    /** See {@link Placement#teamLoads}. */
    default @Nullable TeamLoads teamLoads() {
        return null;
    }

    /** See {@link Placement#mastered}. */
    default void mastered(long vertex, PlacedEdges into) {}

    /** Returns the edges that only wait for tables to decide; null if none ever does. */
    default @Nullable EdgeWindow undecided() {
        return null;
    }

    /** See {@link Placement#release}. */
    default boolean release(long vertex) {
        return false;
    }

    /** See {@link Placement#disown}. */
    default void disown(int owner) {}

    /** See {@link Placement#ownerMoved}. */
    default void ownerMoved(long vertex, int from, int to, EdgeBatch edges, KeptEdges kept, PlacedEdges into) {}

    /** See {@link Placement#takeLeft}. */
    default long[] takeLeft() {
        return new long[0];
    }

    /** See {@link Placement#placeHeldBefore}. */
    void placeHeldBefore(long number, PlacedEdges into);

    /** Places all buffered edges, at the end of the input. */
    void placeHeld(PlacedEdges into);

    /**
     * Takes an edge out of tables and shards; it is kept no longer.
     *
     * @param source slot of one endpoint
     * @param target slot of the other endpoint
     * @param partition where it was, as {@link KeptEdges#remove} says it
     * @param removed has weight and timestamp of the edge
     */
    void removePlaced(int source, int target, int partition, KeptEdges removed, PlacedEdges into);

    /** Takes an edge out of the tables that is buffered no longer. */
    void removeHeld(int source, int target);

    /** Takes a vertex out of the table if it has neither placed nor buffered edges. */
    void forgetIfGone(int slot);

    /** See {@link Placement#move}. */
    long move(long source, long target, int from, int to, KeptEdges kept, PlacedEdges into);

    /** Returns whether the caps of the rule let an edge, or this vertex with its edges, come to a partition now. */
    boolean takesMoved(long vertex, int to);

    /** Returns how many edges are placed, at most, before one is looked at for the last time ({@link Refinement}). */
    default long lag() {
        return Long.MAX_VALUE;
    }

    /** Lets plans of buffers move vertices, too. */
    default void refineBy(Refinement refinement) {}

    /** Returns whether something may move now. */
    boolean mayRefine();

    /**
     * Has a placed edge moved to a partition where that saves replicas (edge partitioning), or its endpoints to where
     * more of their neighbours are (vertex partitioning).
     *
     * @param from where the edge was placed; if it is not there (any more), nothing happens. Of no meaning for vertices
     * @param most edges that may change a shard, at least 1
     * @return edges that did, or will
     */
    long refine(long source, long target, int from, long most, Refinement.Mover mover);

    /** Returns whether vertices around an edge may gain if they move together ({@link #rearrange}). */
    default boolean isSeed(long source, long target) {
        return false;
    }

    /**
     * Moves vertices around others together, where that leaves more edges in one shard.
     *
     * @param seeds have owners; vertices around the first ones come first
     * @param volume edges that these vertices have at most
     * @param most edges that may change a shard
     * @return edges that did
     */
    default long rearrange(long[] seeds, long volume, long most, KeptEdges kept, PlacedEdges into) {
        return 0;
    }

    /** Returns whether placed edges, and not vertices around cut edges, are moved together. */
    default boolean replacesEdges() {
        return false;
    }

    /**
     * Moves placed edges together, where that saves replicas.
     *
     * @param edges with their places, which are those where they are to be afterwards; those elsewhere by now stay
     * @param most edges that may move
     * @return edges that did
     */
    default long replace(EdgeBatch edges, long most, KeptEdges kept, PlacedEdges into) {
        return 0;
    }

    boolean canChangePartitions();

    /** See {@link Placement#restrictTo}; the vertex table knows it already. */
    void restrictTo(int open);

    /** Sets the places of kept edges from {@code first} on, which lead from a vertex; none if they have them. */
    default void setPlaces(long vertex, EdgeBatch edges, int first) {}

    Quality quality(long deadLetters);

    long placedEdges();

    List<byte[]> snapshot();

    /** See {@link Placement#restoreParts}. */
    default void restoreParts(List<byte[]> snapshots) {
        restore(snapshots, new EdgeBatch(1));
    }

    /** See {@link Placement#restore}. */
    void restore(List<byte[]> snapshot, EdgeBatch held);
}
