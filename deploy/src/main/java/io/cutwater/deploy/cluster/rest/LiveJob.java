package io.cutwater.deploy.cluster.rest;

import java.time.Instant;
import java.util.Map;

/**
 * A live job as a Flink cluster knows it.
 *
 * @param state in Flink's words, such as RUNNING, RESTARTING or FINISHED
 * @param restores how often it has continued from a checkpoint or savepoint
 * @param options with which it was submitted, by name
 */
public record LiveJob(String id, String name, String state, Instant start, long restores, Map<String, String> options) {
    /** Returns whether it has reached its final state. */
    public boolean hasEnded() {
        return hasEnded(state);
    }

    static boolean hasEnded(String state) {
        return switch (state) {
            case "FINISHED", "FAILED", "CANCELED", "SUSPENDED" -> true;
            default -> false;
        };
    }
}
