package io.cutwater.state.joint;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.passes.EdgeCounts;

/**
 * Vertices that already have owners, and keep them, while owners of other vertices are chosen together. Some of the
 * others may have an owner, too, which the choice may change.
 *
 * @param counts edges of each of the other vertices to those that a partition owns
 * @param degrees sum of these counts for each of them
 * @param owned vertices that each partition owns
 * @param volumes sum of their degrees, buffered edges included
 * @param present owner of each of the other vertices, −1 for none; empty if none has one
 * @param edgesPerVertex buffered edges for each vertex that has no owner
 * @param size of the graph so far: all vertices and edges, the buffered ones included
 */
public record EarlierOwners(
        EdgeCounts counts,
        int[] degrees,
        long[] owned,
        long[] volumes,
        int[] present,
        double edgesPerVertex,
        GraphSize size) {}
