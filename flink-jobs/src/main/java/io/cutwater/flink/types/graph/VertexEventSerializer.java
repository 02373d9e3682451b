package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes a {@link VertexEvent}: vertex (8 bytes), length of the data or −1 (4 bytes), data, whether the record is
 * rejected (1 byte), and the dead letter.
 */
final class VertexEventSerializer extends StreamSerializer<VertexEvent> {
    static final VertexEventSerializer INSTANCE = new VertexEventSerializer();

    @Override
    public VertexEvent createInstance() {
        return new VertexEvent(0, null, null);
    }

    @Override
    public VertexEvent copy(VertexEvent from) {
        return from;
    }

    @Override
    public void serialize(VertexEvent event, DataOutputView out) throws IOException {
        out.writeLong(event.vertex());
        byte[] data = event.data();
        out.writeInt(data == null ? -1 : data.length);
        if (data != null) {
            out.write(data);
        }
        RejectedRecord rejected = event.rejected();
        out.writeBoolean(rejected != null);
        if (rejected != null) {
            RejectedRecordSerializer.INSTANCE.serialize(rejected, out);
        }
    }

    @Override
    public VertexEvent deserialize(VertexEvent reuse, DataInputView in) throws IOException {
        long vertex = in.readLong();
        int length = in.readInt();
        byte[] data = null;
        if (length >= 0) {
            data = new byte[length];
            in.readFully(data);
        }
        return new VertexEvent(
                vertex, data, in.readBoolean() ? RejectedRecordSerializer.INSTANCE.deserialize(in) : null);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<VertexEvent> {
        public Snapshot() {
            super(VertexEventSerializer::new);
        }
    }
}
