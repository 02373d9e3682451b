package io.cutwater.kafka.run;

import io.cutwater.kafka.topic.BrokerException;

/** The shards on a topic belong to a run that is not complete. The message is meant for users. */
public final class IncompleteRunException extends BrokerException {
    private static final long serialVersionUID = 1;

    private final boolean mayEnd;

    /** @param mayEnd whether the run may still be running */
    IncompleteRunException(String message, boolean mayEnd) {
        super(message);
        this.mayEnd = mayEnd;
    }

    /** Returns whether the run may still be running. */
    public boolean mayEnd() {
        return mayEnd;
    }
}
