package io.cutwater.state.repartition.live;

import io.cutwater.state.repartition.Moves;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Moves edges that are at hand. */
final class LocalMover implements EdgeMover {
    private final LocalPlacement placement;
    private final Moves moves;
    private boolean isOver;

    LocalMover(LocalPlacement placement, Moves moves) {
        this.placement = placement;
        this.moves = moves;
    }

    @Override
    public long step(long limit, BooleanSupplier mayGoOn) throws IOException {
        long moved = 0;
        while (moved < limit && mayGoOn.getAsBoolean()) {
            if (!moves.next()) {
                isOver = true;
                break;
            }
            moved += placement.move(moves.source(), moves.target(), moves.from(), moves.to());
        }
        return moved;
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
