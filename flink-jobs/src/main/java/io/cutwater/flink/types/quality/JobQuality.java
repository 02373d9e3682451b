package io.cutwater.flink.types.quality;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.quality.Quality;

/**
 * Quality of the partitioning so far, and progress of the job.
 *
 * @param quality of the edges placed so far
 * @param pass pass over the input that is running, from 0
 * @param progress how much of the input was read, over all passes: bytes of files or records of a topic
 * @param unknownRemovals number of removals of edges that were not there
 */
public record JobQuality(Quality quality, int pass, long progress, long unknownRemovals) {
    public static final StreamType<JobQuality> TYPE = new StreamType<>(JobQuality.class, JobQualitySerializer.INSTANCE);

    /** Creates the report of a job without removals. */
    public JobQuality(Quality quality, int pass, long progress) {
        this(quality, pass, progress, 0);
    }
}
