package io.cutwater.kafka.topic;

import org.jspecify.annotations.Nullable;

/** The broker has no topic of that name. */
public final class TopicMissingException extends BrokerException {
    TopicMissingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
