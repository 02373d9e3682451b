package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one batch or several to one bucket, sent from an assigner to a vertex table. Sequence 0 announces that
 * the assigner sends nothing more to this bucket: the vertices are the assigner's lineages, and their degrees the last
 * sequence of each. Sequence −1 tells the requesting operator that a batch is placed: the run is that of the operator,
 * the lineage is the batch's number, and the destination is that of bucket 0.
 *
 * @param run of the receiving table; a table ignores updates of other runs
 * @param assigner number of the sender, 0 to A − 1
 * @param lineage series that the sequence belongs to; a lineage outlives its assigner
 * @param sequence 1, 2, 3 … in each lineage and bucket, for ever
 * @param added the vertices with the partitions that they are on now and were not before, one entry for each, and with
 *     their master; degrees are 0, but see above. Not changed any more
 * @param records from the only assigner, which writes whole records back: the bytes of each vertex in {@code added},
 *     which says nothing else of it, and null for a vertex that is gone; otherwise null
 * @param edges what happened to kept edges, see {@link io.cutwater.state.feedback.bucket.BucketEdges#apply}; null if
 *     none are kept
 */
public record VertexUpdate(
        long run,
        int assigner,
        long lineage,
        int bucket,
        long sequence,
        VertexBatch added,
        byte @Nullable [] @Nullable [] records,
        @Nullable EdgeBatch edges) {
    private static final long END = 0;
    private static final long PLACED = -1;

    /** An update of a job that keeps no edges. */
    public VertexUpdate(
            long run,
            int assigner,
            long lineage,
            int bucket,
            long sequence,
            VertexBatch added,
            byte @Nullable [] @Nullable [] records) {
        this(run, assigner, lineage, bucket, sequence, added, records, null);
    }

    /** An update that has no records. */
    public VertexUpdate(long run, int assigner, long lineage, int bucket, long sequence, VertexBatch added) {
        this(run, assigner, lineage, bucket, sequence, added, null, null);
    }

    /** @param lineages all that the assigner has */
    static VertexUpdate end(long run, int assigner, int bucket, List<Lineage> lineages) {
        VertexBatch sent = new VertexBatch(lineages.size());
        for (Lineage lineage : lineages) {
            sent.add(lineage.id(), lineage.lastSequence(bucket), VertexTable.NO_MASTER);
        }
        return new VertexUpdate(run, assigner, 0, bucket, END, sent);
    }

    static VertexUpdate placed(NumberedBatch batch) {
        return new VertexUpdate(batch.run(), batch.assigner(), batch.number(), 0, PLACED, new VertexBatch(0));
    }

    public boolean isPlaced() {
        return sequence == PLACED;
    }

    /** The number of the batch that is placed. */
    public long placedBatch() {
        return lineage;
    }

    public boolean isEnd() {
        return sequence == END;
    }

    /** Returns an update with this header and other vertices. */
    VertexUpdate with(VertexBatch vertices, byte @Nullable [] @Nullable [] ofVertices) {
        return new VertexUpdate(run, assigner, lineage, bucket, sequence, vertices, ofVertices, edges);
    }

    VertexUpdate inRun(long newRun, int newAssigner) {
        return new VertexUpdate(newRun, newAssigner, lineage, bucket, sequence, added, records, edges);
    }
}
