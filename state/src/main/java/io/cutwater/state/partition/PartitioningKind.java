package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;

/** The kind of a partitioning: edges or vertices are placed. */
@PublicApi
public enum PartitioningKind {
    /** Each edge on one partition, vertices duplicated. */
    EDGE("edge"),
    /** Each vertex on one partition, edges between two of them in both. */
    VERTEX("vertex");

    private final String label;

    PartitioningKind(String label) {
        this.label = label;
    }

    /** Returns whether vertices have owners, so that an edge is in the shards of the owners of both endpoints. */
    public boolean hasOwners() {
        return this == VERTEX;
    }

    /** Returns the name in reports. */
    public String label() {
        return label;
    }
}
