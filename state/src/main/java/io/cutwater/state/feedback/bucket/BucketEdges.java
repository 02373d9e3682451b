package io.cutwater.state.feedback.bucket;

import io.cutwater.state.edges.EdgeSlots;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.store.AdjacencyStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kept edges of a task that holds a range of buckets. The rows are those of {@link StoredEdges} in one task: under
 * the source of an edge and, in a vertex partitioning, under its target as well, which may be in another task. So each
 * end is kept by itself, and the assigner tells both.
 */
public final class BucketEdges {
    /** Places from here down stand for removals that say from which partition a copy is taken away. */
    private static final int TAKEN_FROM = EdgeBatch.TAKEN_AWAY - 1;

    private final StoredEdges outgoing;
    private final @Nullable StoredEdges incoming;
    private final int buckets;

    /**
     * @param hasPlaces true in an edge partitioning
     * @param counts see {@link StoredEdges#ofEdges}
     * @param buckets of all tasks
     */
    public BucketEdges(AdjacencyStore store, boolean hasPlaces, int counts, int buckets) {
        this.buckets = buckets;
        outgoing = hasPlaces ? StoredEdges.ofEdges(store, counts) : StoredEdges.ofOneEnd(store, counts);
        incoming = hasPlaces ? null : StoredEdges.ofOneEnd(new Reversed(store), counts);
    }

    /** Rows of edges that lead to a vertex, as if they led from it. */
    private record Reversed(AdjacencyStore store) implements AdjacencyStore {
        @Override
        public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
            return store.read(vertex, neighbour, !isOutgoing, number);
        }

        @Override
        public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
            store.write(vertex, neighbour, !isOutgoing, number, row);
        }

        @Override
        public void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] row) {
            store.append(vertex, neighbour, !isOutgoing, number, row);
        }

        @Override
        public void forEach(long vertex, RowConsumer consumer) {
            store.forEach(vertex, (at, neighbour, isOutgoing, row) -> consumer.accept(at, neighbour, !isOutgoing, row));
        }
    }

    /** Appends the oldest copies of an edge, or those with a key; its source is in a bucket of the task. */
    public void oldest(long source, long target, long key, int limit, EdgeBatch into) {
        outgoing.oldest(source, target, key, limit, into);
    }

    /**
     * Returns the place of a removal by one of several assigners, which takes a copy away from a partition, or, in a
     * vertex partitioning, from a {@link Place}.
     */
    static int takenFrom(int place) {
        return TAKEN_FROM - place;
    }

    /** Returns whether a change is a removal that takes a copy away. */
    static boolean takesAway(EdgeBatch changes, int i) {
        return changes.isRemoval(i) && changes.place(i) <= EdgeBatch.TAKEN_AWAY;
    }

    /**
     * Receives one end of an edge that has come to a partition, or has left it; in a vertex partitioning the partition
     * owns the other end.
     */
    @FunctionalInterface
    public interface Ends {
        /**
         * @param change 1 or −1
         * @param isMove whether the edge has moved
         */
        void count(long vertex, int partition, int change, boolean isMove);
    }

    /**
     * Passes the ends in a bucket of the edges that one of several assigners has placed, removed or moved. An end of
     * one that has moved comes to one partition, and then leaves the other.
     */
    public void forEachEnd(EdgeBatch changes, int bucket, Ends ends) {
        for (int i = 0; i < changes.size(); i++) {
            int place = changes.place(i);
            if (UnconfirmedMoves.isMove(changes, i)) {
                forEachEnd(changes, i, bucket, movedTo(changes, i), 1, ends);
                forEachEnd(changes, i, bucket, movedFrom(changes, i), -1, ends);
            } else if (!changes.isRemoval(i)) {
                forEachEnd(changes, i, bucket, place, 1, ends);
            } else if (takesAway(changes, i)) { // else it found none
                forEachEnd(changes, i, bucket, TAKEN_FROM - place, -1, ends);
            }
        }
    }

    /**
     * Appends all edges of a vertex of a vertex partitioning, with their places if they have some; copies of an edge in
     * the order in which they came.
     */
    public void ofVertex(long vertex, EdgeBatch into) {
        EdgeBatch all = new EdgeBatch(1);
        outgoing.forEach(vertex, all, () -> {}); // the rows of a vertex are those of both directions
        EdgeSlots seen = new EdgeSlots();
        for (int i = 0; i < all.size(); i++) {
            long source = all.source(i);
            long target = all.target(i);
            if (i > 0 && source == all.source(i - 1) && target == all.target(i - 1)) {
                continue;
            }
            if (seen.find(source, target, EdgeBatch.NO_KEY) == EdgeSlots.NONE) {
                seen.add(source, target, EdgeBatch.NO_KEY);
                appendCopies(
                        source == vertex ? outgoing : Objects.requireNonNull(incoming), vertex, source, target, into);
            }
        }
    }

    private static void appendCopies(StoredEdges edges, long vertex, long source, long target, EdgeBatch into) {
        EdgeBatch copies = new EdgeBatch(1);
        edges.oldest(vertex, source == vertex ? target : source, EdgeBatch.NO_KEY, Integer.MAX_VALUE / 2, copies);
        for (int i = 0; i < copies.size(); i++) {
            into.add(source, target, copies.weight(i), copies.timestamp(i), copies.key(i));
            into.setPlace(into.size() - 1, copies.place(i));
        }
    }

    /** Returns the number of buckets of all tasks. */
    public int buckets() {
        return buckets;
    }

    private void forEachEnd(EdgeBatch changes, int i, int bucket, int place, int change, Ends ends) {
        boolean isMove = UnconfirmedMoves.isMove(changes, i);
        if (bucket(changes.source(i)) == bucket) {
            ends.count(changes.source(i), hasPlaces() ? place : Place.ofTarget(place), change, isMove);
        }
        if (bucket(changes.target(i)) == bucket) {
            ends.count(changes.target(i), hasPlaces() ? place : Place.ofSource(place), change, isMove);
        }
    }

    /** Returns the bucket of a vertex. */
    public int bucket(long vertex) {
        return Hashing.bucket(vertex, buckets);
    }

    /**
     * Applies what an assigner did to edges with an end in a bucket: a row that is no removal adds a copy; a removal
     * with the place {@link EdgeBatch#TAKEN_AWAY}, or with that of {@link #takenFrom}, takes the oldest one away, and
     * one without a place found none here. One with a {@link Place} moves the oldest copy on the first partition of the
     * pair to the second.
     *
     * @param pending removals of the bucket
     */
    public void apply(EdgeBatch changes, int bucket, PendingRemovals pending) {
        for (int i = 0; i < changes.size(); i++) {
            long source = changes.source(i);
            long target = changes.target(i);
            if (Hashing.bucket(source, buckets) == bucket) {
                if (changes.isRemoval(i) && !UnconfirmedMoves.isMove(changes, i)) {
                    pending.answered(source, target, changes.key(i));
                }
                apply(outgoing, source, target, changes, i);
            }
            if (incoming != null && source != target && Hashing.bucket(target, buckets) == bucket) {
                apply(incoming, target, source, changes, i);
            }
        }
    }

    private int movedFrom(EdgeBatch changes, int i) {
        return hasPlaces() ? Place.ofSource(changes.place(i)) : UnconfirmedMoves.movedFrom(changes, i);
    }

    private int movedTo(EdgeBatch changes, int i) {
        return hasPlaces() ? Place.ofTarget(changes.place(i)) : changes.place(i);
    }

    private void apply(StoredEdges edges, long vertex, long neighbour, EdgeBatch changes, int i) {
        if (UnconfirmedMoves.isMove(changes, i)) {
            if (!edges.move(vertex, neighbour, movedFrom(changes, i), movedTo(changes, i))) {
                throw missing(changes, i, "moved");
            }
        } else if (!changes.isRemoval(i)) {
            edges.add(
                    vertex,
                    neighbour,
                    changes.place(i),
                    changes.weight(i),
                    changes.timestamp(i),
                    changes.key(i),
                    false);
        } else if (takesAway(changes, i) && edges.remove(vertex, neighbour, changes.key(i)) == KeptEdges.NO_EDGE) {
            throw missing(changes, i, "removed");
        }
    }

    private static IllegalStateException missing(EdgeBatch changes, int i, String change) {
        return new IllegalStateException(
                ("edge (%d, %d) is %s, but its table has no such copy: vertex tables and assigner are not of the same"
                                + " checkpoint, so resume from another one")
                        .formatted(changes.source(i), changes.target(i), change));
    }

    /**
     * Appends what is about to move: copies of edges or, in a vertex partitioning, all edges of vertices.
     *
     * @param wanted as {@link MovableCopies#wanted} makes it, or vertices as {@link MovableVertices#append} does
     */
    public void movable(EdgeBatch wanted, EdgeBatch into) {
        for (int i = 0; i < wanted.size() && incoming != null; i++) {
            MovableVertices.append(wanted.source(i), into);
            outgoing.forEach(wanted.source(i), into, () -> {}); // the rows of a vertex are those of both directions
        }
        if (incoming != null) {
            return;
        }
        for (int from = 0; from < wanted.size(); ) {
            int to = from + 1;
            while (to < wanted.size()
                    && wanted.source(to) == wanted.source(from)
                    && wanted.target(to) == wanted.target(from)) {
                to++;
            }
            outgoing.oldestOn(wanted.source(from), wanted.target(from), wanted.place(from), to - from, into);
            from = to;
        }
    }

    /**
     * Says who owns the ends of an edge of a vertex partitioning, all copies of it; does nothing if there is none.
     *
     * @param leads whether the edge leads from the vertex to the neighbour, and not the other way round
     */
    public void setOwners(long vertex, long neighbour, boolean leads, int ofVertex, int ofNeighbour) {
        if (leads) {
            outgoing.setPlace(vertex, neighbour, Place.of(ofVertex, ofNeighbour));
        } else {
            Objects.requireNonNull(incoming).setPlace(vertex, neighbour, Place.of(ofNeighbour, ofVertex));
        }
    }

    /** Returns whether edges have places, as in an edge partitioning. */
    public boolean hasPlaces() {
        return incoming == null;
    }

    /**
     * Appends the edges that lead from a vertex, each copy; with their places if they have some, and else perhaps with
     * those that lead to it.
     *
     * @param isFull called when there is a batch of edges, and at the end; may empty it
     */
    public void outgoing(long vertex, EdgeBatch into, Runnable isFull) {
        outgoing.forEach(vertex, into, isFull);
    }

    /**
     * Passes on the edges that lead from a vertex, each copy with its key; those of an edge that have keys in the order
     * in which they came.
     *
     * @param ends to append to
     * @param isFull called when there is a batch of edges; empties it
     */
    public void endsFrom(long vertex, EdgeBatch ends, Runnable isFull) {
        EdgeBatch rows = new EdgeBatch(1);
        EdgeSlots seen = new EdgeSlots(); // edges with keys
        outgoing.forEach(vertex, rows, () -> {
            appendEnds(vertex, rows, seen, ends, isFull);
            rows.clear();
        });
    }

    /** @param seen edges whose copies with keys have been appended */
    private void appendEnds(long vertex, EdgeBatch rows, EdgeSlots seen, EdgeBatch ends, Runnable isFull) {
        for (int i = 0; i < rows.size(); i++) {
            long target = rows.target(i);
            if (rows.source(i) != vertex) {
                continue; // it leads here
            }
            if (rows.key(i) == EdgeBatch.NO_KEY) {
                appendEnd(vertex, target, EdgeBatch.NO_KEY, ends, isFull); // copies without keys are all alike
            } else if (seen.find(vertex, target, EdgeBatch.NO_KEY) == EdgeSlots.NONE) {
                seen.add(vertex, target, EdgeBatch.NO_KEY);
                EdgeBatch copies = new EdgeBatch(1);
                outgoing.oldest(vertex, target, EdgeBatch.NO_KEY, Integer.MAX_VALUE / 2, copies);
                for (int copy = 0; copy < copies.size(); copy++) {
                    if (copies.key(copy) != EdgeBatch.NO_KEY) {
                        appendEnd(vertex, target, copies.key(copy), ends, isFull);
                    }
                }
            }
        }
    }

    private static void appendEnd(long source, long target, long key, EdgeBatch ends, Runnable isFull) {
        ends.add(source, target, Double.NaN, EdgeBatch.NO_TIMESTAMP, key);
        if (ends.size() >= EdgeBatch.DEFAULT_CAPACITY) {
            isFull.run();
        }
    }
}
