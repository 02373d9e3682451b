package io.cutwater.deploy.faults;

/**
 * The progress at which a fault happens.
 *
 * @param value edges since the run began, or checkpoints since the fault before; 0 checkpoints is at once, before the
 *     supervisor repairs anything
 */
record Trigger(Kind kind, int value) {
    /** What is counted. */
    enum Kind {
        /** Records of topic {@code edges}, marks of transactions included. */
        INGESTED,
        /** Edges that entered or left committed shards. */
        COMMITTED,
        /** Complete checkpoints since the fault before, or since the job began. */
        CHECKPOINTS
    }

    @Override
    public String toString() {
        return switch (kind) {
            case INGESTED -> "at %d ingested".formatted(value);
            case COMMITTED -> "at %d committed".formatted(value);
            case CHECKPOINTS -> value == 0 ? "at once" : "after %d checkpoints".formatted(value);
        };
    }
}
