package io.cutwater.state.bulk;

import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/** Gives vertices to their given owners in a first pass, and in a second pass the others by a rule that sees these. */
final class GivenOwners implements VertexPartitioner {
    private final GivenPlaces given;
    private final VertexPartitioner rule;
    private boolean isFirst;

    GivenOwners(GivenPlaces given, VertexPartitioner rule) {
        this.given = given;
        this.rule = rule;
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        isFirst = number == 0;
        return number < 2 ? Pass.PLACE : Pass.DONE;
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        if (isFirst) {
            int owner = given.take(placement.id(vertex));
            return owner < 0 ? LATER : owner;
        }
        return placement.partition(vertex) == VertexPlacement.NOWHERE
                ? rule.place(vertex, neighbours, from, to, placement)
                : LATER;
    }
}
