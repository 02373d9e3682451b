package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.feedback.bucket.BucketOrder;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The vertices of a range of buckets, with the kept edges at them: answers lookups, counts degrees, and applies each
 * update of an assigner once.
 */
public final class BucketTable {
    private final BucketRange range;
    private final VertexTable vertices; // of the range
    private final int assigners;
    private final int placingPass;
    private final long run;
    private final @Nullable BucketEdges edges;
    private final @Nullable CatchingUp catchingUp; // if one assigner and several send different things
    private final @Nullable OwnerReleases releases; // if edges of owned vertices are kept
    private final TableNews news;
    private final Views views = new Views();
    private final BitSet[] ended;
    private final BitSet shownBuckets = new BitSet();
    private long[] expected = new long[0];
    private long lookups;
    private long misses;
    private long duplicates;
    private long stale;
    private long applied;

    /**
     * @param ledgers those of the buckets {@code firstBucket}, {@code firstBucket + 1} …
     * @param buckets of all tables
     * @param placingPass the first pass whose edges are placed
     * @param run random, and another one in every attempt of the job: with it the table knows the updates that are
     *     meant for it from those of attempts that have failed
     */
    public BucketTable(
            VertexTable vertices,
            BucketLedger[] ledgers,
            int firstBucket,
            int buckets,
            int assigners,
            int placingPass,
            long run) {
        this(new BucketRange(vertices, ledgers, firstBucket, buckets, false), null, assigners, placingPass, run, false);
    }

    /**
     * Creates a table that first gets what earlier attempts have left ({@link #isCaughtUp}), because one assigner and
     * several send different things, and their number may have changed.
     *
     * @param run see the constructor
     */
    public static BucketTable catchingUp(
            VertexTable vertices,
            BucketLedger[] ledgers,
            int firstBucket,
            int buckets,
            int assigners,
            int placingPass,
            long run) {
        BucketRange range = new BucketRange(vertices, ledgers, firstBucket, buckets, false);
        return new BucketTable(range, null, assigners, placingPass, run, true);
    }

    private BucketTable(
            BucketRange range,
            @Nullable BucketEdges edges,
            int assigners,
            int placingPass,
            long run,
            boolean catchesUp) {
        this.range = range;
        vertices = range.vertices();
        this.edges = edges;
        this.assigners = assigners;
        this.placingPass = placingPass;
        this.run = run;
        catchingUp = catchesUp ? new CatchingUp(range, assigners, run) : null;
        releases = edges == null || edges.hasPlaces() ? null : new OwnerReleases(range, edges, assigners);
        news = new TableNews(range, assigners, run, releases);
        ended = Stream.generate(BitSet::new).limit(range.size()).toArray(BitSet[]::new);
    }

    /**
     * Creates the table of a job that keeps edges. If it has one assigner, that writes whole records back; with several
     * the table counts the edges that they have placed and removed.
     *
     * @param edges kept at the vertices of these buckets
     * @param run see the constructor
     */
    public static BucketTable withEdges(
            VertexTable vertices, BucketEdges edges, BucketLedger[] ledgers, int firstBucket, int assigners, long run) {
        BucketRange range = new BucketRange(vertices, ledgers, firstBucket, edges.buckets(), true);
        return new BucketTable(range, edges, assigners, 0, run, true);
    }

    /** Returns the table that has a bucket: that of Flink's task that has the key group of this number. */
    public static int tableOf(int bucket, int buckets, int tables) {
        return (int) ((long) bucket * tables / buckets);
    }

    /** Returns the first bucket of a table; that of the table behind the last one is the number of buckets. */
    public static int firstBucket(int table, int buckets, int tables) {
        return (int) (((long) table * buckets + tables - 1) / tables);
    }

    /** Makes room for partitions: those that the vertices are on, and those that they are to move to. */
    public void makeRoom(int partitions) {
        range.makeRoom(partitions);
    }

    /**
     * Returns whether it may answer lookups and be snapshotted. If one assigner and several send different things, it
     * first has to get what earlier attempts have left: an edge may be another assigner's now than the one that sends
     * its update, and a whole record would undo what others have done since.
     */
    public boolean isCaughtUp() {
        return catchingUp == null || catchingUp.isOver();
    }

    /**
     * Shows the only assigner the records that it needs to start; call it when the table is caught up, before it
     * answers or is snapshotted. It does nothing a second time.
     *
     * @param handover gives what goes along with the first part; called once if the assigner waits for it
     * @param answers receives the records and must be done with each part when it returns
     */
    public void tellRestored(Supplier<byte[]> handover, Consumer<Views> answers) {
        if (catchingUp != null) {
            catchingUp.tellRestored(handover, answers);
        }
    }

    /**
     * Greets every assigner in the name of every bucket; to be done once, before anything else.
     *
     * @param handover gives what goes to an assigner with its first greeting; null for nothing
     * @param answers receives the greetings and must be done with each when it returns
     */
    public void greet(IntFunction<byte @Nullable []> handover, Consumer<Views> answers) {
        for (int i = 0; i < range.size(); i++) {
            int bucket = range.first() + i;
            for (int assigner = 0; assigner < assigners; assigner++) {
                views.reset(Views.GREETING, assigner, bucket, run, range.stride());
                range.ledger(i).confirmAll(bucket, views);
                if (i == 0) {
                    views.setHandover(handover.apply(assigner));
                }
                answers.accept(views);
            }
        }
    }

    /**
     * Counts the edges of a lookup and answers it.
     *
     * @param answers receives the answer, if the lookup asks for one, and must be done with it when it returns
     */
    public void look(Lookup lookup, Consumer<Views> answers) {
        if (releases != null && releases.haveMoved()) {
            tellNews(answers); // before an assigner places an edge by the new owner
        }
        vertices.expect(lookup.vertices(), lookup.size());
        boolean isPlacing = lookup.pass() >= placingPass;
        for (int i = 0; i < lookup.counted(); i++) {
            range.prefetch(lookup.vertices(), i, lookup.counted());
            int slot = range.slot(lookup.vertex(i));
            if (isPlacing) {
                vertices.countEdges(slot, lookup.count(i));
            } else {
                vertices.countFinalEdges(slot, lookup.count(i));
            }
        }
        if (lookup.isAnswered()) {
            long missesBefore = vertices.misses();
            answer(lookup, answers);
            lookups += lookup.asked();
            misses += vertices.misses() - missesBefore;
        }
    }

    private void answer(Lookup lookup, Consumer<Views> answers) {
        news.addReader(lookup.assigner());
        views.reset(lookup.number(), lookup.assigner(), lookup.bucket(), run, range.stride());
        shownBuckets.clear();
        for (int i = lookup.counted(); i < lookup.size(); i++) {
            range.prefetch(lookup.vertices(), i, lookup.size());
            long vertex = lookup.vertex(i);
            shownBuckets.set(range.indexOf(vertex));
            int slot = range.slot(vertex);
            int at = views.addRecord();
            RecordExchange.copy(vertices, slot, views.records(), at);
            if (releases != null) {
                releases.hide(vertex, views.records(), at);
            }
            if (lookup.count(i) > 0) {
                vertices.countEdges(slot, lookup.count(i));
            }
            // It is there once the assigner has written it; a removal may ask for one that never is.
            range.forgetIfEmpty(slot);
        }
        if (edges != null) {
            showCopies(lookup.removals(), edges, views.copies());
        }
        range.confirm(shownBuckets, views);
        answers.accept(views);
    }

    /** Shows one copy more of each edge than there are removals that may take older ones. */
    private void showCopies(EdgeBatch removals, BucketEdges kept, EdgeBatch into) {
        for (int i = 0; i < removals.size(); i++) {
            shownBuckets.set(range.indexOf(removals.source(i)));
            range.ledgerOf(removals.source(i)).askRemoval(removals.source(i), removals.target(i), removals.key(i));
        }
        EdgeBatch ofBucket = new EdgeBatch(Math.max(1, removals.size()));
        for (int i = 0; i < removals.size(); i++) {
            ofBucket.addFrom(removals, i);
            BucketLedger ledger = range.ledgerOf(removals.source(i));
            if (i + 1 == removals.size() || range.ledgerOf(removals.source(i + 1)) != ledger) {
                ledger.removals()
                        .forEachOf(
                                ofBucket,
                                (source, target, key, count) -> kept.oldest(source, target, key, count, into));
                ofBucket.clear();
            }
        }
    }

    /**
     * Applies an update, unless it is for another attempt, another table, or applied already.
     *
     * @throws IllegalStateException if an update before it is missing: then the state would be wrong for ever
     */
    public void apply(VertexUpdate update) {
        int i = update.bucket() - range.first();
        if (i < 0 || i >= range.size() || update.isPlaced()) {
            return;
        }
        if (update.run() != run) {
            stale++;
            return;
        }
        if (update.isOfLoads()) {
            news.addLoads(update);
            return;
        }
        if (catchingUp != null && update.isCaughtUp()) {
            if (!update.added().isEmpty()) {
                news.addReader(update.assigner()); // it holds those of buffered edges
            }
            if (catchingUp.caughtUp(i, update)) {
                settle(catchingUp);
                catchingUp.takeWaiting().forEach(this::apply);
            }
            return;
        }
        if (catchingUp != null && catchingUp.holds(i, update)) {
            return;
        }
        BucketLedger ledger = range.ledger(i);
        if (update.isRelease()) {
            if (releases != null) {
                releases.release(update, ledger);
            }
            return;
        }
        if (update.isEnd()) {
            ledger.requireAll(update);
            ended[i].set(update.assigner());
            return;
        }
        news.confirm(i);
        if (!ledger.isNext(update)) {
            ledger.sent(update);
            duplicates++;
            return;
        }
        if (edges != null && update.records() == null) {
            applyShared(update, ledger);
        } else {
            applyVertices(update, ledger);
        }
        ledger.apply(update);
        if (assigners > 1) {
            news.add(update.added(), update.assigner());
        } else if (catchingUp != null && update.records() == null) {
            catchingUp.want(update.added()); // they are of several assigners, so the only one does not know of it
        }
        applied++;
    }

    /**
     * Applies what assigners have left that are gone, as if one in their place sent it: all that the table lacks of
     * their updates, and what buffered edges change. The table has all buckets and one assigner.
     *
     * @throws IllegalStateException if an update is missing
     */
    public void takeOver(Resumption left) {
        for (Lineage lineage : left.lineages()) {
            lineage.unconfirmed().forEach(update -> apply(update.inRun(run, 0)));
            for (int bucket = 0; bucket < range.size(); bucket++) {
                long applied = range.ledger(bucket).applied(lineage.id());
                if (applied != lineage.lastSequence(bucket)) {
                    throw new IllegalStateException(
                            "bucket %d has update %d of lineage %x, which has sent %d: vertex table and assigners are not of the same checkpoint"
                                    .formatted(bucket, applied, lineage.id(), lineage.lastSequence(bucket)));
                }
            }
        }
        VertexSet waiting = VertexSet.of(left.buffered());
        new BucketOrder(range.size())
                .forEachBucket(
                        waiting.size(),
                        waiting::vertex,
                        left.degreeChanges(waiting),
                        (bucket, own, changes) -> apply(VertexUpdate.caughtUp(run, 0, bucket, false, own, changes)));
    }

    private void settle(CatchingUp over) {
        if (releases != null) {
            releases.settle(vertex -> {
                over.want(vertex);
                news.confirm(range.indexOf(vertex));
            });
        }
    }

    /** Applies replicas and records that were chosen by an assigner, and kept edges of the only one. */
    private void applyVertices(VertexUpdate update, BucketLedger ledger) {
        VertexBatch added = update.added();
        expect(added);
        byte[] @Nullable [] records = update.records();
        for (int vertex = 0; vertex < added.size(); vertex++) {
            range.prefetch(expected, vertex, added.size());
            int slot = vertices.slot(added.vertex(vertex));
            if (VertexUpdate.isProposal(added, vertex)) {
                ledger.propose(vertices, slot, VertexUpdate.proposed(added, vertex));
            } else if (records == null) {
                RecordExchange.addReplicas(vertices, slot, added, vertex, ledger.counts());
                if (update.hints() != null) {
                    RecordExchange.setHints(
                            vertices,
                            slot,
                            update.hints(),
                            vertex * vertices.layout().hintWords());
                }
            } else {
                if (releases != null && assigners > 1) {
                    releases.replace(added.vertex(vertex), slot, records[vertex], ledger);
                    continue;
                }
                int change = ledger.replace(vertices, slot, records[vertex]);
                if (edges != null) {
                    ledger.create(change);
                    range.forgetIfEmpty(slot);
                }
            }
        }
        EdgeBatch changes = update.edges();
        if (changes != null) {
            Objects.requireNonNull(edges, "an update of a job that keeps edges")
                    .apply(changes, update.bucket(), ledger.removals());
        }
    }

    /** Applies the edges that one of several assigners has placed and removed, and what it says of their vertices. */
    private void applyShared(VertexUpdate update, BucketLedger ledger) {
        BucketEdges kept = Objects.requireNonNull(edges);
        EdgeBatch changes = update.edges();
        if (changes != null) {
            kept.apply(changes, update.bucket(), ledger.removals());
            expectEnds(changes, update.bucket(), kept);
            kept.forEachEnd(
                    changes,
                    update.bucket(),
                    (vertex, partition, change, isMove) -> count(
                            vertex, partition, change, isMove ? ChangedVertices.NOBODY : update.assigner(), ledger));
        }
        VertexBatch added = update.added();
        long[] hints = update.hints();
        if (hints == null && releases == null) {
            return; // replicas follow from the edges
        }
        expect(added);
        for (int vertex = 0; vertex < added.size(); vertex++) {
            int slot = vertices.slot(added.vertex(vertex));
            if (releases != null && VertexUpdate.isProposal(added, vertex)) {
                int owner = VertexUpdate.proposed(added, vertex);
                releases.propose(added.vertex(vertex), slot, owner, update.assigner(), ledger);
            } else if (vertices.degree(slot) == 0 && vertices.master(slot) == VertexTable.NO_MASTER) {
                vertices.forget(slot); // it is gone, or its first edge is in the next update
            } else if (hints != null) {
                RecordExchange.setHints(
                        vertices, slot, hints, vertex * vertices.layout().hintWords());
            }
        }
    }

    /** @param assigner that has added the replica if the edge needs one, or {@link ChangedVertices#NOBODY} */
    private void count(long vertex, int partition, int change, int assigner, BucketLedger ledger) {
        if (catchingUp != null) {
            catchingUp.want(vertex);
        }
        int slot = vertices.slot(vertex);
        long before = vertices.degree(slot);
        boolean hasOwner = releases != null;
        if (hasOwner && vertices.master(slot) == VertexTable.NO_MASTER) {
            throw new IllegalStateException(
                    "an edge of vertex %d is placed or removed, which has no owner; please report this as a defect"
                            .formatted(vertex));
        }
        boolean isChanged = RecordExchange.countEdge(vertices, slot, partition, change, hasOwner, ledger.counts());
        boolean isOthers = assigner == ChangedVertices.NOBODY;
        boolean isDrawn = isOthers && change > 0 && !hasOwner && RecordExchange.followEdges(vertices, slot, partition);
        if (assigners > 1 && (isChanged || isDrawn)) { // else the only one is shown the record
            // Of other changes than a new replica its assigner knows nothing.
            news.add(vertex, isChanged && change > 0 ? assigner : ChangedVertices.NOBODY);
        }
        if (releases != null) {
            releases.counted(vertex, slot, before, assigner, ledger);
        } else {
            range.edgesCounted(slot, before, ledger);
        }
    }

    private void expectEnds(EdgeBatch changes, int bucket, BucketEdges kept) {
        if (expected.length < 4 * changes.size()) {
            expected = new long[4 * changes.size()];
        }
        int[] ends = {0};
        kept.forEachEnd(changes, bucket, (vertex, partition, change, isMove) -> expected[ends[0]++] = vertex);
        vertices.expect(expected, ends[0]);
    }

    /**
     * Confirms the updates that were applied since the last call, and tells every assigner that has vertices which ones
     * the others have changed. Does nothing before it is caught up.
     *
     * @param receiver receives at most one message for each assigner and must be done with it when it returns
     */
    public void tellNews(Consumer<Views> receiver) {
        if (!isCaughtUp()) {
            return; // what is sent again passes through owners that are gone
        }
        if (releases != null) {
            releases.askRestored();
            if (hasEnded()) {
                releases.hold(false);
            }
        }
        news.tell(receiver);
    }

    /** Returns how many vertices have changed since the last news. */
    public int changedVertices() {
        return news.changedVertices();
    }

    private void expect(VertexBatch added) {
        if (expected.length < added.size()) {
            expected = new long[added.size()];
        }
        for (int i = 0; i < added.size(); i++) {
            expected[i] = added.vertex(i);
        }
        vertices.expect(expected, added.size());
    }

    /**
     * Gives a vertex another owner, with its edges, if several assigners keep edges and it has the owner that is named.
     *
     * @return edges that move; −1 if nothing happens
     */
    public long moveOwner(long vertex, int from, int to) {
        if (releases == null) {
            return -1;
        }
        news.confirm(range.indexOf(vertex)); // news say what is in the rows
        return releases.move(vertex, from, to);
    }

    /** Sets whether vertices without edges keep their owners; see {@link OwnerReleases}. */
    public void holdOwners(boolean areHeld) {
        if (releases != null) {
            releases.hold(areHeld);
        }
    }

    /** Every assigner has announced its end: no edge comes to a vertex that has none. */
    public void end() {
        if (releases != null) {
            releases.forgetAll(vertex -> {});
        }
    }

    /** Returns how many vertices have an owner and no edge. */
    int idleVertices() {
        return IntStream.range(0, range.size())
                .map(i -> range.ledger(i).idle().size())
                .sum();
    }

    /** Returns whether every assigner has announced its end. */
    public boolean hasEnded() {
        return Arrays.stream(ended).allMatch(ends -> ends.cardinality() == assigners);
    }

    /** Replicas and vertices, of all its buckets. */
    public ReplicaCounts counts() {
        return range.counts();
    }

    /**
     * Returns how many vertices each partition owns, if edges are kept without those that have none; 0 where no owners
     * are proposed.
     */
    public long[] owned() {
        return range.owned();
    }

    /** Vertices that assigners lacked and asked for, in this attempt. */
    public long lookups() {
        return lookups;
    }

    /** Share of {@link #lookups} that needed no store and made no vertex; 1 before the first. */
    public double hitRate() {
        long asked = lookups;
        return asked == 0 ? 1 : 1 - (double) misses / asked;
    }

    /** Updates that were applied, in this attempt. */
    public long applied() {
        return applied;
    }

    /** Updates that came again and were ignored. */
    public long duplicates() {
        return duplicates;
    }

    /** Updates of other attempts that were ignored. */
    public long stale() {
        return stale;
    }
}
