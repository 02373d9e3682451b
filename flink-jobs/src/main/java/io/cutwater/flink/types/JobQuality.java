package io.cutwater.flink.types;

import io.cutwater.state.quality.Quality;

/**
 * How the partitioning stands, and how far the job is.
 *
 * @param quality of what is placed so far
 * @param pass pass over the input that is running, from 0
 * @param progress how much of the input was read, over all passes: bytes of files or records of a topic
 * @param unknownRemovals how often an edge was to be taken away that was not there
 */
public record JobQuality(Quality quality, int pass, long progress, long unknownRemovals) {
    /** Of a job that takes no edge away. */
    public JobQuality(Quality quality, int pass, long progress) {
        this(quality, pass, progress, 0);
    }
}
