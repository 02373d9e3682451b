package io.cutwater.flink.stream;

/**
 * What one task knows of the quality: an assigner the edges that it has placed, a vertex table the replicas.
 *
 * @param part number of the task: assigners from 0, vertex tables behind them
 * @param isExact whether an assigner, being the only one ever, knows vertices and replicas as well
 */
public record PartQuality(int part, boolean isExact, JobQuality quality) {}
