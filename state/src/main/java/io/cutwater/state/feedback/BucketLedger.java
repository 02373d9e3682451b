package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.PendingRemovals;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexTable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a bucket of vertices. They move with the bucket, so the totals of a task are the sums over its buckets.
 *
 * <pre>
 *   1 byte   version = 3; 4 if removals have keys; 5 if assigners propose owners; 6 if they keep edges, too
 *   4 bytes  k
 *   8 bytes  vertices ever created; if edges are kept, those that are not gone
 *   8 bytes  vertices with a replica
 *   k times  8 bytes replicas of a partition
 *   versions 5 and 6: k times 8 bytes vertices that a partition owns
 *   4 bytes  number of lineages
 *   times    8 bytes lineage, 8 bytes its last applied update
 *   version 6: 1 byte, whether removals have keys
 *            {@link PendingRemovals}
 *   version 6: {@link IdleVertices}
 * </pre>
 *
 * Version 2 had no removals; version 1 had the fields of version 2, and with it the partition book lacked changes of
 * degree.
 */
public final class BucketLedger {
    private static final byte WITH_IDLE = 6;
    private static final byte WITH_OWNERS = 5;
    private static final byte WITH_KEYS = 4;
    private static final byte VERSION = 3;
    private static final byte WITHOUT_REMOVALS = 2;
    private static final byte WITH_STALE_BOOK = 1;
    private static final int NOBODY = -1;

    private ReplicaCounts counts;
    private long createdVertices;
    private int lineageCount;
    private long[] lineages = new long[1];
    private long[] applied = new long[1];
    /** The assigner that sent the last update of each lineage in this run and waits for its confirmation. */
    private int[] senders = new int[1];

    private final PendingRemovals removals = new PendingRemovals();
    private final IdleVertices idle = new IdleVertices(); // if owners are proposed, and edges kept
    private long @Nullable [] owned; // if owners are proposed
    private VertexSet bare = new VertexSet(); // not stored
    private boolean isChanged = true;
    private boolean isBookDue;

    /** A bucket that nothing was written to yet. */
    public BucketLedger(int partitionCount) {
        this(new ReplicaCounts(partitionCount), 0, false);
    }

    /** A bucket that was counted, whose vertices the partition book may have with other degrees. */
    public BucketLedger(ReplicaCounts counts, long createdVertices) {
        this(counts, createdVertices, true);
    }

    private BucketLedger(ReplicaCounts counts, long createdVertices, boolean isBookDue) {
        this.counts = counts;
        this.createdVertices = createdVertices;
        this.isBookDue = isBookDue;
    }

    ReplicaCounts counts() {
        return counts;
    }

    /** Returns the partitions that it has room for. */
    public int partitions() {
        return counts.partitionCount();
    }

    /** Makes room for more partitions. */
    public void widen(int partitions) {
        counts = counts.widened(partitions);
        owned = owned == null ? null : Arrays.copyOf(owned, partitions);
        isChanged = true;
    }

    /** Returns whether no vertex is or was in the bucket, and no update came. */
    boolean isNew() {
        return createdVertices == 0 && lineageCount == 0;
    }

    public long createdVertices() {
        return createdVertices;
    }

    /** @param vertices negative for vertices that are gone */
    void create(long vertices) {
        createdVertices += vertices;
        isChanged |= vertices != 0;
    }

    /**
     * Begins to count owners, which only several assigners propose.
     *
     * @return whether it did not before: then each vertex of the bucket is to be passed to {@link #countOwner} or, if
     *     edges are kept, to {@link #countVertex}
     */
    public boolean beginOwners() {
        boolean begins = owned == null;
        if (begins) {
            owned = new long[counts.partitionCount()];
            isChanged = true;
        }
        return begins;
    }

    /** @param owner of a vertex, or {@link VertexTable#NO_MASTER} */
    public void countOwner(int owner) {
        if (owner != VertexTable.NO_MASTER && owned != null) {
            owned[owner]++;
        }
    }

    /** Begins to count the vertices of the bucket anew, each of which is to be passed to {@link #countVertex}. */
    public void recount() {
        createdVertices = 0;
        isChanged = true;
    }

    /**
     * Counts a vertex with a record, in a job with owners that keeps edges. One assigner, or one task, has records of
     * vertices at which edges wait; several have none before the vertex has an owner or an edge.
     */
    public void countVertex(long vertex, int owner, long degree) {
        createdVertices++;
        countOwner(owner);
        if (degree == 0 && owner == VertexTable.NO_MASTER) {
            bare.addIfAbsent(vertex);
        } else if (degree == 0 && owned != null) {
            idle.add(vertex, owner, IdleVertices.NOBODY);
        }
    }

    /** Returns whether a vertex was counted without an owner or an edge; false from now on. */
    boolean takeBare(long vertex) {
        int at = bare.find(vertex);
        if (at != SlotIndex.NO_SLOT) {
            bare.remove(at);
        }
        return at != SlotIndex.NO_SLOT;
    }

    /** Returns the vertices that were counted without an owner or an edge, once. */
    long[] takeBare() {
        long[] all = bare.toArray();
        bare = new VertexSet();
        return all;
    }

    /** Counts no owners any more, as the only assigner does; no vertex without edges is left. */
    void endOwners() {
        isChanged |= owned != null;
        owned = null;
    }

    /** Overwrites the record of a vertex of the bucket, in a job with owners; see {@link RecordExchange#replace}. */
    int replace(VertexTable vertices, int slot, byte @Nullable [] record) {
        int before = vertices.master(slot);
        int change = RecordExchange.replace(vertices, slot, record, counts);
        if (owned != null && before != VertexTable.NO_MASTER) {
            owned[before]--;
        }
        countOwner(vertices.master(slot));
        return change;
    }

    /**
     * Gives a vertex of the bucket the owner that is proposed, unless it has one; {@link #apply} takes it down. Returns
     * whether it had none.
     */
    boolean propose(VertexTable vertices, int slot, int owner) {
        boolean isFirst = RecordExchange.own(vertices, slot, owner, counts);
        if (isFirst) {
            beginOwners();
            countOwner(owner);
        }
        return isFirst;
    }

    /** Gives a vertex of the bucket another owner. */
    void changeOwner(VertexTable vertices, int slot, int to) {
        long[] now = Objects.requireNonNull(owned, "a vertex has an owner");
        now[vertices.master(slot)]--;
        now[to]++;
        RecordExchange.changeOwner(vertices, slot, to, counts);
        idle.setOwner(vertices.vertex(slot), to);
        isChanged = true;
    }

    /** Forgets a vertex without edges, with its owner. */
    void disown(VertexTable vertices, int slot) {
        long[] now = Objects.requireNonNull(owned, "a vertex has an owner");
        now[vertices.master(slot)]--;
        RecordExchange.disown(vertices, slot, counts);
        create(-1);
    }

    /** Adds the vertices that each partition owns, without those that have no edge although edges are kept. */
    void addOwned(long[] sum) {
        for (int p = 0; owned != null && p < sum.length; p++) {
            sum[p] += owned[p];
        }
        idle.subtractFrom(sum);
    }

    /** Returns the vertices with an owner that have no edge; {@link #apply} and {@link #disown} take changes down. */
    IdleVertices idle() {
        return idle;
    }

    /** Removals that were asked for; {@link #apply} takes down that they changed. */
    PendingRemovals removals() {
        return removals;
    }

    /** Adds a removal that is asked for; returns how many of the edge there are. */
    int askRemoval(long source, long target, long key) {
        isChanged = true;
        return removals.ask(source, target, key, 1);
    }

    /** The last applied update, 0 for none. */
    long applied(long lineage) {
        int i = find(lineage);
        return i == lineageCount ? 0 : applied[i];
    }

    private int find(long lineage) {
        int i = 0;
        while (i < lineageCount && lineages[i] != lineage) {
            i++;
        }
        return i;
    }

    /**
     * Returns whether an update is the next one of its lineage; false if it was applied before.
     *
     * @throws IllegalStateException if an update before it is missing: then the state would be wrong for ever
     */
    boolean isNext(VertexUpdate update) {
        long last = applied(update.lineage());
        if (update.sequence() > last + 1) {
            throw new IllegalStateException(
                    ("update %d of lineage %x for bucket %d came after update %d: an update was lost on topic"
                                    + " vertex-updates; was the topic emptied while the job ran? The job goes on from"
                                    + " its last checkpoint")
                            .formatted(update.sequence(), update.lineage(), update.bucket(), last));
        }
        return update.sequence() > last;
    }

    /** Checks that the last update, too, has come: the end of what an assigner has sent says what that was. */
    void requireAll(VertexUpdate end) {
        VertexBatch sent = end.added();
        if (sent.isEmpty()) {
            throw new IllegalStateException(
                    "the end of the updates of assigner %d for bucket %d does not say what was sent; do assigners and tables run the same build?"
                            .formatted(end.assigner(), end.bucket()));
        }
        for (int i = 0; i < sent.size(); i++) {
            long last = applied(sent.vertex(i));
            if (last != sent.degree(i)) {
                throw new IllegalStateException(
                        ("the updates of lineage %x for bucket %d end with update %d, and the last that came is update %d:"
                                        + " an update was lost on topic vertex-updates; was the topic emptied while the"
                                        + " job ran? The job goes on from its last checkpoint")
                                .formatted(sent.vertex(i), end.bucket(), sent.degree(i), last));
            }
        }
    }

    void apply(VertexUpdate update) {
        int i = sent(update);
        applied[i] = update.sequence();
        isChanged = true;
    }

    /** Stores which assigner sends a lineage. */
    int sent(VertexUpdate update) {
        int i = find(update.lineage());
        if (i == lineageCount) {
            add(update.lineage(), 0);
        }
        senders[i] = update.assigner();
        return i;
    }

    private void add(long lineage, long sequence) {
        if (lineageCount == lineages.length) {
            lineages = Arrays.copyOf(lineages, 2 * lineageCount);
            applied = Arrays.copyOf(applied, 2 * lineageCount);
            senders = Arrays.copyOf(senders, 2 * lineageCount);
        }
        lineages[lineageCount] = lineage;
        applied[lineageCount] = sequence;
        senders[lineageCount++] = NOBODY;
    }

    /** Confirms all lineages: at the start of a run it is unknown which assigners have them. */
    void confirmAll(int bucket, Views into) {
        for (int i = 0; i < lineageCount; i++) {
            into.confirm(bucket, lineages[i], applied[i]);
        }
    }

    void confirm(int bucket, Views into) {
        for (int i = 0; i < lineageCount; i++) {
            if (senders[i] == into.assigner()) {
                into.confirm(bucket, lineages[i], applied[i]);
            }
        }
    }

    /** Returns whether the ledger has changed since the last call; true for a new one. */
    public boolean takeChange() {
        boolean wasChanged = isChanged;
        isChanged = false;
        return wasChanged;
    }

    /**
     * Returns whether every vertex of the bucket must be published to the partition book again, because the checkpoint
     * is one of an earlier build or of another topology; true once.
     */
    public boolean takeBookDue() {
        boolean wasDue = isBookDue;
        isBookDue = false;
        isChanged |= wasDue;
        return wasDue;
    }

    /**
     * Encodes the ledger. Call it after the vertices that {@link #takeBookDue} demands are published: the bytes say
     * that the book has every degree.
     */
    public byte[] toBytes() {
        int k = counts.partitionCount();
        boolean hasIdle = !idle.isEmpty() || owned != null && removals.hasKeys();
        ByteBuffer out = ByteBuffer.allocate((hasIdle ? 2 + idle.bytes() : 1)
                + 2 * Integer.BYTES
                + 2 * Long.BYTES
                + Long.BYTES * ((owned == null ? 1 : 2) * k + 2 * lineageCount)
                + removals.bytes());
        out.put(hasIdle ? WITH_IDLE : owned != null ? WITH_OWNERS : removals.hasKeys() ? WITH_KEYS : VERSION)
                .putInt(k)
                .putLong(createdVertices)
                .putLong(counts.vertices());
        for (int p = 0; p < k; p++) {
            out.putLong(counts.replicas(p));
        }
        for (int p = 0; owned != null && p < k; p++) {
            out.putLong(owned[p]);
        }
        out.putInt(lineageCount);
        for (int i = 0; i < lineageCount; i++) {
            out.putLong(lineages[i]).putLong(applied[i]);
        }
        if (hasIdle) {
            out.put((byte) (removals.hasKeys() ? 1 : 0));
        }
        removals.writeTo(out);
        if (hasIdle) {
            idle.writeTo(out);
        }
        return out.array();
    }

    /** @throws IllegalStateException if the bytes are of another version or of another number of partitions */
    public static BucketLedger fromBytes(byte[] bytes, int partitionCount) {
        BucketLedger ledger = fromBytes(bytes);
        if (ledger.partitions() != partitionCount) {
            throw new IllegalStateException(
                    "the checkpoint has %d partitions, the job was started with %d: resume it with --partitions %d"
                            .formatted(ledger.partitions(), partitionCount, ledger.partitions()));
        }
        return ledger;
    }

    /**
     * Decodes a ledger with any number of partitions.
     *
     * @throws IllegalStateException if the bytes are of another version
     */
    public static BucketLedger fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version < WITH_STALE_BOOK || version > WITH_IDLE) {
            throw new IllegalStateException("a bucket's ledger of version %d; this build reads %d to %d"
                    .formatted(version, WITH_STALE_BOOK, WITH_IDLE));
        }
        int k = in.getInt();
        long created = in.getLong();
        long vertices = in.getLong();
        long[] replicas = new long[k];
        for (int p = 0; p < k; p++) {
            replicas[p] = in.getLong();
        }
        BucketLedger ledger =
                new BucketLedger(new ReplicaCounts(replicas, vertices), created, version == WITH_STALE_BOOK);
        if (version >= WITH_OWNERS) {
            long[] owned = new long[k];
            for (int p = 0; p < k; p++) {
                owned[p] = in.getLong();
            }
            ledger.owned = owned;
        }
        for (int lineages = in.getInt(); lineages > 0; lineages--) {
            long lineage = in.getLong();
            ledger.add(lineage, in.getLong());
        }
        if (version > WITHOUT_REMOVALS) {
            ledger.removals.readFrom(in, version == WITH_IDLE ? in.get() != 0 : version == WITH_KEYS);
        }
        if (version == WITH_IDLE) {
            ledger.idle.readFrom(in);
        }
        ledger.isChanged = false;
        return ledger;
    }
}
