package io.cutwater.trainer.launch;

import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;

/**
 * The topics over which the coordinator and the workers of a training exchange messages. One coordinator at a time uses
 * the topics of a prefix: starting a coordinator ends the one before it.
 *
 * @param bootstrapServers addresses of Kafka brokers
 * @param clientProperties further properties of Kafka clients, such as TLS settings; they may contain passwords
 * @param workerTimeout time without a message after which the coordinator removes a worker, at least 2 s
 */
public record TrainingTopics(
        String bootstrapServers, Map<String, String> clientProperties, Topics topics, Duration workerTimeout) {
    /** Twice the interval of the workers' heartbeats. */
    private static final Duration MIN_TIMEOUT = Duration.ofSeconds(2);

    public TrainingTopics {
        clientProperties = Map.copyOf(clientProperties);
        if (workerTimeout.compareTo(MIN_TIMEOUT) < 0) {
            throw new IllegalArgumentException(
                    "--worker-timeout must be at least 2 s because workers send a heartbeat every second, but was %d ms"
                            .formatted(workerTimeout.toMillis()));
        }
    }

    /** Describes the topics without the values of the client properties, which may be secret. */
    @Override
    public String toString() {
        return "%s at %s with %s".formatted(topics.models(), bootstrapServers, clientProperties.keySet());
    }
}
