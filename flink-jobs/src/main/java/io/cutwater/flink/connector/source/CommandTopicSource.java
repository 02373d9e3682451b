package io.cutwater.flink.connector.source;

import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.topic.TopicSource;
import io.cutwater.flink.connector.topic.TopicSourceOptions;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.message.CommandEvent;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Unbounded source of topic {@code commands}. */
public final class CommandTopicSource {
    private CommandTopicSource() {}

    /**
     * @param options of the cluster that the job writes to; the topic is read on the same cluster
     * @param from first offset by topic partition: earlier commands were meant for other jobs
     */
    public static DataStream<CommandEvent> read(
            StreamExecutionEnvironment env, TopicOutputOptions options, Map<Integer, Long> from) {
        String topic = options.topics().commands();
        // The state knows which commands are done, so a command that is read again is not executed again.
        TopicSource<CommandEvent> source = TopicSource.live(
                new TopicSourceOptions(
                        options.bootstrapServers(),
                        topic,
                        from,
                        options.properties(),
                        options.rule().idempotent()),
                new CommandDeserializer());
        OperatorId id = OperatorId.commandTopic(topic);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), id.name(), CommandEvent.TYPE)
                .uid(id.uid())
                .setParallelism(1);
    }
}
