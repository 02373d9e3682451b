package io.cutwater.state.graph;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether edges that follow each other belong together, as in the order of a crawl: whether half of them
 * share an end with the edge before. Older edges count less, so the answer may change with the stream.
 */
public final class EdgeRuns {
    private static final int LEAST = 4096;
    private static final int HALVED_AT = 1 << 16;

    private final @Nullable BooleanSupplier given;
    private long edges;
    private long related;

    public EdgeRuns() {
        given = null;
    }

    /** @param given what is answered, for tests on graphs that are too small to tell */
    public EdgeRuns(BooleanSupplier given) {
        this.given = given;
    }

    /** Counts the edges of a batch. */
    public void observe(EdgeBatch batch) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        int shared = 0;
        for (int i = 1; i < size; i++) {
            boolean sharesEnd = sources[i] == sources[i - 1]
                    || targets[i] == targets[i - 1]
                    || sources[i] == targets[i - 1]
                    || targets[i] == sources[i - 1];
            shared += sharesEnd ? 1 : 0;
        }
        edges += Math.max(0, size - 1);
        related += shared;
        if (edges >= HALVED_AT) {
            edges /= 2;
            related /= 2;
        }
    }

    /** Returns whether edges that follow each other belong together. */
    public boolean areFound() {
        return given == null ? edges >= LEAST && 2 * related >= edges : given.getAsBoolean();
    }
}
