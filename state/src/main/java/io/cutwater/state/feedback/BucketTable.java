package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.feedback.bucket.BucketOrder;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.RecordPrefetch;
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
import org.jspecify.annotations.Nullable;

/**
 * The vertices of a range of buckets, with the kept edges at them: answers lookups, counts degrees, and applies each
 * update of an assigner once.
 */
public final class BucketTable {
    /** Stands for the assigner where none knows of a change. */
    private static final int NOBODY = -1;

    private static final int RESTORED_AT_ONCE = 16 * 1024;

    private final VertexTable vertices;
    private final BucketLedger[] ledgers;
    private final int firstBucket;
    private final int buckets;
    private final int assigners;
    private final int placingPass;
    private final long run;
    private final @Nullable BucketEdges edges;
    private final @Nullable CatchingUp catchingUp; // if one assigner and several send different things
    private final @Nullable OwnerReleases releases; // if edges of owned vertices are kept
    private final @Nullable AssignerLoads loads; // if it has bucket 0, and there are several assigners
    private boolean areIdleAsked;
    private final BitSet withoutVertices = new BitSet(); // assigners that have none in their caches
    private final Views views = new Views();
    private final BitSet[] ended;
    private final BitSet changedBuckets = new BitSet();
    private final BitSet shownBuckets = new BitSet();
    private final ChangedVertices changed = new ChangedVertices();
    private long[] expected = new long[0];
    private long[] changedRecords = new long[0];
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
        this(vertices, ledgers, firstBucket, buckets, assigners, placingPass, run, false, null);
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
        return new BucketTable(vertices, ledgers, firstBucket, buckets, assigners, placingPass, run, true, null);
    }

    private BucketTable(
            VertexTable vertices,
            BucketLedger[] ledgers,
            int firstBucket,
            int buckets,
            int assigners,
            int placingPass,
            long run,
            boolean catchesUp,
            @Nullable BucketEdges edges) {
        this.edges = edges;
        catchingUp = catchesUp ? new CatchingUp(ledgers.length, assigners) : null;
        releases = edges == null || edges.hasPlaces()
                ? null
                : new OwnerReleases(vertices, this::ledgerOf, assigners, buckets);
        loads = firstBucket == 0 && assigners > 1 ? new AssignerLoads(assigners) : null;
        this.vertices = vertices;
        this.ledgers = ledgers;
        this.firstBucket = firstBucket;
        this.buckets = buckets;
        this.assigners = assigners;
        this.placingPass = placingPass;
        this.run = run;
        if (edges == null && Arrays.stream(ledgers).allMatch(BucketLedger::isNew)) {
            withoutVertices.set(0, assigners);
        }
        ended = new BitSet[ledgers.length];
        Arrays.setAll(ended, bucket -> new BitSet());
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
        return new BucketTable(vertices, ledgers, firstBucket, edges.buckets(), assigners, 0, run, true, edges);
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
        if (partitions > vertices.layout().partitionCount()) {
            vertices.setPartitions(partitions);
            for (BucketLedger ledger : ledgers) {
                ledger.widen(partitions);
            }
        }
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
        if (catchingUp == null || !catchingUp.takeUntold()) {
            return;
        }
        byte @Nullable [] rest = handover.get();
        long[] wanted = catchingUp.takeWanted();
        for (int from = 0; from < wanted.length || rest != null; from += RESTORED_AT_ONCE) {
            views.reset(Views.RESTORED, 0, firstBucket, run, vertices.layout().stride());
            views.setHandover(rest);
            rest = null;
            for (int i = from; i < Math.min(wanted.length, from + RESTORED_AT_ONCE); i++) {
                int slot = vertices.slot(wanted[i]);
                int at = views.addRecord();
                RecordExchange.copy(vertices, slot, views.records(), at);
                if (edges != null) {
                    RecordExchange.forgetIfEmpty(vertices, slot);
                }
            }
            answers.accept(views);
        }
    }

    /**
     * Greets every assigner in the name of every bucket; to be done once, before anything else.
     *
     * @param handover gives what goes to an assigner with its first greeting; null for nothing
     * @param answers receives the greetings and must be done with each when it returns
     */
    public void greet(IntFunction<byte @Nullable []> handover, Consumer<Views> answers) {
        for (int i = 0; i < ledgers.length; i++) {
            for (int assigner = 0; assigner < assigners; assigner++) {
                views.reset(
                        Views.GREETING,
                        assigner,
                        firstBucket + i,
                        run,
                        vertices.layout().stride());
                ledgers[i].confirmAll(firstBucket + i, views);
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
            prefetch(lookup.vertices(), i, lookup.counted());
            int slot = slot(lookup.vertex(i));
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

    /** Returns the slot of a vertex. Without kept edges it is there from the first lookup on. */
    private int slot(long vertex) {
        long createdBefore = vertices.vertexCount();
        int slot = vertices.slot(vertex);
        if (edges == null && vertices.vertexCount() > createdBefore) {
            ledgerOf(vertex).create(1);
        }
        return slot;
    }

    /** Prefetches the next vertices, if it is time to. */
    private void prefetch(long[] next, int at, int end) {
        if (at % RecordPrefetch.VERTICES == 0) {
            vertices.prefetch(next, at, Math.min(end, at + RecordPrefetch.VERTICES));
        }
    }

    private BucketLedger ledgerOf(long vertex) {
        return ledgers[bucket(vertex)];
    }

    /** Returns the bucket of a vertex, counted from the first one here. */
    private int bucket(long vertex) {
        return Hashing.bucket(vertex, buckets) - firstBucket;
    }

    private void answer(Lookup lookup, Consumer<Views> answers) {
        withoutVertices.clear(lookup.assigner());
        views.reset(
                lookup.number(),
                lookup.assigner(),
                lookup.bucket(),
                run,
                vertices.layout().stride());
        shownBuckets.clear();
        for (int i = lookup.counted(); i < lookup.size(); i++) {
            prefetch(lookup.vertices(), i, lookup.size());
            shownBuckets.set(bucket(lookup.vertex(i)));
            int slot = slot(lookup.vertex(i));
            int at = views.addRecord();
            RecordExchange.copy(vertices, slot, views.records(), at);
            if (releases != null) {
                releases.hide(lookup.vertex(i), ledgerOf(lookup.vertex(i)), views.records(), at);
            }
            if (lookup.count(i) > 0) {
                vertices.countEdges(slot, lookup.count(i));
            }
            if (edges != null) {
                // It is there once the assigner has written it; a removal may ask for one that never is.
                RecordExchange.forgetIfEmpty(vertices, slot);
            }
        }
        if (edges != null) {
            showCopies(lookup.removals(), edges, views.copies());
        }
        confirm(shownBuckets);
        answers.accept(views);
    }

    /** Adds to a message which updates of its assigner are in what it shows of these buckets. */
    private void confirm(BitSet shown) {
        for (int i = shown.nextSetBit(0); i >= 0; i = shown.nextSetBit(i + 1)) {
            ledgers[i].confirm(firstBucket + i, views);
        }
    }

    /** Shows one copy more of each edge than there are removals that may take older ones. */
    private void showCopies(EdgeBatch removals, BucketEdges kept, EdgeBatch into) {
        for (int i = 0; i < removals.size(); i++) {
            shownBuckets.set(bucket(removals.source(i)));
            ledgerOf(removals.source(i)).askRemoval(removals.source(i), removals.target(i), removals.key(i));
        }
        EdgeBatch ofBucket = new EdgeBatch(Math.max(1, removals.size()));
        for (int i = 0; i < removals.size(); i++) {
            ofBucket.addFrom(removals, i);
            BucketLedger ledger = ledgerOf(removals.source(i));
            if (i + 1 == removals.size() || ledgerOf(removals.source(i + 1)) != ledger) {
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
        int i = update.bucket() - firstBucket;
        if (i < 0 || i >= ledgers.length || update.isPlaced()) {
            return;
        }
        if (update.run() != run) {
            stale++;
            return;
        }
        if (update.isOfLoads()) {
            if (loads != null) {
                loads.tell(update.assigner(), Objects.requireNonNull(update.hints()));
            }
            return;
        }
        if (catchingUp != null && update.isCaughtUp()) {
            if (!update.added().isEmpty()) {
                withoutVertices.clear(update.assigner()); // it holds those of buffered edges
            }
            if (catchingUp.caughtUp(i, update)) {
                catchingUp.takeCorrections().forEach(this::correct);
                settle(catchingUp);
                catchingUp.takeWaiting().forEach(this::apply);
            }
            return;
        }
        if (catchingUp != null && catchingUp.holds(i, update)) {
            return;
        }
        if (update.isRelease()) {
            if (releases != null) {
                releases.release(update, ledgers[i]);
            }
            return;
        }
        if (update.isEnd()) {
            ledgers[i].requireAll(update);
            ended[i].set(update.assigner());
            return;
        }
        if (!ledgers[i].isNext(update)) {
            ledgers[i].sent(update);
            changedBuckets.set(i);
            duplicates++;
            return;
        }
        VertexBatch added = update.added();
        if (edges != null && update.records() == null) {
            applyShared(update, ledgers[i]);
        } else {
            applyVertices(update, ledgers[i]);
        }
        ledgers[i].apply(update);
        changedBuckets.set(i);
        if (assigners > 1) {
            changed.add(added, update.assigner());
        } else if (catchingUp != null && update.records() == null) {
            catchingUp.want(added); // they are of several assigners, so the only one does not know of it
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
            for (int bucket = 0; bucket < buckets; bucket++) {
                long applied = ledgers[bucket].applied(lineage.id());
                if (applied != lineage.lastSequence(bucket)) {
                    throw new IllegalStateException(
                            "bucket %d has update %d of lineage %x, which has sent %d: vertex table and assigners are not of the same checkpoint"
                                    .formatted(bucket, applied, lineage.id(), lineage.lastSequence(bucket)));
                }
            }
        }
        VertexSet waiting = VertexSet.of(left.buffered());
        long[] changes = left.degreeChanges(waiting);
        BucketOrder order = new BucketOrder(buckets);
        order.sort(waiting.size(), i -> bucket(waiting.vertex(i)));
        for (int bucket = 0; bucket < buckets; bucket++) {
            int from = order.start(bucket);
            int size = order.start(bucket + 1) - from;
            VertexBatch own = new VertexBatch(Math.max(1, size));
            long[] ofBucket = new long[size];
            for (int i = 0; i < size; i++) {
                own.add(waiting.vertex(order.at(from + i)), 0, VertexTable.NO_MASTER);
                ofBucket[i] = changes[order.at(from + i)];
            }
            apply(VertexUpdate.caughtUp(run, 0, bucket, false, own, ofBucket));
        }
    }

    /** All that earlier attempts have left is here: forgets vertices that several assigners count, or one, only. */
    private void settle(CatchingUp over) {
        for (int i = 0; releases != null && i < ledgers.length; i++) {
            releases.forgetBare(ledgers[i]);
            if (assigners == 1) { // it gives an owner anew to a vertex that has no edge
                for (long vertex : releases.forgetAll(ledgers[i])) {
                    over.want(vertex);
                    changedBuckets.set(i);
                }
                ledgers[i].endOwners();
            }
        }
    }

    /** Changes the degrees of the vertices of buffered edges, which one assigner and several count differently. */
    private void correct(VertexUpdate update) {
        long[] changes = update.hints();
        for (int i = 0; changes != null && i < update.added().size(); i++) {
            if (changes[i] != 0) {
                correct(update.added().vertex(i), changes[i], ledgers[update.bucket() - firstBucket]);
            }
        }
    }

    private void correct(long vertex, long change, BucketLedger ledger) {
        int slot = vertices.slot(vertex);
        long before = vertices.degree(slot);
        if (before + change < 0) {
            throw new IllegalStateException("vertex %d has %d edges, and %d wait; %s"
                    .formatted(vertex, before, -change, "vertex tables and assigners are not of the same checkpoint"));
        }
        vertices.countEdges(slot, Math.toIntExact(change));
        if (edges == null) {
            return;
        }
        if (before == 0) {
            ledger.create(1);
        } else if (vertices.degree(slot) == 0) {
            ledger.create(-1);
            vertices.forget(slot);
        }
    }

    /** Applies replicas and records that were chosen by an assigner, and kept edges of the only one. */
    private void applyVertices(VertexUpdate update, BucketLedger ledger) {
        VertexBatch added = update.added();
        expect(added);
        byte[] @Nullable [] records = update.records();
        for (int vertex = 0; vertex < added.size(); vertex++) {
            prefetch(expected, vertex, added.size());
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
                    RecordExchange.forgetIfEmpty(vertices, slot);
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
                    (vertex, partition, change, isMove) ->
                            count(vertex, partition, change, isMove ? NOBODY : update.assigner(), ledger));
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

    /** @param assigner that has added the replica if the edge needs one, or {@link #NOBODY} */
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
        boolean isDrawn =
                assigner == NOBODY && change > 0 && !hasOwner && RecordExchange.followEdges(vertices, slot, partition);
        if (assigners == 1) {
            // It was one of several, and the only one is shown the record.
        } else if (isChanged && change > 0 && assigner != NOBODY) {
            changed.add(vertex, assigner);
        } else if (isChanged || isDrawn) {
            changed.addForAll(vertex); // its assigner has changed nothing of it
        }
        if (releases != null) {
            releases.counted(vertex, slot, before, assigner, ledger);
        } else if (before == 0) {
            ledger.create(1);
        } else if (vertices.degree(slot) == 0) {
            ledger.create(-1);
            vertices.forget(slot);
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
     * @param news receives at most one message for each assigner and must be done with it when it returns
     */
    public void tellNews(Consumer<Views> news) {
        if (!isCaughtUp()) {
            return; // what is sent again passes through owners that are gone
        }
        if (releases != null && !areIdleAsked) {
            areIdleAsked = true; // no assigner has answered in this attempt
            for (BucketLedger ledger : ledgers) {
                releases.askAll(ledger);
            }
        }
        if (releases != null && hasEnded()) {
            releases.hold(false);
        }
        AssignerLoads dueLoads = loads != null && loads.areDue() ? loads : null;
        if (changedBuckets.isEmpty() && dueLoads == null && (releases == null || !releases.areDue())) {
            return;
        }
        vertices.expect(changed.vertices(), changed.size());
        if (releases != null) {
            releases.readMoved(Objects.requireNonNull(edges));
        }
        int stride = vertices.layout().stride();
        readChanged(stride);
        for (int assigner = 0; assigner < assigners; assigner++) {
            views.reset(Views.NEWS, assigner, firstBucket, run, stride);
            confirm(changedBuckets);
            int told = withoutVertices.get(assigner) ? 0 : changed.size();
            for (int i = 0; i < told; i++) {
                if (changed.isNewTo(assigner, i)) {
                    int at = views.addRecord();
                    System.arraycopy(changedRecords, i * stride, views.records(), at, stride);
                }
            }
            if (releases != null) {
                releases.tell(assigner, views);
            }
            if (dueLoads != null) {
                dueLoads.write(views);
            }
            if (views.size() > 0 || views.lineageCount() > 0 || !views.copies().isEmpty() || dueLoads != null) {
                news.accept(views);
            }
        }
        if (releases != null) {
            releases.told();
        }
        if (dueLoads != null) {
            dueLoads.told();
        }
        changed.clear();
        changedBuckets.clear();
    }

    /** Reads the records of the changed vertices, which several assigners are told, unless none is. */
    private void readChanged(int stride) {
        if (withoutVertices.cardinality() == assigners) {
            return;
        }
        int size = changed.size();
        if (changedRecords.length < size * stride) {
            changedRecords = new long[size * stride];
        }
        for (int i = 0; i < size; i++) {
            prefetch(changed.vertices(), i, size);
            int slot = vertices.slot(changed.vertices()[i]);
            RecordExchange.copy(vertices, slot, changedRecords, i * stride);
            if (releases != null) {
                releases.hide(changed.vertices()[i], ledgerOf(changed.vertices()[i]), changedRecords, i * stride);
            }
            if (edges != null) {
                RecordExchange.forgetIfEmpty(vertices, slot); // it may be gone
            }
        }
    }

    /** Returns how many vertices have changed since the last news. */
    public int changedVertices() {
        return changed.size();
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
        changedBuckets.set(bucket(vertex)); // news say what is in the rows
        return releases.move(vertex, from, to, ledgerOf(vertex));
    }

    /** Sets whether vertices without edges keep their owners; see {@link OwnerReleases}. */
    public void holdOwners(boolean areHeld) {
        if (releases != null) {
            releases.hold(areHeld);
        }
    }

    /** Every assigner has announced its end: no edge comes to a vertex that has none. */
    public void end() {
        for (BucketLedger ledger : ledgers) {
            if (releases != null) {
                releases.forgetAll(ledger);
            }
        }
    }

    /** Returns how many vertices have an owner and no edge. */
    int idleVertices() {
        return Arrays.stream(ledgers).mapToInt(ledger -> ledger.idle().size()).sum();
    }

    /** Returns whether every assigner has announced its end. */
    public boolean hasEnded() {
        for (BitSet ends : ended) {
            if (ends.cardinality() < assigners) {
                return false;
            }
        }
        return true;
    }

    /** Replicas and vertices, of all its buckets. */
    public ReplicaCounts counts() {
        ReplicaCounts sum = new ReplicaCounts(vertices.layout().partitionCount());
        for (BucketLedger ledger : ledgers) {
            sum.addAll(ledger.counts());
        }
        return sum;
    }

    /**
     * Returns how many vertices each partition owns, if edges are kept without those that have none; 0 where no owners
     * are proposed.
     */
    public long[] owned() {
        long[] sum = new long[vertices.layout().partitionCount()];
        for (BucketLedger ledger : ledgers) {
            ledger.addOwned(sum);
        }
        return sum;
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
