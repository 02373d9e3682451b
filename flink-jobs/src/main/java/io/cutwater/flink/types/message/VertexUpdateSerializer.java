package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a vertex update as its topic has it. */
final class VertexUpdateSerializer extends StreamSerializer<VertexUpdate> {
    static final VertexUpdateSerializer INSTANCE = new VertexUpdateSerializer();

    @Override
    public VertexUpdate createInstance() {
        return new VertexUpdate(0, 0, 0, 0, 0, new VertexBatch(0));
    }

    @Override
    public VertexUpdate copy(VertexUpdate from) {
        return from;
    }

    @Override
    public void serialize(VertexUpdate update, DataOutputView out) throws IOException {
        byte[] bytes = VertexUpdateCodec.encode(update);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public VertexUpdate deserialize(VertexUpdate reuse, DataInputView in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return VertexUpdateCodec.decode(bytes);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<VertexUpdate> {
        public Snapshot() {
            super(VertexUpdateSerializer::new);
        }
    }
}
