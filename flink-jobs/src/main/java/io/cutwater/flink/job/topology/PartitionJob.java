package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.bulk.BulkSources;
import io.cutwater.flink.connector.feedback.LoopTopic;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.ControlOptions;
import io.cutwater.flink.connector.output.FolderOutput;
import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.report.LiveReportSink;
import io.cutwater.flink.connector.source.CommandTopicSource;
import io.cutwater.flink.connector.source.EdgeSources;
import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import java.util.function.UnaryOperator;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

/** The partitioning job: reads edges, places them and writes shards. */
public final class PartitionJob {
    private PartitionJob() {}

    /** Adds the requested topology behind the edges, and returns its outputs. */
    public static PartitionStreams define(DataStream<EdgeBatch> edges, PartitionRequest request) {
        return define(edges, request, UnaryOperator.identity());
    }

    private static PartitionStreams define(
            DataStream<EdgeBatch> edges, PartitionRequest request, UnaryOperator<UpdateSource> between) {
        TopicOutputOptions topics = request.output().topics();
        DistributedOptions distributed = request.distributed();
        ControlOptions control = topics == null ? null : topics.control();
        DataStream<AssignerMessage> commands =
                topics == null || control == null ? noCommands(edges) : commands(edges, topics, control);
        PartitionStreams streams;
        double ownBudget = control == null ? 0 : control.ownBudget();
        if (distributed == null) {
            DataStream<AssignerMessage> messages = topics == null || control == null
                    ? commands
                    : AssignerPath.afterTables(
                            commands, new Topics(topics.topicPrefix()).vertexUpdates(), request.assigner());
            streams = AssignerPath.overOwnState(edges, messages, request.assigner(), ownBudget);
        } else {
            LoopTopic loop = new LoopTopic(distributed.loop());
            UpdateSource source = between.apply(loop);
            DataStream<EdgeBatch> resolved =
                    request.assigner().removesVertices() ? EdgeSources.removingVertices(edges, source) : edges;
            streams = AssignerPath.overTables(
                    resolved, commands, request.assigner(), distributed.spread(), ownBudget, loop, source);
        }
        boolean isBounded = request.input() instanceof EdgeInput.Net; // the texts are read before the job
        if (request.input().textIds() != null && !isBounded) {
            streams = streams.withTexts(edges);
        }
        return topics == null || !topics.readsVertices()
                ? streams
                : VertexDataPath.define(streams, topics, request.assigner().removesVertices());
    }

    private static DataStream<AssignerMessage> commands(
            DataStream<EdgeBatch> edges, TopicOutputOptions topics, ControlOptions control) {
        return CommandTopicSource.read(edges.getExecutionEnvironment(), topics, control.commandsFrom())
                .map((CommandEvent event) -> AssignerMessage.of(event))
                .returns(AssignerMessage.TYPE)
                .name("commands")
                .setParallelism(1);
    }

    /** Returns an empty stream that ends with the edges. */
    static DataStream<AssignerMessage> noCommands(DataStream<EdgeBatch> edges) {
        return edges.flatMap((EdgeBatch batch, Collector<AssignerMessage> out) -> {})
                .returns(AssignerMessage.TYPE)
                .name("no commands")
                .setParallelism(1);
    }

    /** Returns the edges of the input; with their places if a bulk run decides them first. */
    public static DataStream<EdgeBatch> read(StreamExecutionEnvironment env, PartitionRequest request) {
        if (request.isBulk()) {
            return BulkSources.read(env, request.input(), request.bulkOptions(), request.bulk());
        }
        return BulkSources.isNet(request.input())
                ? BulkSources.readNet(env, request.input(), request.passes())
                : EdgeSources.read(env, request.input(), request.passes());
    }

    /** Adds the whole job graph of a request. */
    public static void build(StreamExecutionEnvironment env, PartitionRequest request) {
        build(env, request, UnaryOperator.identity());
    }

    /** @param between changes how the messages of the loop are read */
    static void build(StreamExecutionEnvironment env, PartitionRequest request, UnaryOperator<UpdateSource> between) {
        if (request.assigner().keepsEdges()) {
            env.configure(StateSettings.ofKeptEdges());
        }
        PartitionStreams streams = define(read(env, request), request, between);
        JobOutput output = request.output();
        if (output.staging() != null) {
            FolderOutput.attach(streams, output.staging(), request.partitioner().partitionCount());
        }
        if (output.topics() != null) {
            TopicOutput.attach(streams, output.topics(), request.identity());
        }
        if (output.liveReport() != null) {
            LiveReportSink.attach(streams.quality(), output.liveReport(), request.identity());
        }
    }
}
