package io.cutwater.flink.operator;

import io.cutwater.state.algorithm.BulkAlgorithms;
import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.EdgeAssigner;
import io.cutwater.state.placement.RecordingPartitioner;
import io.cutwater.state.placement.StreamAssigner;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.KeptEdges;
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
record JobAssigner(StreamAssigner stream, LongFunction<Quality> quality) {

    /** The columns that are needed of each vertex. */
    static VertexLayout layout(AssignOptions options) {
        PartitionerOptions partitioner = options.partitioner();
        VertexLayout layout = options.kind() == PartitioningKind.VERTEX
                ? LiveVertexAssigner.layout(partitioner)
                : ofEdges(partitioner).layout(partitioner.partitionCount());
        return options.keepsEdges() ? layout.withCounts() : layout;
    }

    /**
     * One over tables, of the layout above, that are empty or come from a checkpoint.
     *
     * @param kept null if no edges are kept
     */
    static JobAssigner over(
            AssignOptions options, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        if (options.kind() == PartitioningKind.VERTEX) {
            LiveVertexAssigner assigner = LiveVertexAssigner.of(options.partitioner(), vertices, loads, kept);
            return new JobAssigner(assigner, assigner::quality);
        }
        EdgePartitioner partitioner = ofEdges(options.partitioner());
        return new JobAssigner(
                new EdgeAssigner(partitioner, vertices, loads, kept), deadLetters -> Quality.of(loads, deadLetters));
    }

    private static EdgePartitioner ofEdges(PartitionerOptions options) {
        return BulkAlgorithms.runs(PartitioningKind.EDGE, options)
                ? new RecordingPartitioner()
                : EdgePartitioners.create(options);
    }
}
