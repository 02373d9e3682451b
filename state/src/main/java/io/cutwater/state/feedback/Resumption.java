package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import java.util.List;

/**
 * What an assigner goes on with. One assigner may write whole records where several send changes, and count the edges
 * that it buffers where they do not. So after a change between the two the tables first get everything that is left of
 * before, and correct the degrees of the vertices of buffered edges.
 *
 * @param lineages to continue, at least one; the first takes the new updates
 * @param catchesUp whether the tables wait until all assigners have sent again what earlier attempts have left
 * @param asksForRecords whether the only assigner goes on with what several have left: before it starts
 *     ({@link ViewJoin.Output#started}), the tables send the records of the vertices of buffered edges
 * @param buffered the buffered edges of a checkpoint from before such a change; else empty
 * @param degreeChange what each end of such an edge adds to a degree from now on: −1, 0 or 1
 */
public record Resumption(
        List<Lineage> lineages, boolean catchesUp, boolean asksForRecords, EdgeBatch buffered, int degreeChange) {
    /** Creates one of an assigner that sends what those before it did. */
    public static Resumption of(List<Lineage> lineages, boolean catchesUp) {
        return new Resumption(lineages, catchesUp, false, new EdgeBatch(1), 0);
    }

    /**
     * Returns what the buffered edges add to the degree of each vertex.
     *
     * @param vertices all of these edges
     */
    long[] degreeChanges(VertexSet vertices) {
        long[] changes = new long[vertices.size()];
        for (int i = 0; i < buffered.size(); i++) {
            changes[vertices.find(buffered.source(i))] += degreeChange;
            changes[vertices.find(buffered.target(i))] += degreeChange;
        }
        return changes;
    }
}
