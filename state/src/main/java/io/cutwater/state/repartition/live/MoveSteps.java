package io.cutwater.state.repartition.live;

import io.cutwater.state.repartition.Moves;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/** Makes the moves of a plan, no faster than a rate allows. */
public final class MoveSteps implements Closeable {
    private static final double MILLIS = 1e3;

    private final Moves moves;
    private final EdgeMover mover;
    private final long edgesPerSecond;
    private final long sinceMillis;
    private long moved;

    /**
     * @param mover makes the moves
     * @param edgesPerSecond {@link Long#MAX_VALUE} for no limit
     */
    public MoveSteps(EdgeMover mover, Moves moves, long edgesPerSecond, long nowMillis) {
        this.moves = moves;
        this.mover = mover;
        this.edgesPerSecond = edgesPerSecond;
        sinceMillis = nowMillis;
    }

    /** Makes some moves; returns how many edges changed their shard. */
    public long step(long nowMillis, BooleanSupplier mayGoOn) throws IOException {
        long allowed = edgesPerSecond == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : (long) (edgesPerSecond * ((nowMillis - sinceMillis) / MILLIS)) - moved;
        long more = allowed > 0 ? mover.step(allowed, mayGoOn) : 0;
        moved += more;
        return more;
    }

    /** Returns whether every move was made. */
    public boolean isOver() {
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
