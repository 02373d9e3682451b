package io.cutwater.deploy.page;

import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;

/**
 * What a page shows.
 *
 * @param clientProperties further properties of Kafka clients; they may contain passwords
 * @param topics topics of the graph
 * @param history how far back the page reads, positive
 * @param imbalance allowed excess of the fullest partition over the average, at least 0: the job's {@code --imbalance},
 *     for the line of the cap
 */
public record PageRequest(
        String bootstrapServers,
        Map<String, String> clientProperties,
        Topics topics,
        Duration history,
        double imbalance) {
    public PageRequest {
        clientProperties = Map.copyOf(clientProperties);
        if (history.isNegative() || history.isZero()) {
            throw new IllegalArgumentException("history must be positive: " + history);
        }
        if (!(imbalance >= 0 && imbalance < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("imbalance must be finite and at least 0: " + imbalance);
        }
    }

    /** Describes the request without the values of the client properties, which may be secret. */
    @Override
    public String toString() {
        return "topics '%s*' at %s with %s".formatted(topics.prefix(), bootstrapServers, clientProperties.keySet());
    }
}
