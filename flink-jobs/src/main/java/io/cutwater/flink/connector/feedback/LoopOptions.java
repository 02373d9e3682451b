package io.cutwater.flink.connector.feedback;

import java.io.Serializable;
import java.util.Map;

/**
 * The topic that carries updates from the assigners to the vertex tables.
 *
 * @param topic may be shared: tables accept only the updates of their own run and skip the rest
 * @param properties further settings of the Kafka client, such as those of security
 */
public record LoopOptions(String bootstrapServers, String topic, Map<String, String> properties)
        implements Serializable {
    public LoopOptions {
        properties = Map.copyOf(properties);
    }
}
