package io.cutwater.flink.types;

import java.io.Serializable;

/**
 * What a run calls itself in its reports.
 *
 * @param algorithm name of the partitioner
 */
public record RunIdentity(String algorithm, long seed) implements Serializable {}
