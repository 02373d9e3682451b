package io.cutwater.format.table;

import io.cutwater.state.partition.PartitioningKind;

/**
 * What the tables call the vertices of a shard.
 *
 * @param home on the shard that has the vertex' own entry: its master, or its owner
 * @param other on all others
 */
public record VertexRoles(String home, String other) {
    public static VertexRoles of(PartitioningKind kind) {
        return switch (kind) {
            case EDGE -> new VertexRoles("master", "mirror");
            case VERTEX -> new VertexRoles("owned", "halo");
        };
    }
}
