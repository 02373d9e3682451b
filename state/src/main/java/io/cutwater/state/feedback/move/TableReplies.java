package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Replies of a task that holds the vertices and kept edges of a range of buckets to the requests of the assigner. What
 * moves need is sent at once, all kept edges of a bucket in time slices ({@link #scan}).
 */
public final class TableReplies {
    private final VertexTable vertices;
    private final BucketEdges edges;
    private final IntFunction<long[]> verticesOf;
    private final int firstBucket;
    private final long run;
    private final long[] last;
    private final Deque<Scan> scans = new ArrayDeque<>();
    private final Views views = new Views();

    /** A pass over the kept edges of a bucket. */
    private static final class Scan {
        private final VertexUpdate request;
        private final long[] vertices;
        private int next;

        Scan(VertexUpdate request, long[] vertices) {
            this.request = request;
            this.vertices = vertices;
        }
    }

    /**
     * @param verticesOf lists the vertices of a bucket that are in the store of the table
     * @param firstBucket the first of the buckets
     * @param buckets how many there are
     * @param run that of the table, see {@link io.cutwater.state.feedback.BucketTable}
     */
    public TableReplies(
            VertexTable vertices,
            BucketEdges edges,
            IntFunction<long[]> verticesOf,
            int firstBucket,
            int buckets,
            long run) {
        this.vertices = vertices;
        this.edges = edges;
        this.verticesOf = verticesOf;
        this.firstBucket = firstBucket;
        this.run = run;
        last = new long[buckets];
    }

    /**
     * Replies to a request, unless it is for another attempt or another table, or came before.
     *
     * @param answers receives the reply and must be done with it when it returns
     */
    public void reply(VertexUpdate request, Consumer<Views> answers) {
        int i = request.bucket() - firstBucket;
        if (i < 0 || i >= last.length || request.run() != run || request.request() <= last[i]) {
            return;
        }
        last[i] = request.request();
        if (request.wantsAll()) {
            vertices.flush();
            scans.add(new Scan(request, verticesOf.apply(request.bucket())));
            return;
        }
        begin(request);
        VertexBatch wanted = request.added();
        long[] ids = new long[wanted.size()];
        for (int vertex = 0; vertex < ids.length; vertex++) {
            ids[vertex] = wanted.vertex(vertex);
        }
        vertices.expect(ids, ids.length);
        for (long vertex : ids) {
            int slot = vertices.slot(vertex);
            int at = views.addRecord();
            RecordExchange.copy(vertices, slot, views.records(), at);
            RecordExchange.forgetIfEmpty(vertices, slot);
        }
        edges.movable(Objects.requireNonNull(request.edges()), views.copies());
        answers.accept(views);
    }

    private void begin(VertexUpdate request) {
        int stride = vertices.layout().stride();
        views.reset(Views.replyTo(request.request()), request.assigner(), request.bucket(), run, stride);
    }

    /** Returns whether an assigner waits for kept edges. */
    public boolean isScanning() {
        return !scans.isEmpty();
    }

    /** Sends a reply that has a batch of edges, and begins the next one: the edges of a hub need several. */
    private void sendFull(VertexUpdate request, Consumer<Views> answers) {
        if (views.copies().size() >= EdgeBatch.DEFAULT_CAPACITY) {
            answers.accept(views);
            begin(request);
        }
    }

    /**
     * Sends kept edges to an assigner that has asked for them, for one time slice; returns whether there are more. A
     * reply has at most a batch of edges, and the copies of one more edge.
     *
     * @param answers receives the replies and must be done with each when it returns
     */
    public boolean scan(BooleanSupplier hasTime, Consumer<Views> answers) {
        while (isScanning() && hasTime.getAsBoolean()) {
            Scan scan = scans.element();
            boolean isOver = scan.next == scan.vertices.length;
            begin(scan.request);
            while (scan.next < scan.vertices.length
                    && views.copies().size() < EdgeBatch.DEFAULT_CAPACITY
                    && hasTime.getAsBoolean()) {
                edges.outgoing(scan.vertices[scan.next++], views.copies(), () -> sendFull(scan.request, answers));
            }
            if (isOver) {
                scans.remove();
            }
            if (isOver || !views.copies().isEmpty()) {
                answers.accept(views);
            }
        }
        return isScanning();
    }
}
