package io.cutwater.deploy.cluster.rest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A Flink cluster does not answer, or refuses what it is asked; the message is one sentence. */
public final class FlinkException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean isUnreachable;

    FlinkException(String message, boolean isUnreachable, @Nullable Throwable cause) {
        super(message, cause);
        this.isUnreachable = isUnreachable;
    }

    /** Whether nothing answers at the address. */
    public boolean isUnreachable() {
        return isUnreachable;
    }
}
