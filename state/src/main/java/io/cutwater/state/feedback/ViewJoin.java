package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
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
 * Joins batches with the views of their vertices, in the order of their numbers, and publishes what placing them
 * changed. Its own unconfirmed writes are laid over the views, so that with one assigner the engine sees exactly what a
 * single table would hold.
 */
public final class ViewJoin {
    /** Receives the batches and the updates. */
    public interface Output {
        /** Counts a batch of a preparation pass, which no assigner observes. */
        void observed(EdgeBatch batch);

        /** Places the edges of a batch; the workspace holds the records of its vertices, and of no others. */
        void joined(EdgeBatch batch);

        /** Sends an update to the table, in the order given. */
        void publish(VertexUpdate update);
    }

    private static final class Join {
        private final List<Views> views = new ArrayList<>();
    }

    private final int number;
    private final VertexLayout layout;
    private final VertexTable workspace;
    private final int placingPass;
    private final Overlay overlay;
    private final List<Lineage> lineages;
    private final boolean tellsPlaced;
    private final Output output;

    private final boolean[] isGreeted;
    private final long[] runs;
    private int greeted;
    private final Deque<NumberedBatch> batches = new ArrayDeque<>();
    private final Map<Long, Join> joins = new HashMap<>();
    private boolean isBatchesEnd;
    private boolean isEnded;
    private long unconfirmed;

    private long[] before = new long[0];
    private int[] slots = new int[0];

    /**
     * @param number 0 to A − 1
     * @param workspace an empty table without a store, over which the engine places edges
     * @param placingPass number of the first pass that places edges
     * @param lineages lineages to continue, at least one; the first takes the new updates
     * @param tellsPlaced whether the operator that asks for views is to know which batches are placed
     */
    public ViewJoin(
            int number,
            VertexTable workspace,
            int placingPass,
            int buckets,
            List<Lineage> lineages,
            boolean tellsPlaced,
            Output output) {
        this.number = number;
        this.workspace = workspace;
        this.placingPass = placingPass;
        this.output = output;
        this.lineages = List.copyOf(lineages);
        this.tellsPlaced = tellsPlaced;
        layout = workspace.layout();
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
        } else {
            joins.computeIfAbsent(views.number(), number -> new Join()).views.add(views);
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
                // Of a preparation pass, or nothing but records that are no edges.
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
        int vertices = load(join.views);
        output.joined(batch);
        if (workspace.size() != vertices) {
            throw new IllegalStateException("batch %d has %d vertices, and views of %d; please report this as a defect"
                    .formatted(numbered.number(), workspace.size(), vertices));
        }
        harvest(join.views);
        if (tellsPlaced) {
            output.publish(VertexUpdate.placed(numbered));
        }
    }

    /** Loads views and overlay into the workspace, with a copy in {@code before}. */
    private int load(List<Views> answers) {
        RecordExchange.clear(workspace);
        int stride = layout.stride();
        int vertices = 0;
        for (Views views : answers) {
            for (int i = 0; i < views.lineageCount(); i++) {
                confirm(views.lineage(i), views.bucket(), views.confirmed(i));
            }
            if (slots.length < vertices + views.size()) {
                slots = Arrays.copyOf(slots, 2 * (vertices + views.size()));
                before = Arrays.copyOf(before, slots.length * stride);
            }
            for (int i = 0; i < views.size(); i++) {
                int slot = RecordExchange.load(workspace, views.records(), i * stride);
                overlay.unite(workspace.vertex(slot), workspace, slot);
                RecordExchange.copy(workspace, slot, before, vertices * stride);
                slots[vertices++] = slot;
            }
        }
        return vertices;
    }

    private void confirm(long lineageId, int bucket, long confirmed) {
        for (Lineage lineage : lineages) {
            if (lineage.id() == lineageId) {
                prune(lineage, bucket, confirmed);
            }
        }
    }

    /** Collects the changes of the batch, one update per bucket. */
    private void harvest(List<Views> answers) {
        int at = 0;
        for (Views views : answers) {
            VertexBatch added = new VertexBatch(0);
            for (int i = 0; i < views.size(); i++, at++) {
                RecordExchange.appendAdded(workspace, added, slots[at], before, at * layout.stride());
            }
            if (!added.isEmpty()) {
                publish(views.bucket(), added);
            }
        }
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
