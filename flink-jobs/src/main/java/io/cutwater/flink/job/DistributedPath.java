package io.cutwater.flink.job;

import io.cutwater.flink.checkpoint.BucketKey;
import io.cutwater.flink.connector.LoopTopic;
import io.cutwater.flink.operator.AskViewsOperator;
import io.cutwater.flink.operator.AskViewsOperatorFactory;
import io.cutwater.flink.operator.AssignBatchesOperator;
import io.cutwater.flink.operator.AssignOptions;
import io.cutwater.flink.operator.SpreadOptions;
import io.cutwater.flink.operator.SumQualityOperator;
import io.cutwater.flink.operator.UpdateSource;
import io.cutwater.flink.operator.VertexTableOperator;
import io.cutwater.flink.operator.VertexTableOperatorFactory;
import io.cutwater.flink.types.PartitionStreams;
import io.cutwater.flink.types.ShardBatch;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Batches and lookups, P vertex tables, A assigners, and the loop from these back to the tables through a topic.
 *
 * <p>The vertex tables have the uid of the fused assigner, and its keyed state: a fused job that is resumed spread out
 * finds its vertices there.
 */
final class DistributedPath {
    /** Half-full buffers go on after this: batches wait for answers, which wait for lookups. */
    private static final long BUFFER_MILLIS = 5;

    private DistributedPath() {}

    static PartitionStreams define(DataStream<EdgeBatch> edges, AssignOptions options, DistributedOptions distributed) {
        LoopTopic loop = new LoopTopic(distributed.loop());
        return define(edges, options, distributed, loop, loop);
    }

    /** @param source where the tables read what {@code loop} has sent */
    static PartitionStreams define(
            DataStream<EdgeBatch> edges,
            AssignOptions options,
            DistributedOptions distributed,
            LoopTopic loop,
            UpdateSource source) {
        SpreadOptions spread = distributed.spread();
        SingleOutputStreamOperator<NumberedBatch> batches = edges.transform(
                        "ask for views",
                        StreamType.NUMBERED_BATCH,
                        new AskViewsOperatorFactory(options, spread, source))
                .uid("ask-views")
                .setParallelism(1)
                .setBufferTimeout(BUFFER_MILLIS);
        SingleOutputStreamOperator<Views> views = batches.getSideOutput(AskViewsOperator.LOOKUPS)
                .keyBy(new BucketKey(spread.buckets()), Types.INT)
                .transform("vertex table", StreamType.VIEWS, new VertexTableOperatorFactory(options, spread, source))
                .uid("assign-edges")
                .setParallelism(spread.tables())
                .setMaxParallelism(spread.buckets())
                .setBufferTimeout(BUFFER_MILLIS);
        Partitioner<Integer> byNumber = (assigner, assigners) -> assigner;
        SingleOutputStreamOperator<ShardBatch> shards = batches.partitionCustom(byNumber, NumberedBatch::assigner)
                .connect(views.partitionCustom(byNumber, Views::assigner))
                .transform("assign batches", StreamType.SHARD_BATCH, new AssignBatchesOperator(options, spread))
                .uid("assign-batches")
                .setParallelism(spread.assigners());
        loop.attach(shards.getSideOutput(AssignBatchesOperator.UPDATES), spread.buckets(), spread.assigners());
        return new PartitionStreams(
                shards,
                views.getSideOutput(VertexTableOperator.BOOK_CHANGES),
                views.getSideOutput(VertexTableOperator.FINAL_BOOK),
                shards.getSideOutput(AssignBatchesOperator.DEAD_LETTERS),
                shards.getSideOutput(AssignBatchesOperator.PART_QUALITY)
                        .union(views.getSideOutput(VertexTableOperator.PART_QUALITY))
                        .transform("sum quality", StreamType.JOB_QUALITY, new SumQualityOperator(options, spread))
                        .uid("sum-quality")
                        .setParallelism(1));
    }
}
