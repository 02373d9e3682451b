package io.cutwater.flink.stream;

import java.io.Serializable;

/**
 * What a run calls itself in its reports.
 *
 * @param algorithm name of the partitioner
 * @param kind {@code edge} or {@code vertex}
 */
public record RunIdentity(String algorithm, String kind, long seed) implements Serializable {}
