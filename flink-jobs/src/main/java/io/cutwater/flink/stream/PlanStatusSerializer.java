package io.cutwater.flink.stream;

import io.cutwater.kafka.record.PlanStatus;
import io.cutwater.kafka.record.PlanStatusJson;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** How a re-partitioning stands, on the wire: 4 bytes length and its JSON. */
public final class PlanStatusSerializer extends StreamSerializer<PlanStatus> {
    public static final PlanStatusSerializer INSTANCE = new PlanStatusSerializer();

    @Override
    public PlanStatus createInstance() {
        return PlanStatus.refused("", 0, 0, "");
    }

    @Override
    public PlanStatus copy(PlanStatus from) {
        return from;
    }

    @Override
    public void serialize(PlanStatus status, DataOutputView out) throws IOException {
        byte[] json = PlanStatusJson.toBytes(status);
        out.writeInt(json.length);
        out.write(json);
    }

    @Override
    public PlanStatus deserialize(PlanStatus reuse, DataInputView in) throws IOException {
        byte[] json = new byte[in.readInt()];
        in.readFully(json);
        return PlanStatusJson.read(json);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<PlanStatus> {
        public Snapshot() {
            super(PlanStatusSerializer::new);
        }
    }
}
