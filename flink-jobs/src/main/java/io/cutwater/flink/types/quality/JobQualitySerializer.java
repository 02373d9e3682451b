package io.cutwater.flink.types.quality;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a quality report. */
final class JobQualitySerializer extends StreamSerializer<JobQuality> {
    static final JobQualitySerializer INSTANCE = new JobQualitySerializer();

    @Override
    public JobQuality createInstance() {
        return new JobQuality(Quality.ofEdges(0, 0, 0, 0, List.of()), 0, 0);
    }

    @Override
    public JobQuality copy(JobQuality from) {
        return from;
    }

    @Override
    public void serialize(JobQuality element, DataOutputView out) throws IOException {
        out.writeInt(element.pass());
        out.writeLong(element.progress());
        out.writeLong(element.unknownRemovals());
        QualityBytes.write(element.quality(), out);
    }

    @Override
    public JobQuality deserialize(JobQuality reuse, DataInputView in) throws IOException {
        int pass = in.readInt();
        long progress = in.readLong();
        long unknownRemovals = in.readLong();
        return new JobQuality(QualityBytes.read(in), pass, progress, unknownRemovals);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<JobQuality> {
        public Snapshot() {
            super(JobQualitySerializer::new);
        }
    }
}
