package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Serializes a dead letter. */
public final class RejectedRecordSerializer extends StreamSerializer<RejectedRecord> {
    public static final RejectedRecordSerializer INSTANCE = new RejectedRecordSerializer();

    @Override
    public RejectedRecord createInstance() {
        return new RejectedRecord("", "", -1, 0, null, new byte[0]);
    }

    @Override
    public RejectedRecord copy(RejectedRecord from) {
        return from;
    }

    @Override
    public void serialize(RejectedRecord record, DataOutputView out) throws IOException {
        out.writeUTF(record.reason());
        out.writeUTF(record.origin());
        out.writeInt(record.topicPartition());
        out.writeLong(record.offset());
        writeBytes(record.key(), out);
        writeBytes(record.value(), out);
        out.writeLong(record.valueLength());
        writeBytes(record.valueSha256(), out);
    }

    private static void writeBytes(byte @Nullable [] bytes, DataOutputView out) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    @Override
    public RejectedRecord deserialize(RejectedRecord reuse, DataInputView in) throws IOException {
        String reason = in.readUTF();
        String origin = in.readUTF();
        int topicPartition = in.readInt();
        long offset = in.readLong();
        byte[] key = readBytes(in);
        byte[] value = orEmpty(readBytes(in));
        long valueLength = in.readLong();
        byte[] sha256 = orEmpty(readBytes(in));
        return new RejectedRecord(reason, origin, topicPartition, offset, key, value, valueLength, sha256);
    }

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }

    private static byte @Nullable [] readBytes(DataInputView in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RejectedRecord> {
        public Snapshot() {
            super(RejectedRecordSerializer::new);
        }
    }
}
