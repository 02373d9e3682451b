package io.cutwater.flink.job;

import io.cutwater.flink.connector.CommandTopicSource;
import io.cutwater.flink.connector.EdgeSources;
import io.cutwater.flink.connector.FolderOutput;
import io.cutwater.flink.connector.LiveReportSink;
import io.cutwater.flink.connector.TopicOutput;
import io.cutwater.flink.connector.TopicOutputOptions;
import io.cutwater.flink.connector.bulk.BulkSources;
import io.cutwater.flink.types.CommandEvent;
import io.cutwater.flink.types.PartitionStreams;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** Edges in, partitioned shards out. */
public final class PartitionJob {
    private PartitionJob() {}

    /** The topology that the request asks for. */
    static PartitionStreams define(DataStream<EdgeBatch> edges, PartitionRequest request) {
        TopicOutputOptions topics = request.topics();
        PartitionStreams streams = request.distributed() == null
                ? FusedPath.define(
                        edges,
                        commands(edges.getExecutionEnvironment(), topics),
                        topics == null || topics.control() == null
                                ? 0
                                : topics.control().ownBudget(),
                        request.assignOptions())
                : spread(edges, request, request.distributed());
        return topics == null || !topics.readsVertices() ? streams : VertexDataPath.define(streams, topics);
    }

    private static PartitionStreams spread(
            DataStream<EdgeBatch> edges, PartitionRequest request, DistributedOptions distributed) {
        PartitionStreams streams = DistributedPath.define(edges, request.assignOptions(), distributed);
        DataStream<CommandEvent> commands = commands(edges.getExecutionEnvironment(), request.topics());
        return commands == null ? streams : RefusedCommands.define(streams, commands, request.partitionCount());
    }

    private static @Nullable DataStream<CommandEvent> commands(
            StreamExecutionEnvironment env, @Nullable TopicOutputOptions topics) {
        return topics == null || topics.control() == null
                ? null
                : CommandTopicSource.read(env, topics, topics.control().commandsFrom());
    }

    /** The edges of the input; with their places, if passes over all of them decide those first. */
    static DataStream<EdgeBatch> read(StreamExecutionEnvironment env, PartitionRequest request) {
        if (request.isBulk()) {
            return BulkSources.read(env, request.input(), request.kind(), request.bulkOptions());
        }
        return BulkSources.isNet(request.input())
                ? BulkSources.readNet(env, request.input(), request.passes())
                : EdgeSources.read(env, request.input(), request.passes());
    }

    /** Joins input, topology and outputs as a request asks. */
    public static void build(StreamExecutionEnvironment env, PartitionRequest request) {
        if (request.keepsEdges()) {
            env.configure(StateSettings.ofKeptEdges());
        }
        PartitionStreams streams = define(read(env, request), request);
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
