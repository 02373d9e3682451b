package io.cutwater.flink.connector;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which job it is that reads and writes the topics, and what a source may do when it is restored and its topic is not
 * as it was left.
 *
 * @param run of the job, told by all its attempts; what is accepted is accepted of the state of another run only, so
 *     that a later loss is an error again
 * @param ownerTopic in which the runs of jobs claim the topics; null if nobody does
 * @param acceptsLoss whether it goes on where records are lost
 * @param acceptsNewTopic whether it goes on in another topic of the same name, from its beginning
 * @param isIdempotent whether records may be missed or read twice; then everything is accepted
 */
public record RestoreRule(
        String run, @Nullable String ownerTopic, boolean acceptsLoss, boolean acceptsNewTopic, boolean isIdempotent)
        implements Serializable {
    /** Nothing is accepted. */
    public static final RestoreRule STRICT = new RestoreRule("", null, false, false, false);

    /** For records that may be missed or read twice. */
    RestoreRule idempotent() {
        return new RestoreRule(run, ownerTopic, acceptsLoss, acceptsNewTopic, true);
    }

    boolean takesLoss(String stateOfRun) {
        return isIdempotent || acceptsLoss && !stateOfRun.equals(run);
    }

    boolean takesNewTopic(String stateOfRun) {
        return isIdempotent || acceptsNewTopic && !stateOfRun.equals(run);
    }
}
