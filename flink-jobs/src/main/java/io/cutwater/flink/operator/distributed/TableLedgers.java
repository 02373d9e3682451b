package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.state.feedback.BucketLedger;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexCodec;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;

/** The ledgers of the buckets of a vertex table, in its keyed state. */
final class TableLedgers {
    private static final ValueStateDescriptor<byte[]> LEDGER =
            new ValueStateDescriptor<>("ledger", BytePrimitiveArraySerializer.INSTANCE);

    private final ValueState<byte[]> state;
    private final VertexBuckets buckets;
    private final IntConsumer currentKey;
    private VertexLayout layout;
    private final boolean mayChangePartitions;
    private final int firstBucket;
    private final BucketLedger[] ledgers;

    /**
     * @param currentKey sets the key of the next access to the state
     * @param mayChangePartitions whether the job may have another number of partitions than it began with
     * @param range the buckets of the table
     */
    TableLedgers(
            StateInitializationContext context,
            VertexBuckets buckets,
            IntConsumer currentKey,
            VertexLayout layout,
            boolean mayChangePartitions,
            KeyGroupRange range) {
        state = context.getKeyedStateStore().getState(LEDGER);
        this.buckets = buckets;
        this.currentKey = currentKey;
        this.layout = layout;
        this.mayChangePartitions = mayChangePartitions;
        firstBucket = range.getStartKeyGroup();
        ledgers = new BucketLedger[range.getNumberOfKeyGroups()];
    }

    /**
     * Reads the ledgers, or counts those of a fused job, which stores none.
     *
     * @param store of the vertices
     * @param proposesOwners whether several assigners propose owners, which the ledgers count
     * @param keepsOwned whether the job keeps the edges of vertices with owners
     * @return for how many partitions they are: those of the layout, or more if there once were
     */
    int restore(KeyedVertexStore store, boolean proposesOwners, boolean keepsOwned, boolean isRestored)
            throws Exception {
        boolean[] isStored = new boolean[ledgers.length];
        for (int i = 0; i < ledgers.length; i++) {
            currentKey.accept(buckets.key(firstBucket + i));
            byte[] bytes = state.value();
            isStored[i] = bytes != null;
            if (bytes == null) {
                ledgers[i] = new BucketLedger(layout.partitionCount());
            } else {
                ledgers[i] = mayChangePartitions
                        ? BucketLedger.fromBytes(bytes)
                        : BucketLedger.fromBytes(bytes, layout.partitionCount());
            }
        }
        int partitions =
                Arrays.stream(ledgers).mapToInt(BucketLedger::partitions).reduce(layout.partitionCount(), Math::max);
        layout = layout.withPartitions(partitions);
        for (int i = 0; i < ledgers.length; i++) {
            if (!isStored[i] && isRestored) {
                ledgers[i] = count(store, firstBucket + i);
            }
            BucketLedger ledger = ledgers[i];
            if (ledger.partitions() < partitions) {
                ledger.widen(partitions);
            }
            boolean begins = proposesOwners && ledger.beginOwners();
            if (keepsOwned && isRestored && (begins || !isStored[i])) {
                ledger.recount();
                forEachVertex(store, i, one -> ledger.countVertex(one.vertex(0), one.master(0), one.degree(0)));
            } else if (begins && isRestored) {
                forEachVertex(store, i, one -> ledger.countOwner(one.master(0)));
            }
        }
        return partitions;
    }

    /** Returns whether the state has ledgers, as that of vertex tables does, and that of one task does not. */
    boolean areStored() throws Exception {
        for (int i = 0; i < ledgers.length; i++) {
            currentKey.accept(buckets.key(firstBucket + i));
            if (state.value() != null) {
                return true;
            }
        }
        return false;
    }

    /** Removes all ledgers from the state. */
    void clear() {
        for (int i = 0; i < ledgers.length; i++) {
            currentKey.accept(buckets.key(firstBucket + i));
            state.clear();
        }
    }

    private BucketLedger count(KeyedVertexStore store, int bucket) throws Exception {
        ReplicaCounts counts = new ReplicaCounts(layout.partitionCount());
        long[] created = new long[1];
        forEachVertex(store, bucket - firstBucket, one -> {
            created[0]++;
            for (int r = 0; r < one.replicaCount(0); r++) {
                counts.add(one.replicas()[r], r == 0);
            }
        });
        return new BucketLedger(counts, created[0]);
    }

    private void forEachVertex(KeyedVertexStore store, int i, Consumer<VertexBatch> one) throws Exception {
        VertexCodec codec = new VertexCodec(layout);
        VertexBatch batch = new VertexBatch(1);
        store.forEach(firstBucket + i, firstBucket + i + 1, (vertex, bytes) -> {
            batch.clear();
            codec.decode(vertex, bytes, batch);
            one.accept(batch);
        });
    }

    /** Counts the vertices in the store by owner, as {@link OwnerLoads#vertices} has them. */
    byte[] owners(KeyedVertexStore store, int partitions) throws Exception {
        long[] owned = new long[partitions];
        long[] shown = new long[partitions];
        for (int i = 0; i < ledgers.length; i++) {
            forEachVertex(store, i, one -> {
                int owner = one.master(0);
                if (owner != VertexTable.NO_MASTER) {
                    owned[owner]++;
                    shown[owner] += one.degree(0) > 0 ? 1 : 0;
                }
            });
        }
        return OwnerLoads.vertices(owned, shown);
    }

    /** Returns the ledgers, that of the first bucket first. */
    BucketLedger[] all() {
        return ledgers;
    }

    /** Returns the number of buckets. */
    int count() {
        return ledgers.length;
    }

    long createdVertices() {
        long created = 0;
        for (BucketLedger ledger : ledgers) {
            created += ledger.createdVertices();
        }
        return created;
    }

    /** Writes the ledgers that have changed to the state. */
    void snapshot() throws Exception {
        for (int i = 0; i < ledgers.length; i++) {
            if (ledgers[i].takeChange()) {
                currentKey.accept(buckets.key(firstBucket + i));
                state.update(ledgers[i].toBytes());
            }
        }
    }
}
