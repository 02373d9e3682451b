package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.state.feedback.BucketLedger;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexCodec;
import io.cutwater.state.table.VertexLayout;
import java.util.Arrays;
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
    private final VertexLayout layout;
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
     * @return for how many partitions they are: those of the layout, or more if there once were
     */
    int restore(KeyedVertexStore store, boolean isRestored) throws Exception {
        for (int i = 0; i < ledgers.length; i++) {
            currentKey.accept(buckets.key(firstBucket + i));
            byte[] bytes = state.value();
            if (bytes != null) {
                ledgers[i] = mayChangePartitions
                        ? BucketLedger.fromBytes(bytes)
                        : BucketLedger.fromBytes(bytes, layout.partitionCount());
            } else {
                ledgers[i] = isRestored ? count(store, firstBucket + i) : new BucketLedger(layout.partitionCount());
            }
        }
        int partitions =
                Arrays.stream(ledgers).mapToInt(BucketLedger::partitions).reduce(layout.partitionCount(), Math::max);
        for (BucketLedger ledger : ledgers) {
            if (ledger.partitions() < partitions) {
                ledger.widen(partitions);
            }
        }
        return partitions;
    }

    private BucketLedger count(KeyedVertexStore store, int bucket) throws Exception {
        ReplicaCounts counts = new ReplicaCounts(layout.partitionCount());
        VertexCodec codec = new VertexCodec(layout);
        VertexBatch one = new VertexBatch(1);
        long[] created = new long[1];
        store.forEach(bucket, bucket + 1, (vertex, bytes) -> {
            created[0]++;
            one.clear();
            codec.decode(vertex, bytes, one);
            for (int r = 0; r < one.replicaCount(0); r++) {
                counts.add(one.replicas()[r], r == 0);
            }
        });
        return new BucketLedger(counts, created[0]);
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
