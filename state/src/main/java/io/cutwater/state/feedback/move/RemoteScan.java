package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.EdgeScan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A pass over kept edges in tables in other tasks. It asks for some buckets ahead and hands them over in their order,
 * so the edges come in the same order whatever the number of tasks.
 */
final class RemoteScan implements EdgeScan {
    private static final int BUCKETS_AHEAD = 4;

    /** The edges of a bucket that have come. */
    private static final class Bucket {
        private final long request;
        private final Deque<EdgeBatch> edges = new ArrayDeque<>();
        private boolean isComplete;

        Bucket(long request) {
            this.request = request;
        }
    }

    private final TableRequests requests;
    private final Deque<Bucket> ahead = new ArrayDeque<>();
    private int nextBucket;

    RemoteScan(TableRequests requests) {
        this.requests = requests;
    }

    @Override
    public EdgeBatch next(BooleanSupplier mayGoOn) {
        ask();
        while (!ahead.isEmpty()) {
            EdgeBatch edges = ahead.element().edges.poll();
            if (edges != null) {
                return edges;
            }
            if (!ahead.element().isComplete) {
                break;
            }
            ahead.remove();
            ask();
        }
        return new EdgeBatch(1);
    }

    private void ask() {
        if (!requests.isReady()) {
            return;
        }
        if (nextBucket == 0) {
            requests.flush();
        }
        while (nextBucket < requests.buckets() && ahead.size() < BUCKETS_AHEAD) {
            Bucket bucket = new Bucket(requests.next());
            ahead.add(bucket);
            requests.askAll(nextBucket++, bucket.request);
        }
    }

    /** Takes a reply, if it is one to this scan. */
    void replied(Views reply) {
        for (Bucket bucket : ahead) {
            if (bucket.request == reply.request()) {
                bucket.isComplete = reply.copies().isEmpty();
                if (!bucket.isComplete) {
                    bucket.edges.add(reply.copies());
                }
            }
        }
    }

    @Override
    public void close() {
        nextBucket = requests.buckets();
        ahead.clear(); // replies that are still under way find no bucket
    }

    @Override
    public boolean isOver() {
        return nextBucket == requests.buckets() && ahead.isEmpty();
    }
}
