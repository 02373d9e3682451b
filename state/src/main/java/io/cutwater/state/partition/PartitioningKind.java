package io.cutwater.state.partition;

/** What is placed: edges, or vertices. */
public enum PartitioningKind {
    /** Each edge on one partition, vertices duplicated. */
    EDGE("edge"),
    /** Each vertex on one partition, edges between two of them in both. */
    VERTEX("vertex");

    private final String label;

    PartitioningKind(String label) {
        this.label = label;
    }

    /** As reports have it. */
    public String label() {
        return label;
    }
}
