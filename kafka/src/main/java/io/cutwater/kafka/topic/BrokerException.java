package io.cutwater.kafka.topic;

import org.jspecify.annotations.Nullable;

/** Kafka did not do what it was asked for; the message is one sentence for the user: what failed where, what to do. */
public class BrokerException extends RuntimeException {
    public BrokerException(String message) {
        super(message);
    }

    public BrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
