package io.cutwater.flink.connector.transaction.fate;

import io.cutwater.flink.connector.restore.LostRecords;
import java.io.Serializable;
import java.util.Map;

/**
 * The topic that a sink writes in transactions.
 *
 * @param name of the topic after which the sink is called; it may write others in the same transaction
 * @param properties further settings of the Kafka clients, such as those of security
 * @param holdsEdges whether its records add edges to the graph, so that an error can say how many are missing
 */
public record SinkTopic(
        String name, String bootstrapServers, Map<String, String> properties, LostRecords lost, boolean holdsEdges)
        implements Serializable {
    public SinkTopic {
        properties = Map.copyOf(properties);
    }
}
