package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes an {@link OutputRow}: shard (4 bytes), length of the key (4 bytes), length of the value (4 bytes), key,
 * value.
 */
final class OutputRowSerializer extends StreamSerializer<OutputRow> {
    static final OutputRowSerializer INSTANCE = new OutputRowSerializer();

    @Override
    public OutputRow createInstance() {
        return OutputRow.ofShard(0, new byte[0]);
    }

    @Override
    public OutputRow copy(OutputRow from) {
        return from;
    }

    @Override
    public void serialize(OutputRow row, DataOutputView out) throws IOException {
        out.writeInt(row.shard());
        out.writeInt(row.key().length);
        out.writeInt(row.value().length);
        out.write(row.key());
        out.write(row.value());
    }

    @Override
    public OutputRow deserialize(OutputRow reuse, DataInputView in) throws IOException {
        int shard = in.readInt();
        byte[] key = new byte[in.readInt()];
        byte[] value = new byte[in.readInt()];
        in.readFully(key);
        in.readFully(value);
        return new OutputRow(shard, key, value);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<OutputRow> {
        public Snapshot() {
            super(OutputRowSerializer::new);
        }
    }
}
