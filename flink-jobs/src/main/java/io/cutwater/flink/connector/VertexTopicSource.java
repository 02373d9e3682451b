package io.cutwater.flink.connector;

import io.cutwater.flink.stream.StreamType;
import io.cutwater.flink.stream.VertexEvent;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Topic {@code vertices} from its beginning and without an end; the records of a vertex in order. */
public final class VertexTopicSource {
    private static final String DISCOVERY_MILLIS = "10000";

    private VertexTopicSource() {}

    /** @param options of the cluster that the job writes to; the topic is read where that goes */
    public static DataStream<VertexEvent> read(StreamExecutionEnvironment env, TopicOutputOptions options) {
        Properties properties = new Properties();
        properties.putAll(options.properties());
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.setProperty(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_MILLIS);
        String topic = options.topics().vertices();
        KafkaSource<VertexEvent> source = KafkaSource.<VertexEvent>builder()
                .setBootstrapServers(options.bootstrapServers())
                .setTopics(topic)
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setDeserializer(new VertexEventDeserializer())
                .setProperties(properties)
                .build();
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "topic " + topic, StreamType.VERTEX_EVENT)
                .uid("vertex-topic")
                .setParallelism(1);
    }
}
