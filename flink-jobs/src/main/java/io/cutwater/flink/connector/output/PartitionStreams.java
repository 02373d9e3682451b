package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a partitioning job.
 *
 * @param shards placed edges, by shard
 * @param bookChanges vertices whose replicas changed, from the tasks that hold the vertices and from others
 * @param finalBook every vertex, when a bounded input has ended
 * @param deadLetters malformed records
 * @param quality reports, about one a second, and a last one at the end
 * @param plans status of re-partitionings; empty if the job takes no commands
 * @param shardVertices data of the vertices of each shard, or null if the job does not read topic {@code vertices}
 * @param texts batches with the texts of new vertices, or null if ids are integers
 */
public record PartitionStreams(
        SingleOutputStreamOperator<ShardBatch> shards,
        List<DataStream<VertexBatch>> bookChanges,
        DataStream<VertexBatch> finalBook,
        DataStream<RejectedRecord> deadLetters,
        DataStream<JobQuality> quality,
        DataStream<RepartitionStatus> plans,
        @Nullable DataStream<ShardVertices> shardVertices,
        @Nullable DataStream<EdgeBatch> texts) {
    /** Creates outputs without vertex data and texts. */
    public PartitionStreams(
            SingleOutputStreamOperator<ShardBatch> shards,
            List<DataStream<VertexBatch>> bookChanges,
            DataStream<VertexBatch> finalBook,
            DataStream<RejectedRecord> deadLetters,
            DataStream<JobQuality> quality,
            DataStream<RepartitionStatus> plans) {
        this(shards, bookChanges, finalBook, deadLetters, quality, plans, null, null);
    }

    /** Returns these outputs with the texts of new vertices. */
    public PartitionStreams withTexts(DataStream<EdgeBatch> edges) {
        return new PartitionStreams(shards, bookChanges, finalBook, deadLetters, quality, plans, shardVertices, edges);
    }

    /**
     * Returns these outputs with vertex data.
     *
     * @param rejected malformed records of topic {@code vertices}
     */
    public PartitionStreams withVertices(DataStream<ShardVertices> vertices, DataStream<RejectedRecord> rejected) {
        return new PartitionStreams(
                shards, bookChanges, finalBook, deadLetters.union(rejected), quality, plans, vertices, texts);
    }
}
