package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes {@link VertexReplicas}: vertex (8 bytes), number of partitions (2 bytes), partitions (2 bytes each). */
final class VertexReplicasSerializer extends StreamSerializer<VertexReplicas> {
    static final VertexReplicasSerializer INSTANCE = new VertexReplicasSerializer();

    @Override
    public VertexReplicas createInstance() {
        return new VertexReplicas(0, new int[0]);
    }

    @Override
    public VertexReplicas copy(VertexReplicas from) {
        return from;
    }

    @Override
    public void serialize(VertexReplicas replicas, DataOutputView out) throws IOException {
        out.writeLong(replicas.vertex());
        out.writeShort(replicas.partitions().length);
        for (int partition : replicas.partitions()) {
            out.writeShort(partition);
        }
    }

    @Override
    public VertexReplicas deserialize(VertexReplicas reuse, DataInputView in) throws IOException {
        long vertex = in.readLong();
        int[] partitions = new int[in.readShort()];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = in.readShort();
        }
        return new VertexReplicas(vertex, partitions);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<VertexReplicas> {
        public Snapshot() {
            super(VertexReplicasSerializer::new);
        }
    }
}
