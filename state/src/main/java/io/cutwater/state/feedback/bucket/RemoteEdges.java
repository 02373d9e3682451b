package io.cutwater.state.feedback.bucket;

import io.cutwater.state.edges.EdgeSlots;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kept edges of an assigner, which are in the vertex tables ({@link BucketEdges}). Of several assigners each has
 * the edges whose sources are its own ({@link EdgesBySource}). It gathers what is added and removed until it is sent.
 * For a removal it has the oldest copies that the table of the edge's source sent with the batch, and after these come
 * the copies that it has added since; the table has not confirmed them, and neither the removals of copies that it
 * still sends. So a removal finds the copy that it finds in one task. Copies with a key are edges of their own here.
 */
public final class RemoteEdges implements KeptEdges {
    private static final int NONE = AddedCopies.NONE;

    private final boolean hasPlaces;
    private final boolean sendsPlaces;
    private final boolean toldToBoth;
    private final int buckets;
    private final EdgeBatch gathered = new EdgeBatch();
    private double weight = Double.NaN;
    private long timestamp = EdgeBatch.NO_TIMESTAMP;
    private long key = EdgeBatch.NO_KEY;

    /** Edges that have an entry below: unconfirmed changes, or a removal in the batch. */
    private final EdgeSlots edges = new EdgeSlots();

    /** Unconfirmed removals. */
    private int[] removed = new int[edges.bound()];
    /** First and last of the unconfirmed added copies, and one that is {@code reachedAt} after the first. */
    private int[] first = new int[edges.bound()];

    private int[] last = new int[edges.bound()];
    private int[] reached = new int[edges.bound()];
    private int[] reachedAt = new int[edges.bound()];
    /** Removals in the batch that are not answered, and the copies that the table has sent for them. */
    private int[] asked = new int[edges.bound()];

    private int[] copiesFrom = new int[edges.bound()];
    private int[] copiesTo = new int[edges.bound()];

    private final EdgeBatch copies = new EdgeBatch(1);
    private int[] inBatch = new int[16];
    private int inBatchCount;

    private final AddedCopies added = new AddedCopies();

    /** Unconfirmed moves, and how many removals of the edge were confirmed. */
    private int[] moves = new int[edges.bound()];

    private long[] confirmedRemovals = new long[edges.bound()];
    private final UnconfirmedMoves unconfirmedMoves = new UnconfirmedMoves();
    private int[] places = new int[16];

    /** In a vertex partitioning: unconfirmed moves of an edge, and the place that all of its copies have now. */
    private int[] ownerMoves = new int[edges.bound()];

    private int[] movedTo = new int[edges.bound()];
    private @Nullable MovableCopies movable;
    private @Nullable MovableVertices movableVertices;
    private @Nullable VertexTable owners; // of several assigners in a vertex partitioning

    /**
     * @param hasPlaces true in an edge partitioning
     * @param buckets of the tables
     */
    public RemoteEdges(boolean hasPlaces, int buckets) {
        this(hasPlaces, hasPlaces, !hasPlaces, buckets);
    }

    private RemoteEdges(boolean hasPlaces, boolean sendsPlaces, boolean toldToBoth, int buckets) {
        this.hasPlaces = hasPlaces;
        this.sendsPlaces = sendsPlaces;
        this.toldToBoth = toldToBoth;
        this.buckets = buckets;
    }

    /**
     * Creates the edges of one of several assigners: the tables of both ends count them. In a vertex partitioning they
     * are kept with a {@link Place} then, because their assigner may not know the owners of their ends any more.
     *
     * @param hasPlaces true in an edge partitioning
     */
    public static RemoteEdges ofOneOfSeveral(boolean hasPlaces, int buckets) {
        return new RemoteEdges(hasPlaces, true, true, buckets);
    }

    /**
     * Sets the cache of one of several assigners, whose vertices have the present owners. A copy that one assigner has
     * kept has no place, or the one of before it has moved an end. As long as a table has such a copy, its ends have
     * owners, which the cache knows.
     */
    public void ownersIn(VertexTable cache) {
        owners = hasPlaces ? null : cache;
    }

    @Override
    public boolean hasPlaces() {
        return hasPlaces;
    }

    @Override
    public boolean areElsewhere() {
        return true;
    }

    /** Finds none: before a vertex is removed, all edges that it has in the tables are removed one by one. */
    @Override
    public void incident(long vertex, int limit, EdgeBatch into) {}

    /** Adds copies of edges that the batch removes, the oldest ones of each edge together. */
    public void load(EdgeBatch oldest) {
        int offset = copies.size();
        for (int from = 0; from < oldest.size(); ) {
            int to = from;
            while (to < oldest.size()
                    && oldest.source(to) == oldest.source(from)
                    && oldest.target(to) == oldest.target(from)
                    && oldest.key(to) == oldest.key(from)) {
                copies.addFrom(oldest, to++);
            }
            int slot = slot(oldest.source(from), oldest.target(from), oldest.key(from));
            copiesFrom[slot] = offset + from;
            copiesTo[slot] = offset + to;
            from = to;
        }
    }

    /** Begins a batch; the copies are loaded. */
    public void begin(EdgeBatch batch) {
        for (int i = 0; batch.hasRemovals() && i < batch.size(); i++) {
            if (batch.isRemoval(i)) {
                int slot = slot(batch.source(i), batch.target(i), batch.key(i));
                if (asked[slot]++ == 0) {
                    if (inBatchCount == inBatch.length) {
                        inBatch = Arrays.copyOf(inBatch, 2 * inBatchCount);
                    }
                    inBatch[inBatchCount++] = slot;
                }
            }
        }
    }

    /** Ends a batch: tells the tables of the removals that took no kept copy away. */
    public void end() {
        for (int i = 0; i < inBatchCount; i++) {
            int slot = inBatch[i];
            for (; asked[slot] > 0; asked[slot]--) {
                gatherRemoval(edges.source(slot), edges.target(slot), edges.key(slot));
            }
            copiesFrom[slot] = 0;
            copiesTo[slot] = 0;
            freeIfUnused(slot);
        }
        inBatchCount = 0;
        copies.clear();
    }

    private void gatherRemoval(long source, long target, long key) {
        gathered.add(source, target, Double.NaN, EdgeBatch.NO_TIMESTAMP, key);
        gathered.setRemoval(gathered.size() - 1);
    }

    @Override
    public void add(long source, long target, int partition, double weight, long timestamp, long key, boolean isNew) {
        gathered.add(source, target, weight, timestamp, key);
        if (sendsPlaces) {
            gathered.setPlace(gathered.size() - 1, partition);
        }
        await(slot(source, target, key), partition, weight, timestamp);
        if (movableVertices != null) {
            movableVertices.added(source, target, weight, timestamp, key);
        }
    }

    @Override
    public int remove(long source, long target, long key) {
        int slot = edges.find(source, target, key);
        if (slot == EdgeSlots.NONE || asked[slot] == 0) {
            throw new IllegalStateException(
                    "edge (%d, %d) is removed, and no table was asked for it; please report this as a defect"
                            .formatted(source, target));
        }
        int oldest = copiesFrom[slot] + removed[slot];
        int place;
        if (oldest < copiesTo[slot]) {
            place = copies.place(oldest);
            weight = copies.weight(oldest);
            timestamp = copies.timestamp(oldest);
        } else {
            int copy = added(slot, oldest - copiesTo[slot]);
            if (copy == NONE) {
                return NO_EDGE;
            }
            place = added.place(copy);
            weight = added.weight(copy);
            timestamp = added.timestamp(copy);
        }
        this.key = key;
        gatherRemoval(source, target, key);
        if (moves[slot] != UnconfirmedMoves.NONE) {
            place = movedPlace(slot);
        } else if (ownerMoves[slot] > 0) {
            place = movedTo[slot];
        }
        place = present(source, target, place);
        gathered.setPlace(
                gathered.size() - 1, sendsPlaces && toldToBoth ? BucketEdges.takenFrom(place) : EdgeBatch.TAKEN_AWAY);
        if (movable != null) {
            movable.removed(source, target);
        }
        if (movableVertices != null) {
            movableVertices.removed(source, target);
        }
        asked[slot]--;
        removed[slot]++;
        return place;
    }

    /** Returns the place of a copy that was kept with a place, or without one. */
    private int present(long source, long target, int place) {
        VertexTable cache = owners;
        if (cache == null) {
            return place;
        }
        int ofSource = owner(cache, source, place == EdgeBatch.NO_PLACE ? NONE : Place.ofSource(place));
        int ofTarget = owner(cache, target, place == EdgeBatch.NO_PLACE ? NONE : Place.ofTarget(place));
        if (ofSource == NONE || ofTarget == NONE) {
            throw new IllegalStateException(
                    "edge (%d, %d) is removed, and the owners of its ends are not known; please report this as a defect"
                            .formatted(source, target));
        }
        return Place.of(ofSource, ofTarget);
    }

    private static int owner(VertexTable cache, long vertex, int kept) {
        int owner = RecordExchange.has(cache, vertex) ? cache.master(cache.slot(vertex)) : VertexTable.NO_MASTER;
        return owner == VertexTable.NO_MASTER ? kept : owner;
    }

    /** Returns the place of the oldest copy, which the table may have moved or not when it sent its copies. */
    private int movedPlace(int slot) {
        int size = 0;
        for (int i = copiesFrom[slot]; i < copiesTo[slot]; i++) {
            size = addPlace(size, copies.place(i));
        }
        for (int copy = first[slot]; copy != NONE; copy = added.next(copy)) {
            size = addPlace(size, added.place(copy));
        }
        unconfirmedMoves.apply(moves[slot], places, size, confirmedRemovals[slot]);
        return places[removed[slot]];
    }

    private int addPlace(int size, int place) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size] = place;
        return size + 1;
    }

    /** Returns the added copy of an edge with so many before it; each search begins where the last one ended. */
    private int added(int slot, int before) {
        if (reached[slot] == NONE || reachedAt[slot] > before) {
            reached[slot] = first[slot];
            reachedAt[slot] = 0;
        }
        int at = reached[slot];
        for (int i = reachedAt[slot]; i < before && at != NONE; i++) {
            at = added.next(at);
        }
        if (at != NONE) {
            reached[slot] = at;
            reachedAt[slot] = before;
        }
        return at;
    }

    @Override
    public double weight() {
        return weight;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public long key() {
        return key;
    }

    private int slot(long source, long target, long key) {
        int slot = edges.find(source, target, key);
        if (slot != EdgeSlots.NONE) {
            return slot;
        }
        slot = edges.add(source, target, key);
        if (removed.length < edges.bound()) {
            int bound = edges.bound();
            removed = Arrays.copyOf(removed, bound);
            first = Arrays.copyOf(first, bound);
            last = Arrays.copyOf(last, bound);
            reached = Arrays.copyOf(reached, bound);
            reachedAt = Arrays.copyOf(reachedAt, bound);
            asked = Arrays.copyOf(asked, bound);
            copiesFrom = Arrays.copyOf(copiesFrom, bound);
            copiesTo = Arrays.copyOf(copiesTo, bound);
            moves = Arrays.copyOf(moves, bound);
            confirmedRemovals = Arrays.copyOf(confirmedRemovals, bound);
            ownerMoves = Arrays.copyOf(ownerMoves, bound);
            movedTo = Arrays.copyOf(movedTo, bound);
        }
        ownerMoves[slot] = 0;
        moves[slot] = UnconfirmedMoves.NONE;
        confirmedRemovals[slot] = 0;
        first[slot] = NONE;
        reached[slot] = NONE;
        return slot;
    }

    private void await(int slot, int place, double weight, long timestamp) {
        movedTo[slot] = place; // all copies have the place of the latest one
        int copy = added.add(place, weight, timestamp);
        if (first[slot] == NONE) {
            first[slot] = copy;
        } else {
            added.append(last[slot], copy);
        }
        last[slot] = copy;
    }

    private void freeIfUnused(int slot) {
        boolean isUnmoved = moves[slot] == UnconfirmedMoves.NONE && ownerMoves[slot] == 0;
        boolean isUnchanged = removed[slot] == 0 && first[slot] == NONE && isUnmoved;
        if (isUnchanged && asked[slot] == 0 && copiesTo[slot] == copiesFrom[slot]) {
            edges.remove(slot);
        }
    }

    /** Takes over changes of an earlier attempt that a table has not confirmed. */
    public void await(EdgeBatch changes, int bucket) {
        for (int i = 0; i < changes.size(); i++) {
            if (Hashing.bucket(changes.source(i), buckets) != bucket) {
                continue; // the other end's
            }
            if (UnconfirmedMoves.isMove(changes, i) && !hasPlaces) {
                awaitOwnerMove(changes.source(i), changes.target(i), changes.key(i), changes.place(i));
            } else if (UnconfirmedMoves.isMove(changes, i)) {
                awaitMove(changes.source(i), changes.target(i), changes.key(i), changes.place(i));
            } else if (!changes.isRemoval(i)) {
                int slot = slot(changes.source(i), changes.target(i), changes.key(i));
                await(slot, changes.place(i), changes.weight(i), changes.timestamp(i));
            } else if (BucketEdges.takesAway(changes, i)) {
                int slot =
                        slot(changes.source(i), changes.target(i), changes.key(i)); // before the column, which may grow
                removed[slot]++;
            }
        }
    }

    /** Takes down that the table of a bucket has changes. */
    public void confirm(EdgeBatch changes, int bucket) {
        for (int i = 0; i < changes.size(); i++) {
            boolean isUnknown = changes.isRemoval(i) && changes.place(i) == EdgeBatch.NO_PLACE;
            if (isUnknown || Hashing.bucket(changes.source(i), buckets) != bucket) {
                continue;
            }
            int slot = edges.find(changes.source(i), changes.target(i), changes.key(i));
            if (UnconfirmedMoves.isMove(changes, i) && !hasPlaces) {
                ownerMoves[slot]--;
            } else if (UnconfirmedMoves.isMove(changes, i)) {
                moves[slot] = unconfirmedMoves.confirm(moves[slot]);
            } else if (changes.isRemoval(i)) {
                removed[slot]--;
                confirmedRemovals[slot]++;
            } else {
                first[slot] = added.remove(first[slot]);
                reached[slot] = reachedAt[slot] == 0 ? NONE : reached[slot];
                reachedAt[slot]--;
            }
            freeIfUnused(slot);
        }
    }

    /** Returns the number of changes that are gathered. */
    public int gathered() {
        return gathered.size();
    }

    /** Sorts the gathered changes by the buckets that are to be told. */
    public void sort(BucketOrder order) {
        int size = gathered.size();
        order.sort(toldToBoth ? 2 * size : size, i -> i < size ? bucket(gathered.source(i)) : ofTarget(i - size));
    }

    private int ofTarget(int i) {
        int bucket = bucket(gathered.target(i));
        return bucket == bucket(gathered.source(i)) ? BucketOrder.NOWHERE : bucket;
    }

    private int bucket(long vertex) {
        return Hashing.bucket(vertex, buckets);
    }

    /** Returns gathered changes as {@link BucketEdges#apply} takes them: those at some positions of the order. */
    public EdgeBatch changes(BucketOrder order, int from, int to) {
        EdgeBatch changes = new EdgeBatch(Math.max(1, to - from));
        int size = gathered.size();
        for (int i = from; i < to; i++) {
            changes.addFrom(gathered, order.at(i) < size ? order.at(i) : order.at(i) - size);
        }
        return changes;
    }

    /** Empties what is gathered. */
    public void clear() {
        gathered.clear();
    }

    /** Returns the number of edges with unconfirmed changes. */
    public int unconfirmedEdges() {
        return edges.size();
    }

    /**
     * Keeps an eye on copies that are about to move.
     *
     * @param copies null for none any more
     */
    public void watch(@Nullable MovableCopies copies) {
        movable = copies;
    }

    /**
     * Keeps an eye on vertices that are about to move.
     *
     * @param vertices null for none any more
     */
    public void watch(@Nullable MovableVertices vertices) {
        movableVertices = vertices;
    }

    /** Moves the next one of the copies that are watched; false if there is none on that partition. */
    @Override
    public boolean move(long source, long target, int from, int to) {
        MovableCopies copy = movable;
        if (copy == null || !copy.take(source, target, from)) {
            return false;
        }
        weight = copy.weight();
        timestamp = copy.timestamp();
        key = copy.key();
        UnconfirmedMoves.append(gathered, source, target, key, from, to);
        awaitMove(source, target, key, Place.of(from, to));
        return true;
    }

    private void awaitMove(long source, long target, long key, int place) {
        int slot = slot(source, target, key); // before the column, which may grow
        long removals = confirmedRemovals[slot] + removed[slot];
        moves[slot] = unconfirmedMoves.add(moves[slot], Place.ofSource(place), Place.ofTarget(place), removals);
    }

    @Override
    public void moved(long source, long target, long key, int from, int to) {
        UnconfirmedMoves.appendOwned(gathered, source, target, key, from, to);
        awaitOwnerMove(source, target, key, to);
    }

    private void awaitOwnerMove(long source, long target, long key, int to) {
        int slot = slot(source, target, key); // before the column, which may grow
        ownerMoves[slot]++;
        movedTo[slot] = to;
    }

    /**
     * Returns the edges of a vertex that are this assigner's, of a vertex partitioning.
     *
     * @param inTable those that its table has told
     * @param unconfirmed changes that it did not have then, in order; those that are gathered come last
     */
    public EdgeBatch ofVertex(long vertex, EdgeBatch inTable, List<EdgeBatch> unconfirmed) {
        EdgeBatch own = new EdgeBatch(Math.max(1, inTable.size()));
        own.addAll(inTable);
        unconfirmed.forEach(changes -> EdgeOverlay.lay(changes, vertex, own));
        EdgeOverlay.lay(gathered, vertex, own);
        own.removePlaced(EdgeBatch.TAKEN_AWAY);
        return own;
    }

    @Override
    public void outgoing(long vertex, EdgeBatch into) {
        throw notHere();
    }

    /** Shows the edges of a vertex that is watched. */
    @Override
    public void forEach(long vertex, EdgeBatch chunk, Runnable isFull) {
        if (movableVertices == null || !movableVertices.has(vertex)) {
            throw notHere();
        }
        movableVertices.forEach(vertex, chunk, isFull);
    }

    private static IllegalStateException notHere() {
        return new IllegalStateException(
                "the edges of a vertex are kept in other tasks, which must be asked; please report this as a defect");
    }
}
