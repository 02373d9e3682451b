package io.cutwater.flink.connector.restore;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A failure that no restart from the same state can fix, so it ends the job. */
public final class FinalFailure {
    private FinalFailure() {}

    /** @param sentence what is wrong, and what to do */
    public static SuppressRestartsException of(String sentence) {
        return new SuppressRestartsException(new IllegalStateException(sentence));
    }
}
