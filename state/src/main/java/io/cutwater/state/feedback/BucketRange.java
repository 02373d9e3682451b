package io.cutwater.state.feedback;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The vertices of a range of buckets, with the ledger of each bucket. If edges are kept, a vertex is there as long as
 * it has an edge or an owner; else from the first access on.
 */
final class BucketRange {
    private final VertexTable vertices;
    private final BucketLedger[] ledgers;
    private final int first;
    private final int buckets;
    private final boolean keepsEdges;

    /**
     * @param ledgers those of the buckets {@code first}, {@code first + 1} …
     * @param buckets of all tables
     */
    BucketRange(VertexTable vertices, BucketLedger[] ledgers, int first, int buckets, boolean keepsEdges) {
        this.vertices = vertices;
        this.ledgers = ledgers;
        this.first = first;
        this.buckets = buckets;
        this.keepsEdges = keepsEdges;
    }

    VertexTable vertices() {
        return vertices;
    }

    /** Returns the number of the first bucket. */
    int first() {
        return first;
    }

    /** Returns the number of buckets of the range. */
    int size() {
        return ledgers.length;
    }

    /** Returns the number of buckets of all tables. */
    int buckets() {
        return buckets;
    }

    boolean keepsEdges() {
        return keepsEdges;
    }

    /** Returns the longs of a record. */
    int stride() {
        return vertices.layout().stride();
    }

    /** Returns the ledger of a bucket, counted from the first one. */
    BucketLedger ledger(int i) {
        return ledgers[i];
    }

    BucketLedger ledgerOf(long vertex) {
        return ledgers[indexOf(vertex)];
    }

    /** Returns the bucket of a vertex, counted from the first one. */
    int indexOf(long vertex) {
        return Hashing.bucket(vertex, buckets) - first;
    }

    /** Returns whether no vertex is or was there, and no update came. */
    boolean isNew() {
        return Arrays.stream(ledgers).allMatch(BucketLedger::isNew);
    }

    /** Makes room for partitions: those that the vertices are on, and those that they are to move to. */
    void makeRoom(int partitions) {
        if (partitions > vertices.layout().partitionCount()) {
            vertices.setPartitions(partitions);
            for (BucketLedger ledger : ledgers) {
                ledger.widen(partitions);
            }
        }
    }

    /** Returns the slot of a vertex that an assigner asks for or that is counted. */
    int slot(long vertex) {
        long createdBefore = vertices.vertexCount();
        int slot = vertices.slot(vertex);
        if (!keepsEdges && vertices.vertexCount() > createdBefore) {
            ledgerOf(vertex).create(1);
        }
        return slot;
    }

    /** Forgets a vertex that was read and has nothing, if it is there with edges only. */
    void forgetIfEmpty(int slot) {
        if (keepsEdges) {
            RecordExchange.forgetIfEmpty(vertices, slot);
        }
    }

    /**
     * Takes down that the degree of a vertex without an owner has changed.
     *
     * @param before its degree before
     */
    void edgesCounted(int slot, long before, BucketLedger ledger) {
        if (!keepsEdges) {
            return;
        }
        if (before == 0) {
            ledger.create(1);
        } else if (vertices.degree(slot) == 0) {
            ledger.create(-1);
            vertices.forget(slot);
        }
    }

    /** Prefetches the next vertices, if it is time to. */
    void prefetch(long[] next, int at, int end) {
        if (at % RecordPrefetch.VERTICES == 0) {
            vertices.prefetch(next, at, Math.min(end, at + RecordPrefetch.VERTICES));
        }
    }

    /** Adds to a message which updates of its assigner are in what it shows of some buckets. */
    void confirm(BitSet shown, Views views) {
        for (int i = shown.nextSetBit(0); i >= 0; i = shown.nextSetBit(i + 1)) {
            ledgers[i].confirm(first + i, views);
        }
    }

    /** Returns replicas and vertices. */
    ReplicaCounts counts() {
        ReplicaCounts sum = new ReplicaCounts(vertices.layout().partitionCount());
        for (BucketLedger ledger : ledgers) {
            sum.addAll(ledger.counts());
        }
        return sum;
    }

    /** Returns how many vertices each partition owns; see {@link BucketLedger#addOwned}. */
    long[] owned() {
        long[] sum = new long[vertices.layout().partitionCount()];
        for (BucketLedger ledger : ledgers) {
            ledger.addOwned(sum);
        }
        return sum;
    }
}
