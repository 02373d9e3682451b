package io.cutwater.trainer.run;

import io.cutwater.kafka.topic.Topics;
import java.time.Duration;

/**
 * Where coordinator and workers of a training meet. One coordinator at a time may use the topics of a prefix.
 *
 * @param bootstrapServers of the Kafka brokers
 * @param silence after which the coordinator gives a worker up
 */
public record Meeting(String bootstrapServers, Topics topics, Duration silence) {
    /** A worker says every second that it is there. */
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(2);

    public Meeting {
        if (silence.compareTo(SHORTEST_SILENCE) < 0) {
            throw new IllegalArgumentException(
                    "--worker-silence must be at least 2s, for a worker says every second that it is there: %s"
                            .formatted(silence));
        }
    }
}
