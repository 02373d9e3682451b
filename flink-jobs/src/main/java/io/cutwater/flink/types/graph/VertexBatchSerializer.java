package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes rows of the partition book. */
public final class VertexBatchSerializer extends StreamSerializer<VertexBatch> {
    public static final VertexBatchSerializer INSTANCE = new VertexBatchSerializer();

    @Override
    public VertexBatch createInstance() {
        return new VertexBatch(1);
    }

    @Override
    public VertexBatch copy(VertexBatch from) {
        VertexBatch copy = new VertexBatch(Math.max(1, from.size()));
        for (int i = 0; i < from.size(); i++) {
            copy.add(from.vertex(i), from.degree(i), from.master(i));
            for (int r = from.replicasFrom(i); r < from.replicasFrom(i + 1); r++) {
                copy.addReplica(from.replicas()[r]);
            }
            if (from.isDegreeOnly(i)) {
                copy.markDegreeOnly();
            }
        }
        return copy;
    }

    @Override
    public void serialize(VertexBatch batch, DataOutputView out) throws IOException {
        out.writeInt(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            out.writeLong(batch.vertex(i));
            out.writeLong(batch.degree(i));
            out.writeShort(batch.master(i));
            int replicas = batch.replicaCount(i);
            out.writeShort(batch.isDegreeOnly(i) ? ~replicas : replicas);
            for (int r = batch.replicasFrom(i); r < batch.replicasFrom(i + 1); r++) {
                out.writeShort(batch.replicas()[r]);
            }
        }
    }

    @Override
    public VertexBatch deserialize(VertexBatch reuse, DataInputView in) throws IOException {
        reuse.clear();
        for (int rows = in.readInt(); rows > 0; rows--) {
            long vertex = in.readLong();
            long degree = in.readLong();
            reuse.add(vertex, degree, in.readShort());
            int replicas = in.readShort();
            for (int left = replicas < 0 ? ~replicas : replicas; left > 0; left--) {
                reuse.addReplica(in.readShort());
            }
            if (replicas < 0) {
                reuse.markDegreeOnly();
            }
        }
        return reuse;
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<VertexBatch> {
        public Snapshot() {
            super(VertexBatchSerializer::new);
        }
    }
}
