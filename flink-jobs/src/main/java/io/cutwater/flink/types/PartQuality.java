package io.cutwater.flink.types;

import io.cutwater.state.quality.Quality;

/**
 * What one task knows of the quality of an edge partitioning: an assigner the edges that it has placed, a vertex table
 * the replicas.
 *
 * @param part number of the task: assigners from 0, vertex tables behind them
 * @param isExact whether an assigner, being the only one ever, knows vertices and replicas as well
 * @param pass as {@link JobQuality#pass()}
 * @param progress as {@link JobQuality#progress()}
 */
public record PartQuality(int part, boolean isExact, Quality quality, int pass, long progress) {}
