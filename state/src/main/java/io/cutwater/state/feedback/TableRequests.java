package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Requests of an assigner to the tables, beside the lookups of its batches: for kept edges, and for what moves of edges
 * need. They go the way of the updates, so the reply of a bucket has in it every update that was published before.
 * Nothing of them is in a checkpoint.
 */
public final class TableRequests {
    private final ViewJoin join;
    private final UpdateSender.Changes changes;
    private final UpdateSender updates;
    private final ViewJoin.Output output;
    private long last;
    private final SplittableRandom random = new SplittableRandom();

    TableRequests(ViewJoin join, UpdateSender.Changes changes, UpdateSender updates, ViewJoin.Output output) {
        this.join = join;
        this.changes = changes;
        this.updates = updates;
        this.output = output;
    }

    /** Returns whether every bucket has greeted, and the assigner has started: before, none takes a request. */
    public boolean isReady() {
        return join.isStarted();
    }

    /** Returns the number of buckets of the tables. */
    public int buckets() {
        return updates.buckets();
    }

    /** Returns the kept edges. */
    public RemoteEdges edges() {
        return Objects.requireNonNull(changes.edges(), "no edges are kept");
    }

    /** Publishes all changes, so that the next requests find every vertex. */
    public void flush() {
        join.flush();
    }

    /** Publishes the changes that are gathered, so that the next requests find every edge. */
    public void send() {
        join.send();
    }

    /** Returns a number for a plan that no other plan has had. */
    public long newPlan() {
        return random.nextLong();
    }

    /** Returns the number of another request. */
    public long next() {
        return ++last;
    }

    /** Returns whether the tables count edges, so that a move needs no records of vertices here. */
    public boolean areEdgesShared() {
        return changes.areEdgesShared();
    }

    private WriteBack writeBack() {
        if (changes instanceof WriteBack only) {
            return only;
        }
        throw new IllegalStateException(
                "one of several assigners holds no vertices for moves; please report this as a defect");
    }

    /**
     * Holds a vertex in the cache until {@link #release}, from now on or from when a reply brings it.
     *
     * @return whether its record must be asked for
     */
    public boolean hold(long vertex) {
        return writeBack().hold(vertex);
    }

    /** Returns the edges of a vertex that is held, 0 if it is gone. */
    public long degree(long vertex) {
        VertexTable cache = writeBack().cache();
        return RecordExchange.has(cache, vertex) ? cache.degree(cache.slot(vertex)) : 0;
    }

    /** Lets the held vertices leave the cache. */
    public void release() {
        if (changes instanceof WriteBack only) {
            only.releaseHeld(output);
        }
    }

    /**
     * Asks the table of a bucket for what moves need.
     *
     * @param request from {@link #next}; one to each bucket may have the same number
     * @param wanted vertices of the bucket whose records must be asked for
     * @param copies see {@link io.cutwater.state.feedback.bucket.BucketEdges#movable}; their sources are in the bucket
     */
    public void askMovable(int bucket, long request, VertexBatch wanted, EdgeBatch copies) {
        updates.askMovable(bucket, request, wanted, copies);
    }

    /**
     * Asks the table of a bucket for a step of a plan.
     *
     * @param plan see {@link io.cutwater.state.feedback.move.TablePlan}
     */
    public void askPlan(int bucket, long request, VertexUpdate.PlanStep step, long[] plan) {
        updates.askPlan(bucket, request, step, plan);
    }

    /** Tells all assigners something, in the order of the calls; see {@link VertexUpdate#isOrder}. */
    public void order(long[] words) {
        updates.order(next(), words);
    }

    /**
     * Tells the table of a bucket, behind all updates to it, how an order is carried out; see
     * {@link VertexUpdate#isAnswer}.
     */
    public void answer(int bucket, long request, long[] words) {
        updates.answer(bucket, request, words);
    }

    /** Returns the first bucket of each table, when all have greeted. */
    public int[] firstBuckets() {
        return updates.firstBuckets();
    }
}
