package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has the tables of a vertex partitioning tell each other who owns the neighbours of their vertices, so that each kept
 * edge has a true place. One assigner, or one task, keeps edges without a place, and moves vertices without changing
 * those places; several move an edge by its place. It is done when all tables have collected their edges for a plan,
 * and before the first move: meanwhile, no vertex with edges gets another owner.
 *
 * <p>A table tells the owner of each of its vertices to the tables of its neighbours, and these write it to their rows.
 * A message says whether the edges lead from the neighbours, and then, for each of some vertices, the vertex, its owner
 * with the number of neighbours, and the neighbours. Messages may come twice and in any order; the last one says how
 * many there are.
 */
final class NeighbourOwners {
    /** The round of the messages, which no exchange of a plan has. */
    private static final long ROUND = -1;

    private static final int MOST_WORDS = 2048;
    private static final int MOST_MESSAGES = 1 << 26;

    private final long plan;
    private final int self;
    private final int[] firstBuckets;
    private final VertexTable vertices;
    private final BucketEdges edges;
    private final IntFunction<long @Nullable []> verticesOf;
    private final LongToIntFunction tableOf;
    private final Consumer<VertexUpdate> peers;

    private final Outbox[] outboxes; // two of each table: for edges that lead to its vertices, and from these
    private final List<Outbox> full = new ArrayList<>();
    private final int[] sent; // by table
    private final EdgeBatch chunk = new EdgeBatch();
    private int bucket;
    private long @Nullable [] ofBucket;
    private int next;
    private boolean isTold;

    private final BitSet[] received; // numbers of messages by table
    private final int[] expected; // messages by table; 0 if not known

    /** A message that is being written. */
    private static final class Outbox {
        private final int table;
        private final long[] words = new long[MOST_WORDS];
        private int size = 1;
        private int group; // where the last vertex is

        Outbox(int table, boolean leads) {
            this.table = table;
            words[0] = leads ? 1 : 0;
        }

        /** Adds a neighbour of a vertex; returns whether it is full. */
        boolean add(long vertex, int owner, long neighbour) {
            if (group == 0 || words[group] != vertex) {
                group = size;
                words[size++] = vertex;
                words[size++] = (long) owner << Integer.SIZE;
            }
            words[group + 1]++;
            words[size++] = neighbour;
            return size > MOST_WORDS - 3;
        }
    }

    /**
     * @param plan number of the plan
     * @param firstBucket of this table
     * @param firstBuckets first bucket of each table, ascending
     * @param verticesOf lists the vertices of a bucket, counted from the first one here; null behind the last one
     * @param tableOf the table of each vertex
     * @param peers sends messages to other tables
     */
    NeighbourOwners(
            long plan,
            int firstBucket,
            int[] firstBuckets,
            VertexTable vertices,
            BucketEdges edges,
            IntFunction<long @Nullable []> verticesOf,
            LongToIntFunction tableOf,
            Consumer<VertexUpdate> peers) {
        this.plan = plan;
        self = Arrays.binarySearch(firstBuckets, firstBucket);
        this.firstBuckets = firstBuckets;
        this.vertices = vertices;
        this.edges = edges;
        this.verticesOf = verticesOf;
        this.tableOf = tableOf;
        this.peers = peers;
        int tables = firstBuckets.length;
        outboxes = new Outbox[2 * tables];
        Arrays.setAll(outboxes, i -> new Outbox(i / 2, i % 2 == 1));
        sent = new int[tables];
        received = new BitSet[tables];
        Arrays.setAll(received, table -> new BitSet());
        expected = new int[tables];
        ofBucket = verticesOf.apply(0);
    }

    /** Returns whether a message is one of these. */
    static boolean isFor(VertexUpdate message) {
        return message.lineage() == ROUND;
    }

    /** Returns whether this table has told all owners, and knows those that the others have told. */
    boolean isOver() {
        for (int table = 0; table < expected.length; table++) {
            if (table != self && (expected[table] == 0 || received[table].cardinality() < expected[table])) {
                return false;
            }
        }
        return isTold;
    }

    /** Tells owners for one time slice. */
    void tell(BooleanSupplier hasTime) {
        while (!isTold && hasTime.getAsBoolean()) {
            long[] some = ofBucket;
            if (some == null) {
                end();
            } else if (next < some.length) {
                tell(some[next++]);
            } else {
                ofBucket = verticesOf.apply(++bucket);
                next = 0;
            }
        }
    }

    private void tell(long vertex) {
        int owner = owner(vertex);
        if (owner == VertexTable.NO_MASTER) {
            return; // all its edges are buffered
        }
        edges.outgoing(
                vertex,
                chunk,
                () -> { // the rows of a vertex are those of both directions
                    for (int i = 0; i < chunk.size(); i++) {
                        boolean isCopy = i > 0
                                && chunk.source(i) == chunk.source(i - 1)
                                && chunk.target(i) == chunk.target(i - 1);
                        if (!isCopy) {
                            add(vertex, owner, chunk.source(i), chunk.target(i));
                        }
                    }
                    chunk.clear();
                });
        for (Outbox outbox : full) { // not while rows are read
            send(outbox, false);
        }
        full.clear();
    }

    private void add(long vertex, int owner, long source, long target) {
        boolean leads = target == vertex; // from the neighbour
        long neighbour = leads ? source : target;
        int to = 2 * tableOf.applyAsInt(neighbour) + (leads ? 1 : 0);
        if (outboxes[to].add(vertex, owner, neighbour)) {
            full.add(outboxes[to]);
            outboxes[to] = new Outbox(to / 2, leads);
        }
    }

    private void send(Outbox outbox, boolean isLast) {
        long[] words = Arrays.copyOf(outbox.words, outbox.size);
        int table = outbox.table;
        if (table == self) {
            write(words);
        } else if (sent[table] == MOST_MESSAGES) {
            throw new IllegalStateException("vertex table %d has more than %d messages for vertex table %d; %s"
                    .formatted(self, MOST_MESSAGES, table, "resume the job with a larger --parallelism"));
        } else {
            int number = sent[table]++;
            peers.accept(
                    VertexUpdate.peer(plan, self, ROUND, number, isLast ? number + 1 : 0, firstBuckets[table], words));
        }
    }

    private void end() {
        for (int i = 0; i < outboxes.length; i++) {
            send(outboxes[i], i % 2 == 1); // the second of a table comes last
        }
        isTold = true;
    }

    /** Takes a message, unless it is of another plan, for another table, or came before. */
    void receive(VertexUpdate message) {
        int from = message.assigner();
        int number = message.part();
        boolean isKnown = message.run() == plan
                && message.bucket() == firstBuckets[self]
                && from >= 0
                && from < received.length
                && from != self
                && number >= 0
                && number < MOST_MESSAGES;
        if (!isKnown || received[from].get(number)) {
            return;
        }
        received[from].set(number);
        expected[from] = Math.max(expected[from], message.parts());
        write(Objects.requireNonNull(message.hints()));
    }

    /** Writes told owners to the rows of the neighbours, which are here. */
    private void write(long[] words) {
        boolean leads = words[0] == 1;
        for (int group = 1; group < words.length; ) {
            long vertex = words[group];
            int owner = (int) (words[group + 1] >>> Integer.SIZE);
            int first = group + 2;
            int end = first + (int) words[group + 1];
            if (end <= first || end > words.length) {
                throw new IllegalStateException(
                        "a message of owners has %d neighbours in %d words; please report this as a defect"
                                .formatted(end - first, words.length));
            }
            vertices.expect(Arrays.copyOfRange(words, first, end), end - first);
            for (int i = first; i < end; i++) {
                int ofNeighbour = owner(words[i]);
                if (ofNeighbour != VertexTable.NO_MASTER) { // else the edge is gone
                    edges.setOwners(words[i], vertex, leads, ofNeighbour, owner);
                }
            }
            group = end;
        }
    }

    private int owner(long vertex) {
        int slot = vertices.slot(vertex);
        int owner = vertices.master(slot);
        if (owner == VertexTable.NO_MASTER) {
            RecordExchange.forgetIfEmpty(vertices, slot);
        }
        return owner;
    }
}
