package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes the status of a re-partitioning: length (4 bytes) and JSON. */
final class RepartitionStatusSerializer extends StreamSerializer<RepartitionStatus> {
    static final RepartitionStatusSerializer INSTANCE = new RepartitionStatusSerializer();

    @Override
    public RepartitionStatus createInstance() {
        return RepartitionStatus.refused("", 0, 0, "");
    }

    @Override
    public RepartitionStatus copy(RepartitionStatus from) {
        return from;
    }

    @Override
    public void serialize(RepartitionStatus status, DataOutputView out) throws IOException {
        byte[] json = RepartitionStatusJson.toBytes(status);
        out.writeInt(json.length);
        out.write(json);
    }

    @Override
    public RepartitionStatus deserialize(RepartitionStatus reuse, DataInputView in) throws IOException {
        byte[] json = new byte[in.readInt()];
        in.readFully(json);
        return RepartitionStatusJson.read(json);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RepartitionStatus> {
        public Snapshot() {
            super(RepartitionStatusSerializer::new);
        }
    }
}
