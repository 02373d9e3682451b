package io.cutwater.flink.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A task's part of a quality report on the wire. */
public final class PartQualitySerializer extends StreamSerializer<PartQuality> {
    public static final PartQualitySerializer INSTANCE = new PartQualitySerializer();

    @Override
    public PartQuality createInstance() {
        return new PartQuality(0, false, JobQualitySerializer.INSTANCE.createInstance());
    }

    @Override
    public PartQuality copy(PartQuality from) {
        return from;
    }

    @Override
    public void serialize(PartQuality part, DataOutputView out) throws IOException {
        out.writeInt(part.part());
        out.writeBoolean(part.isExact());
        JobQualitySerializer.INSTANCE.serialize(part.quality(), out);
    }

    @Override
    public PartQuality deserialize(PartQuality reuse, DataInputView in) throws IOException {
        int part = in.readInt();
        boolean isExact = in.readBoolean();
        return new PartQuality(part, isExact, JobQualitySerializer.INSTANCE.deserialize(reuse.quality(), in));
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<PartQuality> {
        public Snapshot() {
            super(PartQualitySerializer::new);
        }
    }
}
