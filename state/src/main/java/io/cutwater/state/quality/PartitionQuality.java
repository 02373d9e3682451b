package io.cutwater.state.quality;

/**
 * The counts of one partition in a {@link Quality}.
 *
 * @param partition 0 to k − 1
 * @param vertices vertices with at least one edge: those with a replica here (edge partitioning) or owned here (vertex
 *     partitioning)
 * @param volume sum of the degrees of the owned vertices; 0 in an edge partitioning, where no vertex is owned
 * @param halo distinct neighbours of the owned vertices that other partitions own; 0 in an edge partitioning
 * @param edges edges of the partition's shard; in a vertex partitioning a cut edge counts in both of its partitions
 */
public record PartitionQuality(int partition, long vertices, long volume, long halo, long edges) {
    /** Creates the counts of a partition of an edge partitioning. */
    public PartitionQuality(int partition, long vertices, long edges) {
        this(partition, vertices, 0, 0, edges);
    }

    /** Returns the vertices that the partition's shard holds, owned or not. */
    long copies() {
        return vertices + halo;
    }
}
