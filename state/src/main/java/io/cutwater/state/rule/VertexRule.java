package io.cutwater.state.rule;

/**
 * Chooses the owner of a vertex of an edge stream, once and for all, from the neighbours that are known when it must.
 * The number of vertices and edges that will come is unknown, so that capacities come from what has an owner so far.
 */
public non-sealed interface VertexRule extends LiveRule {
    /** How many edges may wait because an end has no owner yet, so that more is known when it gets one. */
    int windowSize();

    /** Whether vertices without an owner have a home, a partition to which their neighbours draw them. */
    default boolean hasHomes() {
        return false;
    }

    /** What a neighbour counts that has an owner. */
    default int ownerWeight() {
        return 1;
    }

    /** What a neighbour counts on its home that has no owner yet. */
    default int homeWeight() {
        return 0;
    }

    /**
     * The owner of a vertex.
     *
     * @param vertex its id
     * @param degree ends of edges known at it
     * @param counts its neighbours by partition, weighted
     * @param loads of the partitions that are open: those below their {@link OwnerLoads#partitionCount}, mostly all
     * @return one of them
     */
    int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads);
}
