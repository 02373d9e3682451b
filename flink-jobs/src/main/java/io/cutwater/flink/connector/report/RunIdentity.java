package io.cutwater.flink.connector.report;

import java.io.Serializable;

/**
 * Algorithm and seed of a run, as its reports show them.
 *
 * @param algorithm name of the partitioner
 */
public record RunIdentity(String algorithm, long seed) implements Serializable {}
