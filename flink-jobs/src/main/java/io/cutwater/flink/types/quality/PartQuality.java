package io.cutwater.flink.types.quality;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.quality.Quality;

/**
 * The part of the quality that one task knows: an assigner knows the edges that it has placed, a vertex table the
 * replicas.
 *
 * @param part number of the task: assigners from 0, then the vertex tables
 * @param isExact whether an assigner, having always been the only one, knows the whole quality
 * @param pass as {@link JobQuality#pass()}
 * @param progress as {@link JobQuality#progress()}
 * @param unknownRemovals as {@link JobQuality#unknownRemovals()}, of an assigner
 */
public record PartQuality(int part, boolean isExact, Quality quality, int pass, long progress, long unknownRemovals) {
    public static final StreamType<PartQuality> TYPE =
            new StreamType<>(PartQuality.class, PartQualitySerializer.INSTANCE);
}
