package io.cutwater.flink.job;

import io.cutwater.flink.connector.EdgeSources;
import io.cutwater.flink.connector.FolderOutput;
import io.cutwater.flink.connector.LiveReportSink;
import io.cutwater.flink.connector.TopicOutput;
import io.cutwater.flink.operator.AssignEdgesOperator;
import io.cutwater.flink.operator.AssignOptions;
import io.cutwater.flink.stream.PartitionStreams;
import io.cutwater.flink.stream.ShardBatch;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Edges in, partitioned shards out. */
public final class PartitionJob {
    private static final int ONE_KEY = 0;

    private PartitionJob() {}

    /** The whole topology of the fused path: one assigner that holds the vertex table. */
    public static PartitionStreams define(DataStream<EdgeBatch> edges, AssignOptions options) {
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

    /** Joins input, topology and outputs as a request asks. */
    public static void build(StreamExecutionEnvironment env, PartitionRequest request) {
        DataStream<EdgeBatch> edges = EdgeSources.read(env, request.input(), request.passes());
        PartitionStreams streams = define(edges, request.assignOptions());
        if (request.staging() != null) {
            FolderOutput.attach(streams, request.staging(), request.partitionCount());
        }
        if (request.topics() != null) {
            TopicOutput.attach(streams, request.topics(), request.identity());
        }
        if (request.liveReport() != null) {
            LiveReportSink.attach(streams.quality(), request.liveReport(), request.identity());
        }
    }
}
