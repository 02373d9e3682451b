package io.cutwater.flink.connector;

import io.cutwater.flink.stream.CommandEvent;
import io.cutwater.flink.stream.StreamType;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;

/** Topic {@code commands} without an end. */
public final class CommandTopicSource {
    private CommandTopicSource() {}

    /**
     * @param options of the cluster that the job writes to; the topic is read where that goes
     * @param from first offset by topic partition: what is before it was meant for others
     */
    public static DataStream<CommandEvent> read(
            StreamExecutionEnvironment env, TopicOutputOptions options, Map<Integer, Long> from) {
        Properties properties = new Properties();
        properties.putAll(options.properties());
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        String topic = options.topics().commands();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        from.forEach((partition, offset) -> offsets.put(new TopicPartition(topic, partition), offset));
        KafkaSource<CommandEvent> source = KafkaSource.<CommandEvent>builder()
                .setBootstrapServers(options.bootstrapServers())
                .setTopics(topic)
                .setStartingOffsets(new NamedOffsets(offsets))
                .setDeserializer(new CommandDeserializer())
                .setProperties(properties)
                .build();
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "topic " + topic, StreamType.COMMAND_EVENT)
                .uid("command-topic")
                .setParallelism(1);
    }
}
