package io.cutwater.kafka.registry;

/** A registry gives no answer now, or not to this client; a later request may succeed. The message is for users. */
public final class RegistryUnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    RegistryUnavailableException(String message) {
        super(message);
    }
}
