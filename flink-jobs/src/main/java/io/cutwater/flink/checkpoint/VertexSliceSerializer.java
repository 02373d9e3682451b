package io.cutwater.flink.checkpoint;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes a vertex, 8 bytes big-endian, and a slice: a byte with the number of its bytes, 0 for slice 0, and these,
 * big-endian.
 */
final class VertexSliceSerializer extends KeySerializer<VertexSlice> {
    static final VertexSliceSerializer INSTANCE = new VertexSliceSerializer();

    private static final long serialVersionUID = 1;

    @Override
    public VertexSlice createInstance() {
        return new VertexSlice(0, 0);
    }

    @Override
    public void serialize(VertexSlice list, DataOutputView out) throws IOException {
        out.writeLong(list.vertex());
        int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(list.slice()) + Byte.SIZE - 1) / Byte.SIZE;
        out.writeByte(bytes);
        for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.writeByte(list.slice() >> shift);
        }
    }

    @Override
    public VertexSlice deserialize(DataInputView in) throws IOException {
        long vertex = in.readLong();
        int bytes = in.readByte();
        int slice = 0;
        for (int i = 0; i < bytes; i++) {
            slice = slice << Byte.SIZE | in.readUnsignedByte();
        }
        return new VertexSlice(vertex, slice);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the namespace in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<VertexSlice> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
