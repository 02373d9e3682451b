package io.cutwater.flink.connector.topic;

import io.cutwater.flink.connector.restore.RestoreRule;
import java.io.Serializable;
import java.util.Map;

/**
 * The topic that a source reads.
 *
 * @param from first offset by topic partition; the others start at their beginnings
 * @param properties further settings of the Kafka client, such as those of security
 * @param rule what the source may do when it is restored
 */
public record TopicSourceOptions(
        String bootstrapServers, String name, Map<Integer, Long> from, Map<String, String> properties, RestoreRule rule)
        implements Serializable {
    public TopicSourceOptions {
        from = Map.copyOf(from);
        properties = Map.copyOf(properties);
    }
}
