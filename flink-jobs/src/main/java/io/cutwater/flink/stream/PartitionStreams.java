package io.cutwater.flink.stream;

import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What comes out of a partitioning job.
 *
 * @param shards placed edges, by shard
 * @param bookChanges vertices whose replicas changed
 * @param finalBook every vertex, when a bounded input has ended
 * @param deadLetters what was no edge
 * @param quality reports, about one a second, and a last one at the end
 */
public record PartitionStreams(
        DataStream<ShardBatch> shards,
        DataStream<VertexBatch> bookChanges,
        DataStream<VertexBatch> finalBook,
        DataStream<RejectedRecord> deadLetters,
        DataStream<JobQuality> quality) {}
