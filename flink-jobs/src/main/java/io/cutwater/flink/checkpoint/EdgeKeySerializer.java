package io.cutwater.flink.checkpoint;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes source and target, 8 bytes big-endian each. */
final class EdgeKeySerializer extends KeySerializer<EdgeKey> {
    static final EdgeKeySerializer INSTANCE = new EdgeKeySerializer();

    private static final long serialVersionUID = 1;

    @Override
    public EdgeKey createInstance() {
        return new EdgeKey(0, 0);
    }

    @Override
    public int getLength() {
        return 2 * Long.BYTES;
    }

    @Override
    public void serialize(EdgeKey edge, DataOutputView out) throws IOException {
        out.writeLong(edge.source());
        out.writeLong(edge.target());
    }

    @Override
    public EdgeKey deserialize(DataInputView in) throws IOException {
        long source = in.readLong();
        return new EdgeKey(source, in.readLong());
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        out.write(in, getLength());
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the key in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<EdgeKey> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
