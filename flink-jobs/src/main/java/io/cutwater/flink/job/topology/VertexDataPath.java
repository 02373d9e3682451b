package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.source.VertexTopicSource;
import io.cutwater.flink.operator.VertexDataOperator;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.flink.types.shard.VertexReplicas;
import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.Collector;

/** The part of the job graph that sends the data of topic {@code vertices} to the shards that hold each vertex. */
final class VertexDataPath {
    private VertexDataPath() {}

    /**
     * Adds the source and the operator, in as many tasks as hold the vertices.
     *
     * @param removesVertices whether the assigner removes vertices, whose data are then forgotten
     */
    static PartitionStreams define(PartitionStreams streams, TopicOutputOptions topics, boolean removesVertices) {
        int tasks = streams.bookChanges().get(0).getParallelism();
        DataStream<VertexReplicas> replicas = streams.bookChanges().stream()
                .map(VertexDataPath::replicas)
                .reduce(DataStream::union)
                .orElseThrow();
        DataStream<VertexEvent> described =
                VertexTopicSource.read(streams.shards().getExecutionEnvironment(), topics);
        DataStream<VertexEvent> events = removesVertices
                ? described.union(streams.shards().getSideOutput(AssignerOperator.FORGOTTEN))
                : described;
        SingleOutputStreamOperator<ShardVertices> vertices = replicas.keyBy(VertexReplicas::vertex, Types.LONG)
                .connect(events.keyBy(VertexEvent::vertex, Types.LONG))
                .transform(OperatorId.VERTEX_DATA.name(), ShardVertices.TYPE, new VertexDataOperator())
                .uid(OperatorId.VERTEX_DATA.uid())
                .setParallelism(tasks);
        return streams.withVertices(vertices, vertices.getSideOutput(VertexDataOperator.DEAD_LETTERS));
    }

    private static DataStream<VertexReplicas> replicas(DataStream<VertexBatch> bookChanges) {
        return bookChanges
                .flatMap(new BookReplicas())
                .name("changed replicas")
                .returns(VertexReplicas.TYPE)
                .setParallelism(bookChanges.getParallelism());
    }

    /** Returns the rows of the book one by one, of vertices whose replicas changed. */
    private static final class BookReplicas implements FlatMapFunction<VertexBatch, VertexReplicas> {
        private static final long serialVersionUID = 1;

        @Override
        public void flatMap(VertexBatch rows, Collector<VertexReplicas> out) {
            for (int i = 0; i < rows.size(); i++) {
                if (rows.isDegreeOnly(i)) {
                    continue;
                }
                int[] partitions = Arrays.copyOfRange(rows.replicas(), rows.replicasFrom(i), rows.replicasFrom(i + 1));
                out.collect(new VertexReplicas(rows.vertex(i), partitions));
            }
        }
    }
}
