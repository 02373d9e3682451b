package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.RejectedRecordSerializer;
import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes a {@link CommandEvent}: length of the command's JSON or −1 (4 bytes), the JSON, whether the record is
 * rejected (1 byte), and the dead letter.
 */
final class CommandEventSerializer extends StreamSerializer<CommandEvent> {
    static final CommandEventSerializer INSTANCE = new CommandEventSerializer();

    @Override
    public CommandEvent createInstance() {
        return new CommandEvent(null, null);
    }

    @Override
    public CommandEvent copy(CommandEvent from) {
        return from;
    }

    @Override
    public void serialize(CommandEvent event, DataOutputView out) throws IOException {
        byte[] json = event.command() == null ? null : JobCommandJson.toBytes(event.command());
        out.writeInt(json == null ? -1 : json.length);
        if (json != null) {
            out.write(json);
        }
        RejectedRecord rejected = event.rejected();
        out.writeBoolean(rejected != null);
        if (rejected != null) {
            RejectedRecordSerializer.INSTANCE.serialize(rejected, out);
        }
    }

    @Override
    public CommandEvent deserialize(CommandEvent reuse, DataInputView in) throws IOException {
        int length = in.readInt();
        byte[] json = new byte[Math.max(0, length)];
        in.readFully(json);
        return new CommandEvent(
                length < 0 ? null : JobCommandJson.read(json),
                in.readBoolean() ? RejectedRecordSerializer.INSTANCE.deserialize(in) : null);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<CommandEvent> {
        public Snapshot() {
            super(CommandEventSerializer::new);
        }
    }
}
