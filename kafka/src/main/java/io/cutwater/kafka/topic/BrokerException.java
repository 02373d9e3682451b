package io.cutwater.kafka.topic;

import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/** Kafka did not do what was requested; the message tells the user what failed where, and what to do. */
public class BrokerException extends RuntimeException {
    public BrokerException(String message) {
        super(message);
    }

    public BrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns whether the broker does not allow the user what was requested. */
    public boolean isDenied() {
        return getCause() instanceof AuthorizationException;
    }
}
