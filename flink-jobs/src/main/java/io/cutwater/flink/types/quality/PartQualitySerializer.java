package io.cutwater.flink.types.quality;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a task's part of a quality report. */
final class PartQualitySerializer extends StreamSerializer<PartQuality> {
    static final PartQualitySerializer INSTANCE = new PartQualitySerializer();

    @Override
    public PartQuality createInstance() {
        return new PartQuality(0, false, Quality.ofEdges(0, 0, 0, 0, List.of()), 0, 0, 0);
    }

    @Override
    public PartQuality copy(PartQuality from) {
        return from;
    }

    @Override
    public void serialize(PartQuality part, DataOutputView out) throws IOException {
        out.writeInt(part.part());
        out.writeBoolean(part.isExact());
        out.writeInt(part.pass());
        out.writeLong(part.progress());
        out.writeLong(part.unknownRemovals());
        QualityBytes.write(part.quality(), out);
    }

    @Override
    public PartQuality deserialize(PartQuality reuse, DataInputView in) throws IOException {
        int part = in.readInt();
        boolean isExact = in.readBoolean();
        int pass = in.readInt();
        long progress = in.readLong();
        long unknownRemovals = in.readLong();
        return new PartQuality(part, isExact, QualityBytes.read(in), pass, progress, unknownRemovals);
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
