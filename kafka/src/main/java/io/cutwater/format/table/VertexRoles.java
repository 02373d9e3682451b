package io.cutwater.format.table;

import io.cutwater.state.partition.PartitioningKind;

/**
 * The names of the roles of vertices in the tables of a shard.
 *
 * @param home the role on the shard that has the vertex's own entry: its master, or its owner
 * @param other the role on all other shards
 */
public record VertexRoles(String home, String other) {
    public static VertexRoles of(PartitioningKind kind) {
        return switch (kind) {
            case EDGE -> new VertexRoles("master", "mirror");
            case VERTEX -> new VertexRoles("owned", "halo");
        };
    }
}
