package io.cutwater.trainer.run;

import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;

/**
 * Where coordinator and workers of a training meet. Of a prefix one coordinator at a time uses the topics: the one that
 * was started last, and those before it end.
 *
 * @param bootstrapServers of the Kafka brokers
 * @param clientProperties further ones, such as those of TLS, with passwords among them
 * @param silence after which the coordinator gives a worker up
 */
public record Meeting(String bootstrapServers, Map<String, String> clientProperties, Topics topics, Duration silence) {
    /** A worker says every second that it is there. */
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(2);

    public Meeting {
        clientProperties = Map.copyOf(clientProperties);
        if (silence.compareTo(SHORTEST_SILENCE) < 0) {
            throw new IllegalArgumentException(
                    "--worker-silence must be at least 2s, for a worker says every second that it is there: %s"
                            .formatted(silence));
        }
    }

    /** Without the values of the client properties. */
    @Override
    public String toString() {
        return "%s at %s with %s".formatted(topics.models(), bootstrapServers, clientProperties.keySet());
    }
}
