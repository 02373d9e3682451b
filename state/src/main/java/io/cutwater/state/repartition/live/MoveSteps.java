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
    private final EdgeMover mover;
    private final long edgesPerSecond;
    private final long sinceMillis;
    private long moved;

    /** @param edgesPerSecond {@link Long#MAX_VALUE} for no limit */
    MoveSteps(LivePlacement placement, Moves moves, long edgesPerSecond, long nowMillis) {
        this.moves = moves;
        mover = placement.mover(moves);
        this.edgesPerSecond = edgesPerSecond;
        sinceMillis = nowMillis;
    }

    /** Makes some moves; returns how many edges changed their shard. */
    long step(long nowMillis, BooleanSupplier mayGoOn) throws IOException {
        long allowed = edgesPerSecond == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : (long) (edgesPerSecond * ((nowMillis - sinceMillis) / MILLIS)) - moved;
        long more = allowed > 0 ? mover.step(allowed, mayGoOn) : 0;
        moved += more;
        return more;
    }

    boolean isOver() {
        return mover.isOver();
    }

    @Override
    public void close() {
        mover.close();
        try {
            moves.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the moves of a plan", e);
        }
    }
}
