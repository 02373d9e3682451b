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

        /** Sends an update to the table, in the order given. */
        void publish(VertexUpdate update);
    }

    private static final class Join {
        private final List<Views> views = new ArrayList<>();
    }

    /** Replicas that one assigner gathers for an update, as nobody else needs them: in small records they cost more. */
    private static final int GATHERED_REPLICAS = 4096;

    /** News that came while views waited for their batches, the last of which is {@code after}. */
    private record News(long after, Views views) {}

    private final int number;
    private final VertexLayout layout;
    private final VertexTable cache;
    private final RecordExchange.NewReplicas newReplicas;
    private final int placingPass;
    private final Overlay overlay;
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
     * @param number 0 to A − 1
     * @param cache an empty table without a store, over which the engine places edges
     * @param placingPass number of the first pass that places edges
     * @param lineages lineages to continue, at least one; the first takes the new updates
     * @param hasPeers whether other assigners place edges over the same tables: then what a batch changes is sent when it
     *     is placed, and the operator that asks for views is told; else changes are gathered until {@link #flush}
     */
    public ViewJoin(
            int number,
            VertexTable cache,
            int placingPass,
            int buckets,
            List<Lineage> lineages,
            boolean hasPeers,
            Output output) {
        this.number = number;
        this.cache = cache;
        newReplicas = RecordExchange.log(cache);
        starts = new int[buckets + 1];
        this.placingPass = placingPass;
        this.output = output;
        this.lineages = List.copyOf(lineages);
        this.hasPeers = hasPeers;
        layout = cache.layout();
        overlay = new Overlay(layout);
        isGreeted = new boolean[buckets];
        runs = new long[buckets];
        for (Lineage lineage : lineages) {
            for (VertexUpdate update : lineage.unconfirmed()) {
                overlay.add(update.added());
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
            overlay.remove(updates.remove().added());
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
            harvest();
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
        if (numbered.evicted().length > 0) {
            harvest();
            for (long vertex : numbered.evicted()) {
                RecordExchange.remove(cache, vertex);
            }
        }
        load(join.views);
        int vertices = cache.size();
        output.joined(batch);
        if (cache.size() != vertices) {
            throw new IllegalStateException(
                    "batch %d has vertices without views: %d were known, and now there are %d; please report this as a defect"
                            .formatted(numbered.number(), vertices, cache.size()));
        }
        if (hasPeers || newReplicas.size() >= GATHERED_REPLICAS) {
            harvest();
        }
        lastFinished = numbered.number();
        while (!news.isEmpty() && news.element().after() <= lastFinished) {
            hear(news.remove().views());
        }
        if (hasPeers) {
            output.publish(VertexUpdate.placed(numbered));
        }
    }

    /** Loads views and overlay into the cache. */
    private void load(List<Views> answers) {
        for (Views views : answers) {
            confirm(views);
            for (int i = 0; i < views.size(); i++) {
                int slot = RecordExchange.load(cache, views.records(), i * layout.stride());
                overlay.unite(cache.vertex(slot), cache, slot);
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

    /** Publishes the changes that are gathered; call it before a barrier. */
    public void flush() {
        harvest();
    }

    /** Publishes the changes since the last call, one update per bucket. */
    private void harvest() {
        int size = newReplicas.size();
        if (size == 0) {
            return;
        }
        sortByBucket(size);
        for (int bucket = 0; bucket < runs.length; bucket++) {
            if (starts[bucket] < starts[bucket + 1]) {
                VertexBatch added = new VertexBatch(starts[bucket + 1] - starts[bucket]);
                for (int i = starts[bucket]; i < starts[bucket + 1]; i++) {
                    int slot = newReplicas.slot(byBucket[i]);
                    added.add(cache.vertex(slot), 0, cache.master(slot));
                    added.addReplica(newReplicas.partition(byBucket[i]));
                }
                publish(bucket, added);
            }
        }
        newReplicas.clear();
    }

    /** A stable counting sort; {@code starts[b]} is where bucket b begins. */
    private void sortByBucket(int size) {
        if (byBucket.length < size) {
            byBucket = new int[size + (size >> 1)];
        }
        int[] bucketOf = new int[size];
        Arrays.fill(starts, 0);
        for (int i = 0; i < size; i++) {
            bucketOf[i] = Hashing.bucket(cache.vertex(newReplicas.slot(i)), runs.length);
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

    private void publish(int bucket, VertexBatch added) {
        Lineage lineage = lineages.get(0);
        VertexUpdate update =
                new VertexUpdate(runs[bucket], number, lineage.id(), bucket, lineage.nextSequence(bucket), added);
        lineage.unconfirmed(bucket).add(update);
        overlay.add(added);
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
        return overlay.size();
    }
}
