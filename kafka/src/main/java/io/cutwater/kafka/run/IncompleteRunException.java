package io.cutwater.kafka.run;

import io.cutwater.kafka.topic.BrokerException;

/** The shards on a topic are those of a run that has not come to its end. The message is one sentence. */
public final class IncompleteRunException extends BrokerException {
    private static final long serialVersionUID = 1;

    private final boolean mayEnd;

    /** @param mayEnd whether the run may still be under way */
    public IncompleteRunException(String message, boolean mayEnd) {
        super(message);
        this.mayEnd = mayEnd;
    }

    /** Whether the run may still be under way. */
    public boolean mayEnd() {
        return mayEnd;
    }
}
