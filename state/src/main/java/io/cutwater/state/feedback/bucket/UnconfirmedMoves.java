package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.util.Arrays;

/**
 * Moves of edges that no table has confirmed, in chains by edge, the oldest first. A move gives the oldest copy on one
 * partition another one, after some removals of the edge. What a table sends of an edge may lack the last moves:
 * {@link #apply} makes them again.
 */
final class UnconfirmedMoves {
    /** The chain of an edge without moves. */
    static final int NONE = AddedCopies.NONE;

    /** Places are pairs of partitions, timestamps the removals of the edge that were made before. */
    private final AddedCopies moves = new AddedCopies();

    private int[] last = new int[16]; // by the first of a chain
    private int count;

    /**
     * Adds a move to a chain.
     *
     * @param removals of the edge so far
     * @return the first of the chain
     */
    int add(int chain, int from, int to, long removals) {
        int move = moves.add(Place.of(from, to), 0, removals);
        count++;
        int first = chain == NONE ? move : chain;
        if (last.length <= first) {
            last = Arrays.copyOf(last, 2 * first);
        }
        if (chain != NONE) {
            moves.append(last[first], move);
        }
        last[first] = move;
        return first;
    }

    /** A table has the first move of a chain; returns what is left of the chain. */
    int confirm(int chain) {
        int end = last[chain];
        int second = moves.remove(chain);
        count--;
        if (second != NONE) {
            if (last.length <= second) {
                last = Arrays.copyOf(last, 2 * second);
            }
            last[second] = end;
        }
        return second;
    }

    /**
     * Makes the moves of a chain.
     *
     * @param places of the copies of an edge, the oldest first, before the unconfirmed removals
     * @param size how many of them count; there may be more between the table's and those that were added since, and
     *     which of these moved is not asked
     * @param removals that the table has made
     */
    void apply(int chain, int[] places, int size, long removals) {
        for (int move = chain; move != NONE; move = moves.next(move)) {
            int from = Place.ofSource(moves.place(move));
            for (int i = (int) (moves.timestamp(move) - removals); i < size; i++) {
                if (places[i] == from) {
                    places[i] = Place.ofTarget(moves.place(move));
                    break;
                }
            }
        }
    }

    /** Returns the number of moves. */
    int size() {
        return count;
    }

    /** Appends a move as tables take it: a removal with a pair of partitions as its place. */
    static void append(EdgeBatch changes, long source, long target, long key, int from, int to) {
        changes.add(source, target, Double.NaN, EdgeBatch.NO_TIMESTAMP, key);
        changes.setRemoval(changes.size() - 1);
        changes.setPlace(changes.size() - 1, Place.of(from, to));
    }

    /** Appends a move of an edge of a vertex partitioning, from a {@link Place} to another one. */
    static void appendOwned(EdgeBatch changes, long source, long target, long key, int from, int to) {
        changes.add(source, target, Double.NaN, from, key);
        changes.setRemoval(changes.size() - 1);
        changes.setPlace(changes.size() - 1, to);
    }

    /** Returns the place that {@link #appendOwned} was given as {@code from}; the other one is the place. */
    static int movedFrom(EdgeBatch changes, int i) {
        return (int) changes.timestamp(i);
    }

    /** Returns whether a change is a move. */
    static boolean isMove(EdgeBatch changes, int i) {
        return changes.isRemoval(i) && changes.place(i) >= 0;
    }
}
