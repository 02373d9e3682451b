package io.cutwater.state.repartition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;

/** See {@link Moves#of}. */
final class MovesInMemory implements Moves {
    private final EdgeBatch moves;
    private int next = -1;

    MovesInMemory(EdgeBatch moves) {
        this.moves = moves;
    }

    @Override
    public boolean next() {
        next = Math.min(next + 1, moves.size());
        return next < moves.size();
    }

    @Override
    public long source() {
        return moves.source(next);
    }

    @Override
    public long target() {
        return moves.target(next);
    }

    @Override
    public int from() {
        return Place.ofSource(moves.place(next));
    }

    @Override
    public int to() {
        return Place.ofTarget(moves.place(next));
    }

    @Override
    public void close() {}
}
