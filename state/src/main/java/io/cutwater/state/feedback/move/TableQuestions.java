package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.BitSet;

/** What moves need of the tables: records, which it holds in the cache, and kept edges. One question at a time. */
final class TableQuestions {
    private final TableRequests requests;
    private final BitSet waiting = new BitSet();
    private long request;

    TableQuestions(TableRequests requests) {
        this.requests = requests;
    }

    /**
     * Asks the tables of all buckets concerned.
     *
     * @param vertices that are held; the records of those that the cache lacks are asked for
     * @param edges see {@link io.cutwater.state.feedback.bucket.BucketEdges#movable}
     */
    void ask(VertexSet vertices, EdgeBatch edges) {
        request = requests.next();
        int buckets = requests.buckets();
        VertexBatch[] records = new VertexBatch[buckets];
        EdgeBatch[] rows = new EdgeBatch[buckets];
        for (int i = 0; i < edges.size(); i++) {
            int bucket = Hashing.bucket(edges.source(i), buckets);
            if (rows[bucket] == null) {
                rows[bucket] = new EdgeBatch(8);
                waiting.set(bucket);
            }
            rows[bucket].addFrom(edges, i);
        }
        for (int i = 0; i < vertices.size(); i++) {
            long vertex = vertices.vertex(i);
            if (requests.hold(vertex)) {
                int bucket = Hashing.bucket(vertex, buckets);
                if (records[bucket] == null) {
                    records[bucket] = new VertexBatch(8);
                    waiting.set(bucket);
                }
                records[bucket].add(vertex, 0, VertexTable.NO_MASTER);
            }
        }
        for (int bucket = waiting.nextSetBit(0); bucket >= 0; bucket = waiting.nextSetBit(bucket + 1)) {
            requests.askMovable(
                    bucket,
                    request,
                    records[bucket] == null ? new VertexBatch(0) : records[bucket],
                    rows[bucket] == null ? new EdgeBatch(1) : rows[bucket]);
        }
    }

    /** Takes down a reply; returns whether it is one to the question. */
    boolean answered(Views reply) {
        if (reply.request() != request || !waiting.get(reply.bucket())) {
            return false;
        }
        waiting.clear(reply.bucket());
        return true;
    }

    /** Returns whether a table has not answered yet. */
    boolean areOpen() {
        return !waiting.isEmpty();
    }

    /** Waits for nothing any more. */
    void drop() {
        waiting.clear();
    }
}
