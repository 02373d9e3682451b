package io.cutwater.flink.operator.distributed;

import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.ReplicaCounts;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a vertex table has counted of its vertices, for one assigner that goes on with what several have left. It
 * travels with an answer and is never stored: 4 bytes k, 8 bytes vertices with a replica, k times 8 bytes replicas, and
 * in a vertex partitioning {@link OwnerLoads#vertices}.
 *
 * @param loads without edges
 * @param owners present in a vertex partitioning
 */
record TableTotals(PartitionLoads loads, Optional<byte[]> owners) {
    static byte[] toBytes(ReplicaCounts counts, byte @Nullable [] owners) {
        int k = counts.partitionCount();
        int rest = owners == null ? 0 : owners.length;
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + (1 + k) * Long.BYTES + rest);
        out.putInt(k).putLong(counts.vertices());
        for (int p = 0; p < k; p++) {
            out.putLong(counts.replicas(p));
        }
        if (owners != null) {
            out.put(owners);
        }
        return out.array();
    }

    static TableTotals fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int k = in.getInt();
        long vertices = in.getLong();
        long[] replicas = new long[k];
        for (int p = 0; p < k; p++) {
            replicas[p] = in.getLong();
        }
        byte[] owners = new byte[in.remaining()];
        in.get(owners);
        return new TableTotals(
                new PartitionLoads(new long[k], replicas, vertices),
                owners.length == 0 ? Optional.empty() : Optional.of(owners));
    }
}
