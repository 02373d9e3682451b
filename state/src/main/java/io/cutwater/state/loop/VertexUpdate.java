package io.cutwater.state.loop;

import io.cutwater.state.graph.VertexBatch;

/**
 * What one batch has changed in one bucket, on its way round the loop; or, with sequence 0, the word that the assigner
 * will send nothing more to this bucket.
 *
 * @param run of the table that it is meant for; a table ignores those of other runs
 * @param assigner who sends it, 0 to A − 1
 * @param lineage series that the sequence belongs to; a lineage outlives its assigner
 * @param sequence 1, 2, 3 … in each lineage and bucket, for ever
 * @param added the vertices with the partitions that they are on now and were not before, and with their master if they
 *     had none; degrees are 0. Not changed any more
 */
public record VertexUpdate(long run, int assigner, long lineage, int bucket, long sequence, VertexBatch added) {
    private static final long END = 0;

    static VertexUpdate end(long run, int assigner, int bucket) {
        return new VertexUpdate(run, assigner, 0, bucket, END, new VertexBatch(0));
    }

    public boolean isEnd() {
        return sequence == END;
    }

    VertexUpdate inRun(long newRun, int newAssigner) {
        return new VertexUpdate(newRun, newAssigner, lineage, bucket, sequence, added);
    }
}
