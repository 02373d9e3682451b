package io.cutwater.flink.operator.assigner;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.placement.StreamAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What places the edges of a job, of either kind of partitioning.
 *
 * @param quality how the partitioning stands, by the number of dead letters
 */
public record JobAssigner(StreamAssigner stream, LongFunction<Quality> quality) {

    /** The columns that are needed of each vertex. */
    public static VertexLayout layout(AssignOptions options) {
        VertexLayout layout = algorithm(options).layout(options.partitioner());
        return options.keepsEdges() ? layout.withCounts() : layout;
    }

    /**
     * One over tables, of the layout above, that are empty or come from a checkpoint.
     *
     * @param kept null if no edges are kept
     */
    public static JobAssigner over(
            AssignOptions options, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        StreamAssigner assigner = algorithm(options).assigner(options.partitioner(), vertices, loads, kept);
        return new JobAssigner(assigner, assigner::quality);
    }

    private static Algorithm algorithm(AssignOptions options) {
        return Algorithms.get(options.kind(), options.partitioner().algorithm());
    }
}
