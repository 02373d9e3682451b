package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.BucketOrder;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.VertexBatch;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The updates of an assigner: groups what is gathered by bucket, numbers it and sends it, and after a restart sends
 * again what the tables do not have.
 */
final class UpdateSender {
    /** The changes of an assigner: what is to be sent, and what is sent and not confirmed. */
    sealed interface Changes permits ReplicaChanges, WriteBack {
        /** Loads the record of a vertex that the cache lacked when it was asked for, with what is newer here. */
        void load(long[] views, int at);

        /** Adds what other assigners have changed of a vertex, if the cache has it. */
        void hear(long[] views, int at);

        /**
         * Removes vertices from the cache.
         *
         * @param unconfirmed the updates that are not confirmed
         */
        void evict(long[] evicted, ViewJoin.Output output, Iterable<VertexUpdate> unconfirmed);

        /** Returns whether all that is gathered must be sent before {@link #evict}. */
        boolean areSentBefore(long[] evicted);

        /** Gathers all changes of the vertices in the cache. */
        void gatherAll();

        /** Returns the number of vertices with gathered changes, one for each change. */
        int gathered();

        /** Returns the vertex of a gathered change. */
        long vertex(int i);

        /** Returns the size of a gathered change, if it is not small. */
        int bytes(int i);

        /**
         * Returns an update of some gathered changes, which are unconfirmed from now on.
         *
         * @param header an update without vertices
         * @param gatheredAt numbers of changes by position
         * @param from, to positions from {@code from} to before {@code to} are meant
         */
        VertexUpdate update(VertexUpdate header, int[] gatheredAt, int from, int to);

        /** Empties what is gathered. */
        void clear();

        /** Takes over an unconfirmed update of an earlier attempt. */
        void await(VertexUpdate update);

        /** Takes down that a vertex has lost its owner, which unconfirmed updates may name. */
        default void forgetOwner(long vertex) {}

        /** Takes down that a table has an update. */
        void confirm(VertexUpdate update);

        /** Returns the number of vertices with unconfirmed changes. */
        int unconfirmedVertices();

        /** Returns the kept edges, whose changes are sent along; null if none are kept. */
        @Nullable RemoteEdges edges();

        /** Takes down that the cache is laid out for another number of partitions; nothing is gathered. */
        void layOut();

        /** Returns whether the tables count edges of several assigners. */
        boolean areEdgesShared();

        /** Returns whether an update is of the form that this assigner sends; else it awaits nothing of it. */
        boolean isOwn(VertexUpdate update);
    }

    /** Bytes of an update's records, or of its edges. */
    private static final int MAX_UPDATE_BYTES = 128 << 10;
    /** Two ids, weight, timestamp and place. */
    private static final int EDGE_BYTES = 4 * Long.BYTES + Short.BYTES;

    private static final VertexBatch NOTHING = new VertexBatch(0);

    private final int number;
    private final Changes changes;
    private final List<Lineage> lineages;
    private final ViewJoin.Output output;
    private final boolean[] isGreeted;
    private final long[] runs;
    private final BucketOrder vertexOrder;
    private final BucketOrder edgeOrder;
    private int greeted;
    private long unconfirmed;

    /** @param lineages to continue, at least one; the first takes the new updates */
    UpdateSender(int number, Changes changes, int buckets, List<Lineage> lineages, ViewJoin.Output output) {
        this.number = number;
        this.changes = changes;
        this.lineages = List.copyOf(lineages);
        this.output = output;
        isGreeted = new boolean[buckets];
        runs = new long[buckets];
        vertexOrder = new BucketOrder(buckets);
        edgeOrder = new BucketOrder(buckets);
        for (Lineage lineage : lineages) {
            for (VertexUpdate update : lineage.unconfirmed()) {
                if (changes.isOwn(update)) {
                    changes.await(update);
                }
                unconfirmed++;
            }
        }
    }

    /** Handles the greeting of a bucket in a new run: unconfirmed updates are sent again before new ones. */
    void greet(Views greeting) {
        int bucket = greeting.bucket();
        if (isGreeted[bucket]) {
            throw new IllegalStateException(
                    "bucket %d greets twice in one attempt; please report this as a defect".formatted(bucket));
        }
        isGreeted[bucket] = true;
        greeted++;
        runs[bucket] = greeting.run();
        for (Lineage lineage : lineages) {
            long confirmed = greeting.confirmedOf(lineage.id());
            if (confirmed > lineage.lastSequence(bucket)) {
                throw new IllegalStateException(
                        ("bucket %d has update %d of lineage %x, which has sent %d only: vertex table and assigners are"
                                        + " not of the same checkpoint")
                                .formatted(bucket, confirmed, lineage.id(), lineage.lastSequence(bucket)));
            }
            prune(lineage, bucket, confirmed);
            for (VertexUpdate update : lineage.unconfirmed(bucket)) {
                output.publish(update.inRun(greeting.run(), number));
            }
        }
    }

    /**
     * Tells every bucket that what earlier attempts have left is sent.
     *
     * @param asksForRecords see {@link VertexUpdate#caughtUp}
     * @param vertices at which edges are buffered
     * @param degreeChanges what is to be added to the degree of each
     */
    void catchUp(boolean asksForRecords, VertexSet vertices, long[] degreeChanges) {
        vertexOrder.forEachBucket(
                vertices.size(),
                vertices::vertex,
                degreeChanges,
                (bucket, own, changes) -> output.publish(
                        VertexUpdate.caughtUp(runs[bucket], number, bucket, asksForRecords, own, changes)));
    }

    /** Returns whether every bucket has greeted: before, its run is not known. */
    boolean isReady() {
        return greeted == runs.length;
    }

    /** Returns the buckets that have greeted. */
    int greeted() {
        return greeted;
    }

    int buckets() {
        return runs.length;
    }

    /** Takes down which updates an answer has in it. */
    void confirm(Views views) {
        for (int i = 0; i < views.lineageCount(); i++) {
            for (Lineage lineage : lineages) {
                if (lineage.id() == views.lineage(i)) {
                    prune(lineage, views.confirmedBucket(i), views.confirmed(i));
                }
            }
        }
    }

    /** Removes vertices from the cache. */
    void evict(long[] evicted) {
        changes.evict(
                evicted,
                output,
                () -> lineages.stream()
                        .flatMap(lineage -> lineage.unconfirmed().stream())
                        .filter(changes::isOwn)
                        .iterator());
    }

    private void prune(Lineage lineage, int bucket, long confirmed) {
        Deque<VertexUpdate> updates = lineage.unconfirmed(bucket);
        while (!updates.isEmpty() && updates.element().sequence() <= confirmed) {
            VertexUpdate update = updates.remove();
            if (changes.isOwn(update)) {
                changes.confirm(update);
            }
            unconfirmed--;
        }
    }

    /** Publishes the changes that are gathered, each bucket's in an update, or in several of bounded size. */
    void send() {
        RemoteEdges edges = changes.edges();
        int size = changes.gathered();
        if (size == 0 && (edges == null || edges.gathered() == 0)) {
            return;
        }
        vertexOrder.sort(size, i -> Hashing.bucket(changes.vertex(i), runs.length));
        if (edges != null) {
            edges.sort(edgeOrder);
        }
        for (int bucket = 0; bucket < runs.length; bucket++) {
            int from = vertexOrder.start(bucket);
            int edgesFrom = edgeOrder.start(bucket);
            while (from < vertexOrder.start(bucket + 1) || edgesFrom < edgeOrder.start(bucket + 1)) {
                int to = from;
                for (int bytes = 0; to < vertexOrder.start(bucket + 1) && bytes < MAX_UPDATE_BYTES; to++) {
                    bytes += changes.bytes(vertexOrder.at(to));
                }
                int edgesTo = Math.min(edgeOrder.start(bucket + 1), edgesFrom + MAX_UPDATE_BYTES / EDGE_BYTES);
                publish(bucket, from, to, edges == null ? null : edges.changes(edgeOrder, edgesFrom, edgesTo));
                from = to;
                edgesFrom = edgesTo;
            }
        }
        changes.clear();
        if (edges != null) {
            edges.clear();
        }
    }

    private void publish(int bucket, int from, int to, @Nullable EdgeBatch edges) {
        Lineage lineage = lineages.get(0);
        long sequence = lineage.nextSequence(bucket);
        VertexUpdate header =
                new VertexUpdate(runs[bucket], number, lineage.id(), bucket, sequence, NOTHING, null, edges, null);
        VertexUpdate update = changes.update(header, vertexOrder.order(), from, to);
        lineage.unconfirmed(bucket).add(update);
        unconfirmed++;
        output.publish(update);
    }

    /** Asks the table of a bucket for records and for copies of edges that are about to move. */
    void askMovable(int bucket, long request, VertexBatch wanted, EdgeBatch edges) {
        output.publish(VertexUpdate.movable(runs[bucket], number, bucket, request, wanted, edges));
    }

    /** Asks the table of a bucket for a step of a plan. */
    void askPlan(int bucket, long request, VertexUpdate.PlanStep step, long[] plan) {
        output.publish(VertexUpdate.plan(runs[bucket], number, bucket, request, step, plan));
    }

    /** Tells all assigners something, by way of the table of bucket 0. */
    void order(long request, long[] words) {
        output.publish(VertexUpdate.order(runs[0], number, request, words));
    }

    /** Tells the table of bucket 0 the loads of this assigner. */
    void tellLoads(long[] ranks) {
        output.publish(VertexUpdate.loads(runs[0], number, ranks));
    }

    /** Tells the table of a bucket how an order is carried out. */
    void answer(int bucket, long request, long[] words) {
        output.publish(VertexUpdate.answer(runs[bucket], number, bucket, request, words));
    }

    /** Returns the first bucket of each table; each has a run of its own. */
    int[] firstBuckets() {
        return IntStream.range(0, runs.length)
                .filter(bucket -> bucket == 0 || runs[bucket] != runs[bucket - 1])
                .toArray();
    }

    /** Returns the changes of kept edges that the table of a bucket does not confirm with some news, in order. */
    List<EdgeBatch> unconfirmedEdges(int bucket, Views news) {
        List<EdgeBatch> changed = new ArrayList<>();
        for (Lineage lineage : lineages) {
            long confirmed = news.confirmedOf(lineage.id(), bucket);
            for (VertexUpdate update : lineage.unconfirmed(bucket)) {
                if (update.sequence() > confirmed && update.edges() != null) {
                    changed.add(update.edges());
                }
            }
        }
        return changed;
    }

    /** Tells the tables that the owners of some vertices are forgotten here; goes behind what was sent before. */
    void release(VertexBatch vertices, long[] questions) {
        vertexOrder.forEachBucket(vertices.size(), vertices::vertex, questions, (bucket, own, answered) -> {
            if (!own.isEmpty()) {
                output.publish(VertexUpdate.release(runs[bucket], number, bucket, own, answered));
            }
        });
    }

    /** Tells every bucket that nothing more is sent. */
    void end() {
        for (int bucket = 0; bucket < runs.length; bucket++) {
            output.publish(VertexUpdate.end(runs[bucket], number, bucket, lineages));
        }
    }

    /** Returns the lineage in use, and those that were taken over while the table lacks some of them. */
    List<Lineage> lineages() {
        return lineages.stream()
                .filter(lineage ->
                        lineage == lineages.get(0) || !lineage.unconfirmed().isEmpty())
                .toList();
    }

    long unconfirmed() {
        return unconfirmed;
    }
}
