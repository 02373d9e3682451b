package io.cutwater.state.feedback;

import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgeRuns;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
        /** Returns the placement over the cache; another number of partitions makes another one. */
        Placement placement();

        /**
         * Starts to place edges: all tables have greeted. If the only assigner goes on with what several have left, the
         * cache has the records of the vertices of their buffered edges now, so it takes these like new ones.
         */
        default void started() {}

        /** Counts a batch of a preparation pass, which no assigner observes. */
        void observed(EdgeBatch batch);

        /** Places the edges of a batch; the cache holds the records of its vertices. */
        void joined(EdgeBatch batch);

        /**
         * Places buffered edges, because no batch will come any more. If there are several assigners and edges are
         * left, it is called again when the tables have confirmed what was sent, and have told what the others did
         * meanwhile.
         */
        void exhausted();

        /**
         * Takes down that a vertex in the cache, which had none, has a master that its table tells. In a vertex
         * partitioning it is the owner.
         */
        void mastered(long vertex);

        /** See {@link Placement#ownerMoved}. */
        void moved(long vertex, int from, int to, EdgeBatch edges);

        /** Sends an update or a request to the table, in the order given. */
        void publish(VertexUpdate update);

        /** Takes a reply to a request; the cache holds the records that it has. */
        void replied(Views reply);
    }

    /**
     * The views of a batch that have come, and news of their tables, each table's in the order in which it sent them.
     */
    private static final class Join {
        private final List<Views> views = new ArrayList<>();
        private int answers;
    }

    /** Edges that an assigner places before others begin, if there are no others. */
    public static final long ONLY_ONE = Long.MAX_VALUE;

    /** Changes that one assigner gathers for an update, as nobody else needs them: in small records they cost more. */
    private static final int GATHERED = 4096;

    /**
     * Edges whose changes one of several assigners gathers before it sends them, as a share of its edges so far: half
     * of the window that {@link AskWindow} allows, which counts them until they are sent.
     */
    private static final double GATHERED_SHARE = AskWindow.SHARE / 2;

    /** Changes of kept edges, of which there is one for each edge. */
    private static final int GATHERED_EDGES = 32 * 1024;

    private final VertexTable cache;
    private final UpdateSender.Changes changes;
    private final @Nullable RemoteEdges edges;
    private final int placingPass;
    private final UpdateSender updates;
    private final Starting starting;
    private final boolean hasPeers;
    private final long soloEdges;
    private final Output output;

    private final Deque<NumberedBatch> batches = new ArrayDeque<>();
    private final Map<Long, Join> joins = new HashMap<>();
    /** The number of the last batch of which each table has sent views, by the run of the table. */
    private final Map<Long, Long> lastViews = new HashMap<>();

    private final long[] next = new long[RecordPrefetch.VERTICES];
    private long lastFinished;
    private long placedEdges;
    private long unsentEdges;
    private EdgeRuns runs = new EdgeRuns();
    private boolean areRuns; // and the others place edges, too
    private boolean hasToldLoads; // in this attempt
    private @Nullable NumberedBatch unsentBatch; // the last one of several assigners that the asking task is to hear of
    private boolean isBatchesEnd;
    private boolean isEnded;

    /**
     * Creates the join of the only assigner, which writes whole records back and places or observes every edge itself.
     *
     * @param writeBack an empty cache, or with the vertices of the buffered edges
     */
    public ViewJoin(WriteBack writeBack, int buckets, Resumption resumption, Output output) {
        this(0, writeBack.cache(), writeBack, 0, buckets, resumption, ONLY_ONE, output);
    }

    /**
     * Creates the join of one of several assigners, or of one whose rule changes nothing of a vertex but its replicas.
     * The output has the buffered edges of the checkpoint already.
     *
     * @param number 0 to A − 1
     * @param cache an empty table without a store, over which the engine places edges
     * @param placingPass number of the first pass that places edges
     * @param soloEdges how many edges it places before other assigners begin, or {@link #ONLY_ONE}: until then it
     *     gathers many changes before it sends them. One of several tells the operator that asks for views what it has
     *     placed and sent
     */
    public ViewJoin(
            int number,
            VertexTable cache,
            int placingPass,
            int buckets,
            Resumption resumption,
            long soloEdges,
            Output output) {
        this(
                number,
                cache,
                new ReplicaChanges(cache, null, output),
                placingPass,
                buckets,
                resumption,
                soloEdges,
                output);
    }

    /**
     * Creates the join of one of several assigners that keep edges; see the constructor above.
     *
     * @param edges those whose sources are the assigner's ({@link EdgesBySource#assigner})
     */
    public static ViewJoin ofOneOfSeveral(
            int number, VertexTable cache, RemoteEdges edges, int buckets, Resumption resumption, Output output) {
        ReplicaChanges changes = new ReplicaChanges(cache, edges, output);
        return new ViewJoin(number, cache, changes, 0, buckets, resumption, 0, output);
    }

    private ViewJoin(
            int number,
            VertexTable cache,
            UpdateSender.Changes changes,
            int placingPass,
            int buckets,
            Resumption resumption,
            long soloEdges,
            Output output) {
        this.changes = changes;
        edges = changes.edges();
        this.cache = cache;
        this.placingPass = placingPass;
        this.output = output;
        hasPeers = soloEdges < ONLY_ONE;
        this.soloEdges = soloEdges;
        updates = new UpdateSender(number, changes, buckets, resumption.lineages(), output);
        starting = new Starting(resumption, updates, changes);
    }

    /** Adds a batch; batches come in the order of their numbers. */
    public void onBatch(NumberedBatch batch) {
        batches.add(batch);
        proceed();
    }

    /** Adds an answer or a greeting and keeps it until its batch is placed. */
    public void onViews(Views views) {
        if (views.isGreeting()) {
            updates.greet(views);
        } else if (views.isRestored()) {
            restore(views);
        } else if (views.isReply()) {
            reply(views);
        } else if (views.isNews()) {
            long after = lastViews.getOrDefault(views.run(), 0L);
            if (after > lastFinished) {
                // Views that wait are older: they need the overlay, and the vertices may enter the cache with them. But
                // those that come later have in them what the news say, such as another owner.
                join(after).views.add(views);
            } else {
                updates.confirm(views);
                hear(views);
            }
        } else {
            Join join = join(views.number());
            join.views.add(views);
            join.answers++;
            lastViews.merge(views.run(), views.number(), Math::max);
        }
        proceed();
    }

    private Join join(long batch) {
        return joins.computeIfAbsent(batch, number -> new Join());
    }

    /** No batch will come any more: once all are placed, it tells the table so. */
    public void endBatches() {
        isBatchesEnd = true;
        proceed();
    }

    /** Loads the records that the only assigner needs to start. */
    private void restore(Views views) {
        WriteBack only = (WriteBack) changes;
        long[] records = records(views);
        for (int i = 0; i < views.size(); i++) {
            only.loadRestored(records, i * stride());
        }
        starting.restored(views);
    }

    /**
     * Goes on with other things than were known at first, because a greeting has brought the state of a job of one
     * task; call it before that greeting is passed on.
     */
    public void resume(Resumption other) {
        starting.resume(other);
    }

    private void proceed() {
        if (starting.proceed()) {
            output.started();
            if (team() != null) {
                send();
            }
        }
        while (isStarted() && !batches.isEmpty()) {
            NumberedBatch batch = batches.element();
            if (batch.answers() == 0) {
                // Of a preparation pass, or the cache has everything.
                finish(batch, new Join());
            } else {
                Join join = joins.get(batch.number());
                if (join == null || join.answers < batch.answers()) {
                    break;
                }
                joins.remove(batch.number());
                finish(batch, join);
            }
            batches.remove();
        }
        if (isBatchesEnd && !isEnded && isStarted() && batches.isEmpty()) {
            placeRest();
        }
    }

    private void placeRest() {
        int left = bufferedCount();
        if (hasPeers && left > 0 && updates.unconfirmed() > 0) {
            return;
        }
        do {
            left = bufferedCount();
            output.exhausted();
            flush();
        } while (bufferedCount() > 0 && bufferedCount() < left && updates.unconfirmed() == 0);
        if (bufferedCount() == 0) { // else the tables have yet to decide on owners, or others to place edges
            isEnded = true;
            updates.end();
        }
    }

    private int bufferedCount() {
        return output.placement().heldCount();
    }

    private void finish(NumberedBatch numbered, Join join) {
        EdgeBatch batch = numbered.batch();
        if (batch.pass() < placingPass) {
            output.observed(batch);
            return;
        }
        evict(numbered.evicted());
        load(join.views);
        long misses = cache.misses();
        if (edges != null) {
            edges.begin(batch);
        }
        observe(batch);
        output.joined(batch);
        if (edges == null && cache.misses() != misses) {
            throw new IllegalStateException("batch %d has %d vertices without views; please report this as a defect"
                    .formatted(numbered.number(), cache.misses() - misses));
        }
        if (edges != null) {
            edges.end();
            askForReleases(output.placement().takeLeft());
        }
        placedEdges += batch.size();
        unsentEdges += batch.size();
        unsentBatch = hasPeers ? numbered : null;
        if (isSendingDue()) {
            send();
        }
        lastFinished = numbered.number();
        for (Views views : join.views) {
            if (views.isNews()) {
                updates.confirm(views); // the copies that the batch has removed were those of before
            }
        }
    }

    private void observe(EdgeBatch batch) {
        TeamLoads team = team();
        if (team != null) {
            runs.observe(batch);
            areRuns = !isAlone() && runs.areFound();
            team.setOrder(isAlone(), areRuns);
        }
    }

    private @Nullable TeamLoads team() {
        return hasPeers ? output.placement().teamLoads() : null;
    }

    /** Others must know soon of kept edges, which they may remove, and of what is much beside the graph so far. */
    private boolean isSendingDue() {
        boolean areMany = changes.gathered() >= GATHERED || edges != null && edges.gathered() >= GATHERED_EDGES;
        return areMany || !isAlone() && (edges != null || unsentEdges >= gatheredShare() * placedEdges);
    }

    /** Returns whether the other assigners have yet to begin. */
    private boolean isAlone() {
        return placedEdges < soloEdges;
    }

    private double gatheredShare() {
        TeamLoads team = team();
        return areRuns && team != null ? team.shareOfRuns() / 2 : GATHERED_SHARE;
    }

    /** Has other edges say whether they come in runs; call it before the first batch. */
    void setRuns(EdgeRuns other) {
        runs = other;
    }

    private void evict(long[] evicted) {
        if (changes.areSentBefore(evicted)) {
            send();
        }
        updates.evict(evicted);
    }

    /** Loads views, and what is newer than they are, into the cache. */
    private void load(List<Views> answers) {
        if (answers.size() > 1) {
            // So vertices get the slots that their batch says; those of one table keep their order.
            answers.sort(Comparator.comparingInt(Views::bucket));
        }
        for (Views views : answers) {
            if (views.isNews()) {
                hear(views); // the views behind it know what it says
                continue;
            }
            updates.confirm(views);
            if (edges != null) {
                edges.load(views.copies());
            }
            long[] records = records(views);
            for (int i = 0; i < views.size(); i++) {
                changes.load(records, i * stride());
            }
        }
    }

    /**
     * Loads the records of a reply at once: what is newer than they are is not confirmed yet, because the table sends
     * its confirmations after the reply.
     */
    private void reply(Views views) {
        if (changes instanceof WriteBack only) {
            long[] records = records(views);
            for (int i = 0; i < views.size(); i++) {
                only.loadHeld(records, i * stride());
            }
        }
        output.replied(views);
    }

    /** Returns the records of views as the cache has them: a table may have room for more partitions than there are. */
    private long[] records(Views views) {
        return RecordExchange.fit(views.records(), views.stride(), views.size(), cache);
    }

    private int stride() {
        return cache.layout().stride();
    }

    /** Returns the requests of an assigner that keeps edges to the tables. */
    public TableRequests requests() {
        return new TableRequests(this, changes, updates, output);
    }

    /** Lays the cache out for another number of partitions, when all that has changed is published. */
    public void setPartitions(int partitions) {
        flush();
        cache.setPartitions(partitions);
        changes.layOut();
    }

    /** Adds what other assigners have changed to vertices in the cache. */
    private void hear(Views changed) {
        moveOwners(changed);
        TeamLoads team = team();
        if (team != null && changed.loads().length > 0) {
            team.hear(changed.loads());
        }
        long[] records = records(changed);
        for (int i = 0; i < changed.size(); i++) {
            if (i % RecordPrefetch.VERTICES == 0) {
                prefetch(records, i, Math.min(changed.size(), i + RecordPrefetch.VERTICES));
            }
            changes.hear(records, i * stride());
        }
        if (!changed.copies().isEmpty()) {
            release(changed.copies());
        }
    }

    /** Moves the edges of vertices that have another owner, before anything is placed by that. */
    private void moveOwners(Views changed) {
        EdgeBatch rows = changed.copies();
        for (int i = 0; i < rows.size(); i++) {
            if (!rows.isVertexRemoval(i)) {
                continue;
            }
            EdgeBatch inTable = new EdgeBatch(1);
            for (int row = i + 1; row < rows.size() && !rows.isVertexRemoval(row); row++) {
                inTable.addFrom(rows, row);
            }
            RemoteEdges kept = Objects.requireNonNull(edges, "a vertex moves in a job that keeps edges");
            if (kept.gathered() >= GATHERED) {
                send();
            }
            long vertex = rows.source(i);
            int bucket = Hashing.bucket(vertex, updates.buckets());
            EdgeBatch own = kept.ofVertex(vertex, inTable, updates.unconfirmedEdges(bucket, changed));
            output.moved(vertex, Place.ofSource(rows.place(i)), Place.ofTarget(rows.place(i)), own);
        }
    }

    /** Forgets owners, and says so to the tables, which ask in their news; see {@link OwnerReleases}. */
    private void release(EdgeBatch asked) {
        VertexBatch released = new VertexBatch(asked.size());
        long[] questions = new long[asked.size()];
        for (int i = 0; i < asked.size() && !asked.isVertexRemoval(i); i++) {
            if (asked.isRemoval(i)) {
                output.placement().disown((int) asked.target(i));
            } else if (output.placement().release(asked.source(i))) {
                changes.forgetOwner(asked.source(i));
                questions[released.size()] = asked.target(i);
                released.add(asked.source(i), 0, VertexTable.NO_MASTER);
            }
        }
        if (!released.isEmpty()) {
            send();
            updates.release(released, questions);
        }
    }

    /** Has the tables ask all assigners about vertices. */
    private void askForReleases(long[] left) {
        if (left.length > 0) {
            VertexBatch vertices = new VertexBatch(left.length);
            for (long vertex : left) {
                vertices.add(vertex, 0, VertexTable.NO_MASTER);
            }
            send();
            updates.release(vertices, new long[left.length]); // IdleVertices.NO_QUESTION
        }
    }

    private void prefetch(long[] records, int from, int to) {
        for (int i = from; i < to; i++) {
            next[i - from] = records[i * stride()];
        }
        cache.prefetch(next, 0, to - from);
    }

    /** Publishes all changes; call it before a barrier. */
    public void flush() {
        changes.gatherAll();
        send();
    }

    /**
     * Publishes the changes that are gathered, and says which batches they are of. Before it has started it keeps them:
     * what earlier attempts have left must come first, also what other assigners send again.
     */
    public void send() {
        if (!isStarted()) {
            return;
        }
        updates.send();
        TeamLoads team = team();
        // What is in its state, and what it has placed alone, the others must know in any case.
        if (team != null && (areRuns || isAlone() || !hasToldLoads)) {
            hasToldLoads = !isAlone();
            long[] changedLoads = team.takeChanged();
            if (changedLoads.length > 0) {
                updates.tellLoads(changedLoads);
            }
        }
        unsentEdges = 0;
        if (unsentBatch != null) {
            output.publish(VertexUpdate.placed(unsentBatch));
            unsentBatch = null;
        }
    }

    /**
     * Checks that no batch waits; called at a barrier.
     *
     * @throws IllegalStateException if a batch waits for answers, which with aligned checkpoints cannot be
     */
    public void requireNothingHalfJoined() {
        if (!batches.isEmpty() || !joins.isEmpty() || !isStarted()) {
            throw new IllegalStateException(
                    ("a checkpoint finds %d batches that wait for answers, answers to %d batches, and %d of %d buckets"
                                    + " there: checkpoints must be aligned, so switch unaligned checkpoints off")
                            .formatted(batches.size(), joins.size(), updates.greeted(), updates.buckets()));
        }
    }

    /** Returns whether it has started ({@link Output#started}). */
    public boolean isStarted() {
        return starting.isOver();
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
        return updates.lineages();
    }

    /** Returns how many edges were placed whose changes are not sent. */
    public long unsentEdges() {
        return unsentEdges;
    }

    /** Batches that wait for answers. */
    public int waitingBatches() {
        return batches.size();
    }

    /** Updates that are not confirmed. */
    public long unconfirmedUpdates() {
        return updates.unconfirmed();
    }

    /** Vertices whose latest replicas may not be in the views yet, as far as the cache does not have them. */
    public int overlayVertices() {
        return changes.unconfirmedVertices();
    }
}
