package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The end of vertices with owners, in a table whose edges several assigners keep. A vertex that has lost its last edge
 * keeps its owner until all assigners have forgotten it ({@link IdleVertices}). The table asks them with its news. An
 * assigner that answers has sent all edges that it has placed by the owner before; what it asks for later hides the
 * owner, so it must propose one, and then the question counts no more. One at whose buffered edge the vertex is does
 * not answer.
 *
 * <p>Each assigner counts the owners that it has proposed. So it is also told which proposals came too late, and one is
 * told of each vertex that has gone.
 */
final class OwnerReleases {
    private final VertexTable vertices;
    private final BucketRange range;
    private final BucketEdges edges;
    private final int assigners;

    /** Vertices that have another owner, as removals of vertices with both owners as their places. */
    private final EdgeBatch moved = new EdgeBatch(1);

    /** These, each with its edges behind it. */
    private final EdgeBatch edgesOfMoved = new EdgeBatch(1);

    /** Vertices that all are to be asked about, with the question as the target. */
    private final EdgeBatch asked = new EdgeBatch(1);

    /** For each assigner, owners of vertices that it counts no longer, as the targets of removals. */
    private final EdgeBatch[] discounts;

    private long lastQuestion = IdleVertices.NO_QUESTION;
    private long lastTold = IdleVertices.NO_QUESTION;
    private boolean areRestoredAsked;
    private boolean isHeld;

    /** @param assigners number of assigners */
    OwnerReleases(BucketRange range, BucketEdges edges, int assigners) {
        vertices = range.vertices();
        this.range = range;
        this.edges = edges;
        this.assigners = assigners;
        discounts = Stream.generate(() -> new EdgeBatch(1)).limit(assigners).toArray(EdgeBatch[]::new);
    }

    /** Asks about all vertices at the start of an attempt, in which no assigner has answered; nothing later. */
    void askRestored() {
        for (int i = 0; !areRestoredAsked && i < range.size(); i++) {
            IdleVertices idle = range.ledger(i).idle();
            for (long vertex : idle.toArray()) {
                ask(vertex, idle);
            }
        }
        areRestoredAsked = true;
    }

    /** Sets whether vertices without edges keep their owners; then assigners are not asked to release them. */
    void hold(boolean isNowHeld) {
        isHeld = isNowHeld;
    }

    private void ask(long vertex, IdleVertices idle) {
        if (assigners == 1) {
            return; // it goes when what several have left is here
        }
        idle.ask(vertex, ++lastQuestion);
        asked.add(vertex, lastQuestion);
    }

    /** An assigner proposes an owner. */
    void propose(long vertex, int slot, int owner, int assigner, BucketLedger ledger) {
        if (ledger.propose(vertices, slot, owner)) {
            ledger.create(1);
            ledger.idle().add(vertex, owner, assigner);
            return;
        }
        discount(assigner, vertex, owner);
        if (ledger.idle().has(vertex)) {
            ledger.idle().cancelQuestion(vertex);
        }
    }

    private void discount(int assigner, long vertex, int owner) {
        if (assigners == 1) {
            return; // the tables tell it what they have counted
        }
        EdgeBatch rows = discounts[assigner];
        rows.add(vertex, owner);
        rows.setRemoval(rows.size() - 1);
    }

    /**
     * An end of an edge was counted.
     *
     * @param before degree before
     * @param assigner that has placed or removed the edge
     */
    void counted(long vertex, int slot, long before, int assigner, BucketLedger ledger) {
        if (before == 0) {
            ledger.idle().remove(vertex);
        } else if (vertices.degree(slot) == 0) {
            ledger.idle().add(vertex, vertices.master(slot), assigner);
            ask(vertex, ledger.idle());
        }
    }

    /**
     * Gives a vertex another owner, of which all assigners are told: each moves its own edges there. Nothing happens if
     * it has another owner than {@code from}, or may be about to go.
     *
     * @return its edges; −1 if nothing has happened
     */
    long move(long vertex, int from, int to) {
        BucketLedger ledger = range.ledgerOf(vertex);
        int slot = vertices.slot(vertex);
        boolean isAsked = ledger.idle().question(vertex) != IdleVertices.NO_QUESTION;
        if (vertices.master(slot) != from || from == to || isAsked) {
            RecordExchange.forgetIfEmpty(vertices, slot);
            return -1;
        }
        ledger.changeOwner(vertices, slot, to);
        moved.add(vertex, vertex);
        moved.setVertexRemoval(moved.size() - 1);
        moved.setPlace(moved.size() - 1, Place.of(from, to));
        return vertices.degree(slot);
    }

    /** Returns whether vertices have moved of which the assigners have not been told. */
    boolean haveMoved() {
        return !moved.isEmpty();
    }

    /** Reads the edges of the vertices that have moved, for {@link #tell}. */
    void readMoved() {
        for (int i = 0; i < moved.size(); i++) {
            edgesOfMoved.addFrom(moved, i);
            edges.ofVertex(moved.source(i), edgesOfMoved);
        }
    }

    /** Takes down the answers of an assigner, and what it wants to be asked; vertices may go. */
    void release(VertexUpdate update, BucketLedger ledger) {
        IdleVertices idle = ledger.idle();
        for (int i = 0; i < update.added().size(); i++) {
            long vertex = update.added().vertex(i);
            long question = update.question(i);
            if (question == IdleVertices.NO_QUESTION && idle.has(vertex)) { // it wants one to be asked
                idle.setAssigner(vertex, update.assigner());
                ask(vertex, idle);
            } else if (idle.release(vertex, question, update.assigner()) == assigners) {
                forget(vertex, ledger);
            }
        }
    }

    private void forget(long vertex, BucketLedger ledger) {
        int slot = vertices.slot(vertex);
        int assigner = ledger.idle().assigner(vertex);
        // One of them, which is the one that has proposed it if nothing was removed or restored.
        int any = assigner == IdleVertices.NOBODY ? (int) Math.floorMod(vertex, (long) assigners) : assigner;
        discount(any, vertex, vertices.master(slot));
        ledger.idle().remove(vertex);
        ledger.disown(vertices, slot);
    }

    /**
     * Forgets the vertices that have no edge, because no assigner places any more, or only another one.
     *
     * @param forgotten receives them
     */
    void forgetAll(LongConsumer forgotten) {
        for (int i = 0; i < range.size(); i++) {
            for (long vertex : range.ledger(i).idle().toArray()) {
                forget(vertex, range.ledger(i));
                forgotten.accept(vertex);
            }
        }
    }

    /**
     * All that earlier attempts have left is here: forgets vertices that several assigners count, or one, only.
     *
     * @param forgotten receives those that had an owner
     */
    void settle(LongConsumer forgotten) {
        for (int i = 0; i < range.size(); i++) {
            forgetBare(range.ledger(i));
        }
        if (assigners == 1) { // it gives an owner anew to a vertex that has no edge
            forgetAll(forgotten);
            for (int i = 0; i < range.size(); i++) {
                range.ledger(i).endOwners();
            }
        }
    }

    private boolean isBare(int slot) {
        return vertices.degree(slot) == 0 && vertices.master(slot) == VertexTable.NO_MASTER;
    }

    /** Overwrites the record of a vertex with one that the only assigner has sent before several went on. */
    void replace(long vertex, int slot, byte @Nullable [] record, BucketLedger ledger) {
        boolean wasCounted = ledger.takeBare(vertex) || !isBare(slot);
        ledger.replace(vertices, slot, record);
        ledger.create((isBare(slot) ? 0 : 1) - (wasCounted ? 1 : 0));
        ledger.idle().remove(vertex);
        if (isBare(slot)) {
            vertices.forget(slot);
        } else if (vertices.degree(slot) == 0) {
            ledger.idle().add(vertex, vertices.master(slot), IdleVertices.NOBODY);
        }
    }

    /** Forgets vertices that have a record only because an edge waits at them, as {@link BucketLedger#countVertex}. */
    private void forgetBare(BucketLedger ledger) {
        for (long vertex : ledger.takeBare()) {
            int slot = vertices.slot(vertex);
            if (assigners > 1 ? isBare(slot) : RecordExchange.isEmpty(vertices, slot)) {
                vertices.forget(slot);
                ledger.create(-1);
            }
        }
    }

    /** Hides the owner in the copy of a record if assigners may have forgotten it. */
    void hide(long vertex, long[] records, int at) {
        long question = range.ledgerOf(vertex).idle().question(vertex);
        if (question != IdleVertices.NO_QUESTION && question <= lastTold) {
            RecordExchange.hideOwner(vertices, records, at);
        }
    }

    /** Returns whether there is something to tell. */
    boolean areDue() {
        boolean areDue = !asked.isEmpty() && !isHeld || !moved.isEmpty();
        for (EdgeBatch rows : discounts) {
            areDue |= !rows.isEmpty();
        }
        return areDue;
    }

    /** Adds questions and counts to the news for an assigner. */
    void tell(int assigner, Views news) {
        for (int i = 0; i < asked.size() && !isHeld; i++) {
            long vertex = asked.source(i);
            if (range.ledgerOf(vertex).idle().question(vertex) == asked.target(i)) {
                news.copies().addFrom(asked, i);
            }
        }
        news.copies().addAll(discounts[assigner]);
        discounts[assigner].clear();
        for (int i = 0; i < edgesOfMoved.size(); i++) {
            if (edgesOfMoved.isVertexRemoval(i)
                    || EdgesBySource.assigner(edgesOfMoved.source(i), range.buckets(), assigners) == assigner) {
                news.copies().addFrom(edgesOfMoved, i);
            }
        }
    }

    /** All assigners have been told. */
    void told() {
        if (!isHeld) {
            lastTold = lastQuestion;
            asked.clear();
        }
        moved.clear();
        edgesOfMoved.clear();
    }
}
