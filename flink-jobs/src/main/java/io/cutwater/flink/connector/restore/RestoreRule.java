package io.cutwater.flink.connector.restore;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the job that reads and writes the topics, and what a source may do when it is restored and its topic has
 * changed.
 *
 * @param run of the job, the same for all its attempts; a loss is accepted for the state of another run only, so that a
 *     later loss is an error again
 * @param ownerTopic topic of claims; null if the job claims no topics
 * @param acceptsLoss whether to continue where records are lost
 * @param acceptsNewTopic whether to continue in another topic of the same name, from its beginning
 * @param isIdempotent whether records may be missed or read twice; then everything is accepted
 */
public record RestoreRule(
        String run, @Nullable String ownerTopic, boolean acceptsLoss, boolean acceptsNewTopic, boolean isIdempotent)
        implements Serializable {
    /** Accepts nothing. */
    public static final RestoreRule STRICT = new RestoreRule("", null, false, false, false);

    /** Returns this rule for records that may be missed or read twice. */
    public RestoreRule idempotent() {
        return new RestoreRule(run, ownerTopic, acceptsLoss, acceptsNewTopic, true);
    }

    public boolean takesLoss(String stateOfRun) {
        return isIdempotent || acceptsLoss && !stateOfRun.equals(run);
    }

    public boolean takesNewTopic(String stateOfRun) {
        return isIdempotent || acceptsNewTopic && !stateOfRun.equals(run);
    }
}
