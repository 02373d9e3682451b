package io.cutwater.flink.job;

import io.cutwater.flink.operator.AssignEdgesOperator;
import io.cutwater.flink.operator.AssignOptions;
import io.cutwater.flink.types.CommandEvent;
import io.cutwater.flink.types.PartitionStreams;
import io.cutwater.flink.types.ShardBatch;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.jspecify.annotations.Nullable;

/** One assigner that holds the vertex table: no lookups, no loop. */
final class FusedPath {
    private static final int ONE_KEY = 0;

    private FusedPath() {}

    /**
     * @param commands what the job is told while it runs, null if it takes no commands
     * @param ownBudget edges that it may move by itself in a round, as a share of all; 0 for none
     */
    static PartitionStreams define(
            DataStream<EdgeBatch> edges,
            @Nullable DataStream<CommandEvent> commands,
            double ownBudget,
            AssignOptions options) {
        // All state belongs to the one assigner, which sets the key of each access itself.
        KeyedStream<EdgeBatch, Integer> keyed = edges.keyBy(batch -> ONE_KEY, Types.INT);
        AssignEdgesOperator operator = new AssignEdgesOperator(options, ownBudget);
        String name = "assign edges";
        SingleOutputStreamOperator<ShardBatch> shards = (commands == null
                        ? keyed.transform(name, StreamType.SHARD_BATCH, operator)
                        : keyed.connect(commands.keyBy(command -> ONE_KEY, Types.INT))
                                .transform(name, StreamType.SHARD_BATCH, operator))
                .uid("assign-edges")
                .setParallelism(1);
        PartitionStreams streams = new PartitionStreams(
                shards,
                shards.getSideOutput(AssignEdgesOperator.BOOK_CHANGES),
                shards.getSideOutput(AssignEdgesOperator.FINAL_BOOK),
                shards.getSideOutput(AssignEdgesOperator.DEAD_LETTERS),
                shards.getSideOutput(AssignEdgesOperator.QUALITY));
        return commands == null ? streams : streams.withPlans(shards.getSideOutput(AssignEdgesOperator.PLANS));
    }
}
