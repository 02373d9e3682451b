package io.cutwater.kafka.topic;

import org.jspecify.annotations.Nullable;

/** No broker answers at the given address. */
public final class BrokerUnavailableException extends BrokerException {
    BrokerUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
