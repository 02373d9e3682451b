package io.cutwater.flink.connector.source;

import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.topic.TopicSource;
import io.cutwater.flink.connector.topic.TopicSourceOptions;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.graph.VertexEvent;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Unbounded source of topic {@code vertices} from its beginning; the records of a vertex come in order. */
public final class VertexTopicSource {
    private VertexTopicSource() {}

    /** @param options of the cluster that the job writes to; the topic is read on the same cluster */
    public static DataStream<VertexEvent> read(StreamExecutionEnvironment env, TopicOutputOptions options) {
        String topic = options.topics().vertices();
        TopicSource<VertexEvent> source = TopicSource.live(
                new TopicSourceOptions(
                        options.bootstrapServers(), topic, Map.of(), options.properties(), options.rule()),
                new VertexEventDeserializer());
        OperatorId id = OperatorId.vertexTopic(topic);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), id.name(), VertexEvent.TYPE)
                .uid(id.uid())
                .setParallelism(1);
    }
}
