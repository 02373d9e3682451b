package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins batches with the views of those of their vertices that are not in the cache, in the order of their numbers, and
 * publishes what placing them changed. A vertex stays in the cache, the table over which the engine places edges, until
 * a batch says that it leaves ({@link NumberedBatch#evicted}). The assigner's own unconfirmed writes are laid over the
 * views, so that with one assigner the engine sees exactly what a single table would hold. With several, the tables
 * tell it what the others have changed.
 */
public final class ViewJoin {
    /** Receives the batches and the updates. */
    public interface Output {
        /** Counts a batch of a preparation pass, which no assigner observes. */
        void observed(EdgeBatch batch);

        /** Places the edges of a batch; the cache holds the records of its vertices. */
        void joined(EdgeBatch batch);

        /** Places the buffered edges, because no batch will come any more. */
        void exhausted();

        /** Returns the number of buffered edges. */
        int bufferedCount();

        /** Returns the buffered edges. */
        EdgeBatch buffered();

        /** Sends an update to the table, in the order given. */
        void publish(VertexUpdate update);
    }

    /** The changes of an assigner: what is to be sent, and what is sent and not confirmed. */
    sealed interface Changes permits ReplicaChanges, WriteBack {
        /** Loads the record of a vertex that the cache lacked when it was asked for, with what is newer here. */
        void load(long[] views, int at);

        /** Removes vertices from the cache. */
        void evict(long[] evicted, Output output);

        /** Returns whether all that is gathered must be sent before vertices leave the cache. */
        boolean areSentBeforeEviction();

        /** Gathers all changes of the vertices in the cache. */
        void gatherAll();

        /** Returns the number of changes that are gathered. */
        int gathered();

        /** Returns the vertex of a gathered change. */
        long vertex(int i);

        /** Returns the size of a gathered change, if it is not small. */
        int bytes(int i);

        /**
         * Returns an update of some gathered changes, which are unconfirmed from now on.
         *
         * @param header an update without vertices
         * @param gatheredAt numbers of changes, those from {@code from} to before {@code to} are meant
         */
        VertexUpdate update(VertexUpdate header, int[] gatheredAt, int from, int to);

        /** Empties what is gathered. */
        void clear();

        /** Takes over an unconfirmed update of an earlier attempt. */
        void await(VertexUpdate update);

        /** Takes down that a table has an update. */
        void confirm(VertexUpdate update);

        /** Returns the number of vertices with unconfirmed changes. */
        int unconfirmedVertices();
    }

    private static final class Join {
        private final List<Views> views = new ArrayList<>();
    }

    /** Bytes of the records of an update. */
    private static final int MAX_UPDATE_BYTES = 128 << 10;

    private static final VertexBatch NOTHING = new VertexBatch(0);

    /** Changes that one assigner gathers for an update, as nobody else needs them: in small records they cost more. */
    private static final int GATHERED = 4096;

    /** News that came while views waited for their batches, the last of which is {@code after}. */
    private record News(long after, Views views) {}

    private final int number;
    private final VertexLayout layout;
    private final VertexTable cache;
    private final Changes changes;
    private final int placingPass;
    private final List<Lineage> lineages;
    private final boolean hasPeers;
    private final Output output;

    private final boolean[] isGreeted;
    private final long[] runs;
    private int greeted;
    private final Deque<NumberedBatch> batches = new ArrayDeque<>();
    private final Map<Long, Join> joins = new HashMap<>();
    private final Deque<News> news = new ArrayDeque<>();
    private long lastViews;
    private long lastFinished;
    private boolean isBatchesEnd;
    private boolean isEnded;
    private long unconfirmed;

    private final int[] starts;
    private int[] byBucket = new int[0];

    /**
     * Creates the join of the only assigner, which writes whole records back and places or observes every edge itself.
     *
     * @param writeBack an empty cache, or with the vertices of the buffered edges
     * @param lineages lineages to continue, at least one; the first takes the new updates
     */
    public ViewJoin(WriteBack writeBack, int buckets, List<Lineage> lineages, Output output) {
        this(0, writeBack.cache(), writeBack, 0, buckets, lineages, false, output);
    }

    /**
     * Creates the join of one of several assigners, or of one whose rule changes nothing of a vertex but its replicas.
     *
     * @param number 0 to A − 1
     * @param cache an empty table without a store, over which the engine places edges
     * @param placingPass number of the first pass that places edges
     * @param lineages lineages to continue, at least one; the first takes the new updates
     * @param hasPeers whether other assigners place edges over the same tables: then what a batch changes is sent when
     *     it is placed, and the operator that asks for views is told; else changes are gathered until {@link #flush}
     */
    public ViewJoin(
            int number,
            VertexTable cache,
            int placingPass,
            int buckets,
            List<Lineage> lineages,
            boolean hasPeers,
            Output output) {
        this(number, cache, new ReplicaChanges(cache), placingPass, buckets, lineages, hasPeers, output);
    }

    private ViewJoin(
            int number,
            VertexTable cache,
            Changes changes,
            int placingPass,
            int buckets,
            List<Lineage> lineages,
            boolean hasPeers,
            Output output) {
        this.number = number;
        this.changes = changes;
        this.cache = cache;
        starts = new int[buckets + 1];
        this.placingPass = placingPass;
        this.output = output;
        this.lineages = List.copyOf(lineages);
        this.hasPeers = hasPeers;
        layout = cache.layout();
        isGreeted = new boolean[buckets];
        runs = new long[buckets];
        for (Lineage lineage : lineages) {
            for (VertexUpdate update : lineage.unconfirmed()) {
                changes.await(update);
                unconfirmed++;
            }
        }
    }

    /** Adds a batch; batches come in the order of their numbers. */
    public void onBatch(NumberedBatch batch) {
        batches.add(batch);
        proceed();
    }

    /** Adds an answer or a greeting and keeps it until its batch is placed. */
    public void onViews(Views views) {
        if (views.isGreeting()) {
            greet(views);
        } else if (views.isNews()) {
            if (lastViews > lastFinished) {
                // Views that wait may be older: they need the overlay, and the vertices may enter the cache with them.
                news.add(new News(lastViews, views));
            } else {
                hear(views);
            }
        } else {
            joins.computeIfAbsent(views.number(), number -> new Join()).views.add(views);
            lastViews = Math.max(lastViews, views.number());
        }
        proceed();
    }

    /** No batch will come any more: once all are placed, it tells the table so. */
    public void endBatches() {
        isBatchesEnd = true;
        proceed();
    }

    /** Handles the greeting of a bucket in a new run: unconfirmed updates are sent again before new ones. */
    private void greet(Views greeting) {
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

    private void prune(Lineage lineage, int bucket, long confirmed) {
        Deque<VertexUpdate> updates = lineage.unconfirmed(bucket);
        while (!updates.isEmpty() && updates.element().sequence() <= confirmed) {
            changes.confirm(updates.remove());
            unconfirmed--;
        }
    }

    private void proceed() {
        while (greeted == runs.length && !batches.isEmpty()) {
            NumberedBatch batch = batches.element();
            if (batch.answers() == 0) {
                // Of a preparation pass, or the cache has everything.
                finish(batch, new Join());
            } else {
                Join join = joins.get(batch.number());
                if (join == null || join.views.size() < batch.answers()) {
                    break;
                }
                joins.remove(batch.number());
                finish(batch, join);
            }
            batches.remove();
        }
        if (isBatchesEnd && !isEnded && greeted == runs.length && batches.isEmpty()) {
            isEnded = true;
            output.exhausted();
            flush();
            for (int bucket = 0; bucket < runs.length; bucket++) {
                output.publish(VertexUpdate.end(runs[bucket], number, bucket, lineages));
            }
        }
    }

    private void finish(NumberedBatch numbered, Join join) {
        EdgeBatch batch = numbered.batch();
        if (batch.pass() < placingPass) {
            output.observed(batch);
            return;
        }
        evict(numbered.evicted());
        load(join.views);
        int vertices = cache.size();
        output.joined(batch);
        if (cache.size() != vertices) {
            throw new IllegalStateException(
                    "batch %d has vertices without views: %d were known, and now there are %d; please report this as a defect"
                            .formatted(numbered.number(), vertices, cache.size()));
        }
        if (hasPeers || changes.gathered() >= GATHERED) {
            send();
        }
        lastFinished = numbered.number();
        while (!news.isEmpty() && news.element().after() <= lastFinished) {
            hear(news.remove().views());
        }
        if (hasPeers) {
            output.publish(VertexUpdate.placed(numbered));
        }
    }

    private void evict(long[] evicted) {
        if (evicted.length > 0 && changes.areSentBeforeEviction()) {
            send();
        }
        changes.evict(evicted, output);
    }

    /** Loads views, and what is newer than they are, into the cache. */
    private void load(List<Views> answers) {
        for (Views views : answers) {
            confirm(views);
            for (int i = 0; i < views.size(); i++) {
                changes.load(views.records(), i * layout.stride());
            }
        }
    }

    /** Adds what other assigners have changed to vertices in the cache. */
    private void hear(Views changed) {
        confirm(changed);
        for (int i = 0; i < changed.size(); i++) {
            RecordExchange.merge(cache, changed.records(), i * layout.stride());
        }
    }

    private void confirm(Views views) {
        for (int i = 0; i < views.lineageCount(); i++) {
            for (Lineage lineage : lineages) {
                if (lineage.id() == views.lineage(i)) {
                    prune(lineage, views.confirmedBucket(i), views.confirmed(i));
                }
            }
        }
    }

    /** Publishes all changes; call it before a barrier. */
    public void flush() {
        changes.gatherAll();
        send();
    }

    /** Publishes the changes that are gathered, each bucket's in an update, or in several of bounded size. */
    public void send() {
        int size = changes.gathered();
        if (size == 0) {
            return;
        }
        sortByBucket(size);
        for (int bucket = 0; bucket < runs.length; bucket++) {
            int from = starts[bucket];
            while (from < starts[bucket + 1]) {
                int to = from;
                for (int bytes = 0; to < starts[bucket + 1] && bytes < MAX_UPDATE_BYTES; to++) {
                    bytes += changes.bytes(byBucket[to]);
                }
                publish(bucket, from, to);
                from = to;
            }
        }
        changes.clear();
    }

    /** A stable counting sort; {@code starts[b]} is where bucket b begins. */
    private void sortByBucket(int size) {
        if (byBucket.length < size) {
            byBucket = new int[size + (size >> 1)];
        }
        int[] bucketOf = new int[size];
        Arrays.fill(starts, 0);
        for (int i = 0; i < size; i++) {
            bucketOf[i] = Hashing.bucket(changes.vertex(i), runs.length);
            starts[bucketOf[i] + 1]++;
        }
        for (int bucket = 0; bucket < runs.length; bucket++) {
            starts[bucket + 1] += starts[bucket];
        }
        for (int i = size - 1; i >= 0; i--) {
            // Filled from the end, each bound moves down to where its bucket begins.
            byBucket[--starts[bucketOf[i] + 1]] = i;
        }
        System.arraycopy(starts, 1, starts, 0, runs.length);
        starts[runs.length] = size;
    }

    private void publish(int bucket, int from, int to) {
        Lineage lineage = lineages.get(0);
        VertexUpdate header =
                new VertexUpdate(runs[bucket], number, lineage.id(), bucket, lineage.nextSequence(bucket), NOTHING);
        VertexUpdate update = changes.update(header, byBucket, from, to);
        lineage.unconfirmed(bucket).add(update);
        unconfirmed++;
        output.publish(update);
    }

    /**
     * Checks that no batch waits; called at a barrier.
     *
     * @throws IllegalStateException if a batch waits for answers, which with aligned checkpoints cannot be
     */
    public void requireNothingHalfJoined() {
        if (!batches.isEmpty() || !joins.isEmpty() || greeted != runs.length) {
            throw new IllegalStateException(
                    ("a checkpoint finds %d batches that wait for answers, answers to %d batches, and %d of %d buckets"
                                    + " there: checkpoints must be aligned, so switch unaligned checkpoints off")
                            .formatted(batches.size(), joins.size(), greeted, runs.length));
        }
    }

    /** Returns whether the end has been announced to the table. */
    public boolean hasEnded() {
        return isEnded;
    }

    /**
     * Returns the lineages for a checkpoint: the one in use, and those that were taken over while the table lacks some
     * of them.
     */
    public List<Lineage> lineages() {
        return lineages.stream()
                .filter(lineage ->
                        lineage == lineages.get(0) || !lineage.unconfirmed().isEmpty())
                .toList();
    }

    /** Batches that wait for answers. */
    public int waitingBatches() {
        return batches.size();
    }

    /** Updates that are not confirmed. */
    public long unconfirmedUpdates() {
        return unconfirmed;
    }

    /** Vertices whose latest replicas may not be in the views yet. */
    public int overlayVertices() {
        return changes.unconfirmedVertices();
    }
}
