package io.cutwater.flink.connector;

import java.io.Serializable;
import java.util.Map;

/**
 * The topic that carries updates from the assigners to the vertex tables.
 *
 * @param topic of this job alone: its tables take what is of their own run, and read past the rest
 * @param properties more settings of the Kafka client, such as those of security
 */
public record LoopOptions(String bootstrapServers, String topic, Map<String, String> properties)
        implements Serializable {
    public LoopOptions {
        properties = Map.copyOf(properties);
    }
}
