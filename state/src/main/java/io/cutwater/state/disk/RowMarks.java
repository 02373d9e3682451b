package io.cutwater.state.disk;

import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A cursor over the fates of the rows of an input. */
public final class RowMarks implements Closeable {
    /** The answer of {@link #next} for an edge that is still present at the end of the input. */
    public static final int KEPT = 0;

    private final @Nullable BitReader leftOut;
    private final @Nullable BitReader taken;

    /** @param leftOut and {@code taken}: null if no row has its bit set */
    RowMarks(@Nullable BitReader leftOut, @Nullable BitReader taken) {
        this.leftOut = leftOut;
        this.taken = taken;
    }

    /**
     * {@link #KEPT}; {@link EdgeBatch#NO_PLACE} for a duplicate and for a removal of an edge that was not there;
     * {@link EdgeBatch#TAKEN_AWAY} for an edge that was taken away and for the removal that did it.
     */
    public int next() throws IOException {
        boolean isLeftOut = leftOut != null && leftOut.next();
        boolean isTaken = taken != null && taken.next();
        return isLeftOut ? EdgeBatch.NO_PLACE : isTaken ? EdgeBatch.TAKEN_AWAY : KEPT;
    }

    /** Gives the next rows of the input as places what {@link #next} says of them. */
    public void mark(EdgeBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            batch.setPlace(i, next());
        }
    }

    @Override
    public void close() throws IOException {
        try (BitReader first = leftOut;
                BitReader second = taken) {
            // That is all.
        }
    }
}
