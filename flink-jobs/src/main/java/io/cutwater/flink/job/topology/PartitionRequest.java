package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.report.RunIdentity;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Request of a partitioning job.
 *
 * @param cacheBytes bound of the vertex table's memory
 * @param distributed options of the distributed topology; null for the fused one
 * @param staging staging area of the output folder; null for none
 * @param topics Kafka output; null for none
 * @param liveReport file that holds the latest report, null for none
 * @param waitLimit how long an edge may wait for others before it is placed; zero for no limit, in a bounded run
 * @param keepsEdges whether the state holds every edge, so that edges can be removed and moved
 */
public record PartitionRequest(
        EdgeInput input,
        PartitionerOptions partitioner,
        long cacheBytes,
        @Nullable DistributedOptions distributed,
        @Nullable Path staging,
        @Nullable TopicOutputOptions topics,
        @Nullable Path liveReport,
        Duration waitLimit,
        boolean keepsEdges) {
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

    /** A request that keeps no edges, without a limit to waiting. */
    public PartitionRequest(
            EdgeInput input,
            PartitionerOptions partitioner,
            long cacheBytes,
            @Nullable DistributedOptions distributed,
            @Nullable Path staging,
            @Nullable TopicOutputOptions topics,
            @Nullable Path liveReport) {
        this(input, partitioner, cacheBytes, distributed, staging, topics, liveReport, Duration.ZERO, false);
    }

    /** Returns the number of passes of the algorithm over the stream. */
    public int passes() {
        return algorithm().streamRule(partitioner).preparationPasses() + 1;
    }

    /** Returns whether the source places the edges in bulk passes, so that the job only writes the places. */
    public boolean isBulk() {
        return algorithm().isPlacedAsGraph(partitioner) || input instanceof EdgeInput.Bootstrap;
    }

    /** Returns the bulk request for the source, if it places the edges. */
    PartitionerOptions bulkOptions() {
        return partitioner.passMode() == PassMode.BULK
                ? partitioner
                : algorithm().beforeLive(partitioner);
    }

    private Algorithm algorithm() {
        return Algorithms.of(partitioner);
    }

    int partitionCount() {
        return partitioner.partitionCount();
    }

    AssignOptions assignOptions() {
        return new AssignOptions(partitioner, cacheBytes, topics != null, REPORT_INTERVAL, waitLimit, keepsEdges);
    }

    public RunIdentity identity() {
        return new RunIdentity(partitioner.algorithm(), partitioner.seed());
    }
}
