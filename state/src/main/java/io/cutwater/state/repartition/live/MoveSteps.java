package io.cutwater.state.repartition.live;

import io.cutwater.state.repartition.Moves;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/** Makes the moves of a plan, no faster than a rate allows. */
final class MoveSteps implements Closeable {
    private static final double MILLIS = 1e3;

    private final Moves moves;
    private final long edgesPerSecond;
    private final long sinceMillis;
    private long moved;
    private boolean isOver;

    /** @param edgesPerSecond {@link Long#MAX_VALUE} for no limit */
    MoveSteps(Moves moves, long edgesPerSecond, long nowMillis) {
        this.moves = moves;
        this.edgesPerSecond = edgesPerSecond;
        sinceMillis = nowMillis;
    }

    /** Makes some moves; returns how many edges changed their shard. */
    long step(LivePlacement placement, long nowMillis, BooleanSupplier mayGoOn) throws IOException {
        long allowed = (long) (edgesPerSecond * ((nowMillis - sinceMillis) / MILLIS));
        long before = moved;
        while ((moved < allowed || edgesPerSecond == Long.MAX_VALUE) && mayGoOn.getAsBoolean()) {
            if (!moves.next()) {
                isOver = true;
                break;
            }
            moved += placement.move(moves.source(), moves.target(), moves.from(), moves.to());
        }
        return moved - before;
    }

    boolean isOver() {
        return isOver;
    }

    @Override
    public void close() {
        try {
            moves.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the moves of a plan", e);
        }
    }
}
