package io.cutwater.flink.connector.output;

import java.io.Serializable;
import java.util.Map;

/**
 * Options of re-partitioning in a running job.
 *
 * @param commandsFrom first offset by topic partition of the commands that it takes
 * @param ownBudget edges that it may move by itself in a round, as a share of all; 0 for none, at most 1
 */
public record ControlOptions(Map<Integer, Long> commandsFrom, double ownBudget) implements Serializable {
    public ControlOptions {
        commandsFrom = Map.copyOf(commandsFrom);
    }
}
