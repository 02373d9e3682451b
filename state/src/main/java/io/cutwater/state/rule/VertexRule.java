package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.table.VertexLayout;

/**
 * Chooses the owner of a vertex of an edge stream, once, from the neighbours that are known at that time. The size of
 * the stream is unknown, so capacities follow from the vertices that have an owner so far.
 */
@PublicApi
public non-sealed interface VertexRule extends LiveRule {
    /** Returns how many edges may be buffered because an endpoint has no owner yet. */
    int windowSize();

    /** Returns whether vertices without an owner have a home, the partition that their neighbours prefer. */
    default boolean hasHomes() {
        return false;
    }

    @Override
    default VertexLayout layout(int partitionCount) {
        VertexLayout layout = new VertexLayout(partitionCount, false);
        return hasHomes() ? layout.withHomes() : layout;
    }

    /** Returns 0: a rule gives owners while it reads. */
    @Override
    default int preparationPasses() {
        return 0;
    }

    /** Returns the weight of a neighbour that has an owner. */
    default int ownerWeight() {
        return 1;
    }

    /** Returns the weight of a neighbour that has a home and no owner. */
    default int homeWeight() {
        return 0;
    }

    /**
     * Returns whether a vertex may move to a partition later because more of its neighbours are there. By default none
     * may: a vertex keeps its owner.
     *
     * @param partition an open one
     * @param degree of the vertex
     * @param loads of the open partitions
     */
    default boolean takesMoved(int partition, long degree, OwnerLoads loads) {
        return false;
    }

    /**
     * Returns the owner of a vertex.
     *
     * @param vertex id of the vertex
     * @param degree known endpoints of edges at the vertex
     * @param counts weighted neighbours by partition
     * @param loads of the open partitions, which are all of them unless the job is being resized
     * @return an open partition, 0 to {@code loads.partitionCount()} − 1
     */
    int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads);
}
