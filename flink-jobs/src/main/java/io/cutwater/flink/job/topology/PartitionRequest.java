package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.bulk.PassParts;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.report.RunIdentity;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import org.jspecify.annotations.Nullable;

/**
 * Request of a partitioning job.
 *
 * @param input the edges
 * @param assigner the algorithm, and what its tasks hold; the book is published if there is an output to topics,
 *     whatever these options say
 * @param distributed options of the distributed topology; null for the fused one
 * @param bulk parts of the graph of a bounded input, or of a history, that bulk passes place at the same time
 */
public record PartitionRequest(
        EdgeInput input,
        AssignOptions assigner,
        @Nullable DistributedOptions distributed,
        JobOutput output,
        PassParts bulk) {
    /** A request whose bulk passes run in one thread. */
    public PartitionRequest(
            EdgeInput input, AssignOptions assigner, @Nullable DistributedOptions distributed, JobOutput output) {
        this(input, assigner, distributed, output, PassParts.inThreads(1));
    }

    public PartitionRequest {
        assigner = assigner.withBook(output.topics() != null);
    }

    /** Returns the number of passes of the algorithm over the stream. */
    public int passes() {
        return algorithm().streamRule(partitioner()).preparationPasses() + 1;
    }

    /** Returns whether the source places the edges in bulk passes, so that the job only writes the places. */
    public boolean isBulk() {
        return algorithm().isPlacedAsGraph(partitioner()) || input instanceof EdgeInput.Bootstrap;
    }

    /** Returns the bulk request for the source, if it places the edges. */
    PartitionerOptions bulkOptions() {
        return partitioner().passMode() == PassMode.BULK
                ? partitioner()
                : algorithm().beforeLive(partitioner());
    }

    private Algorithm algorithm() {
        return Algorithms.of(partitioner());
    }

    PartitionerOptions partitioner() {
        return assigner.partitioner();
    }

    public RunIdentity identity() {
        return new RunIdentity(partitioner().algorithm(), partitioner().seed());
    }
}
