package io.cutwater.deploy.cluster.rest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a Flink cluster does not answer or refuses a request; the message is one sentence for users. */
public final class FlinkException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean isUnreachable;

    FlinkException(String message, boolean isUnreachable, @Nullable Throwable cause) {
        super(message, cause);
        this.isUnreachable = isUnreachable;
    }

    /** Returns whether nothing answers at the address. */
    public boolean isUnreachable() {
        return isUnreachable;
    }
}
