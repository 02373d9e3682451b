package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;

/**
 * A batch on its way to an assigner.
 *
 * @param run of the requesting operator, random and new in every attempt
 * @param number from 1 in every attempt of the job, in the order of the input
 * @param assigner number of the assigner that places it, 0 to A − 1
 * @param answers how many {@link Views} belong to it; 0 if the assigner has all of its vertices, or in a preparation
 *     pass
 * @param evicted vertices that leave the assigner's cache before the batch is placed; not changed any more
 */
public record NumberedBatch(
        long run,
        long number,
        int assigner,
        int answers,
        EdgeBatch batch,
        @SuppressWarnings("ArrayRecordComponent") long[] evicted) {}
