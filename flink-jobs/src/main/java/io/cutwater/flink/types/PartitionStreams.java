package io.cutwater.flink.types;

import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.live.RepartitionStatus;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of a partitioning job.
 *
 * @param shards placed edges, by shard
 * @param bookChanges vertices whose replicas changed
 * @param finalBook every vertex, when a bounded input has ended
 * @param deadLetters what was no edge
 * @param quality reports, about one a second, and a last one at the end
 * @param shardVertices what the shards learn of their vertices, null if the job does not read that
 * @param plans how re-partitionings stand, null if the job takes no commands
 */
public record PartitionStreams(
        DataStream<ShardBatch> shards,
        DataStream<VertexBatch> bookChanges,
        DataStream<VertexBatch> finalBook,
        DataStream<RejectedRecord> deadLetters,
        DataStream<JobQuality> quality,
        @Nullable DataStream<ShardVertices> shardVertices,
        @Nullable DataStream<RepartitionStatus> plans) {
    /** Without what is known of vertices, and without commands. */
    public PartitionStreams(
            DataStream<ShardBatch> shards,
            DataStream<VertexBatch> bookChanges,
            DataStream<VertexBatch> finalBook,
            DataStream<RejectedRecord> deadLetters,
            DataStream<JobQuality> quality) {
        this(shards, bookChanges, finalBook, deadLetters, quality, null, null);
    }

    /**
     * The same with what is known of vertices.
     *
     * @param rejected records that should have told of vertices
     */
    public PartitionStreams withVertices(DataStream<ShardVertices> vertices, DataStream<RejectedRecord> rejected) {
        return new PartitionStreams(
                shards, bookChanges, finalBook, deadLetters.union(rejected), quality, vertices, plans);
    }

    /** The same with how re-partitionings stand. */
    public PartitionStreams withPlans(DataStream<RepartitionStatus> statuses) {
        return new PartitionStreams(shards, bookChanges, finalBook, deadLetters, quality, shardVertices, statuses);
    }

    /**
     * The same with how re-partitionings stand.
     *
     * @param rejected records that should have been commands
     */
    public PartitionStreams withPlans(DataStream<RepartitionStatus> statuses, DataStream<RejectedRecord> rejected) {
        return new PartitionStreams(
                shards, bookChanges, finalBook, deadLetters.union(rejected), quality, shardVertices, statuses);
    }
}
