package io.cutwater.state.quality;

/** Quality of a partitioning of either kind, and what both kinds count alike. */
public sealed interface Quality permits EdgeQuality, VertexQuality {
    /** k. */
    int partitions();

    /** Distinct vertices with at least one edge. */
    long vertices();

    /**
     * Edges of the input that are placed, each once however many partitions hold it; duplicates and self-loops counted.
     */
    long edges();

    /** Records of the input that were no edges. */
    long deadLetters();

    /** The same with another number of dead letters. */
    Quality withDeadLetters(long deadLetters);
}
