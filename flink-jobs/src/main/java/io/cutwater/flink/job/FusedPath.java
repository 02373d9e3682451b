package io.cutwater.flink.job;

import io.cutwater.flink.operator.AssignEdgesOperator;
import io.cutwater.flink.operator.AssignOptions;
import io.cutwater.flink.stream.PartitionStreams;
import io.cutwater.flink.stream.ShardBatch;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** One assigner that holds the vertex table: no lookups, no loop. */
final class FusedPath {
    private static final int ONE_KEY = 0;

    private FusedPath() {}

    static PartitionStreams define(DataStream<EdgeBatch> edges, AssignOptions options) {
        SingleOutputStreamOperator<ShardBatch> shards = edges
                // All state belongs to the one assigner, which sets the key of each access itself.
                .keyBy(batch -> ONE_KEY, Types.INT)
                .transform("assign edges", StreamType.SHARD_BATCH, new AssignEdgesOperator(options))
                .uid("assign-edges")
                .setParallelism(1);
        return new PartitionStreams(
                shards,
                shards.getSideOutput(AssignEdgesOperator.BOOK_CHANGES),
                shards.getSideOutput(AssignEdgesOperator.FINAL_BOOK),
                shards.getSideOutput(AssignEdgesOperator.DEAD_LETTERS),
                shards.getSideOutput(AssignEdgesOperator.QUALITY));
    }
}
