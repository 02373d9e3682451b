package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.feedback.Views;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes an {@link AssignerMessage}: whether it is an answer (1 byte), then the answer or the command. */
final class AssignerMessageSerializer extends StreamSerializer<AssignerMessage> {
    static final AssignerMessageSerializer INSTANCE = new AssignerMessageSerializer();

    @Override
    public AssignerMessage createInstance() {
        return AssignerMessage.of(new Views());
    }

    @Override
    public AssignerMessage copy(AssignerMessage from) {
        return from.views() == null ? from : AssignerMessage.of(ViewsSerializer.INSTANCE.copy(from.views()));
    }

    @Override
    public void serialize(AssignerMessage message, DataOutputView out) throws IOException {
        Views views = message.views();
        CommandEvent command = message.command();
        out.writeBoolean(views != null);
        if (views != null) {
            ViewsSerializer.INSTANCE.serialize(views, out);
        } else if (command != null) {
            CommandEventSerializer.INSTANCE.serialize(command, out);
        }
    }

    @Override
    public AssignerMessage deserialize(AssignerMessage reuse, DataInputView in) throws IOException {
        if (!in.readBoolean()) {
            return AssignerMessage.of(CommandEventSerializer.INSTANCE.deserialize(in));
        }
        Views into = reuse.views() == null ? new Views() : reuse.views();
        return AssignerMessage.of(ViewsSerializer.INSTANCE.deserialize(into, in));
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<AssignerMessage> {
        public Snapshot() {
            super(AssignerMessageSerializer::new);
        }
    }
}
