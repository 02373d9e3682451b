package io.cutwater.deploy.faults.plan;

/**
 * The progress at which a fault happens.
 *
 * @param value edges since the run began, or checkpoints since the previous fault; 0 checkpoints is at once, before the
 *     supervisor repairs anything; or milliseconds after the restoration
 */
public record Trigger(Kind kind, int value) {
    /** Unit of progress. */
    public enum Kind {
        /** Records of topic {@code edges}, transaction markers included. */
        INGESTED,
        /** Edges that entered or left committed shards. */
        COMMITTED,
        /** Complete checkpoints since the previous fault, or since the job began. */
        CHECKPOINTS,
        /** The first task that has restored its state since the previous fault, while others still begin. */
        RESTORED
    }

    @Override
    public String toString() {
        return switch (kind) {
            case INGESTED -> "at %d ingested".formatted(value);
            case COMMITTED -> "at %d committed".formatted(value);
            case CHECKPOINTS -> value == 0 ? "at once" : "after %d checkpoints".formatted(value);
            case RESTORED -> "%d ms after a restoration".formatted(value);
        };
    }
}
