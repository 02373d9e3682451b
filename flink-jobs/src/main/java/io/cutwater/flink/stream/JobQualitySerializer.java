package io.cutwater.flink.stream;

import io.cutwater.state.quality.QualityReport;
import io.cutwater.state.quality.QualityReport.PartitionQuality;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A quality report on the wire. */
public final class JobQualitySerializer extends StreamSerializer<JobQuality> {
    public static final JobQualitySerializer INSTANCE = new JobQualitySerializer();

    @Override
    public JobQuality createInstance() {
        return new JobQuality(new QualityReport(0, 0, 0, 0, List.of()), 0, 0);
    }

    @Override
    public JobQuality copy(JobQuality from) {
        return from;
    }

    @Override
    public void serialize(JobQuality element, DataOutputView out) throws IOException {
        QualityReport quality = element.quality();
        out.writeInt(element.pass());
        out.writeLong(element.progress());
        out.writeLong(quality.vertices());
        out.writeLong(quality.edges());
        out.writeLong(quality.deadLetters());
        out.writeInt(quality.partitions());
        for (PartitionQuality partition : quality.perPartition()) {
            out.writeLong(partition.vertices());
            out.writeLong(partition.edges());
        }
    }

    @Override
    public JobQuality deserialize(JobQuality reuse, DataInputView in) throws IOException {
        int pass = in.readInt();
        long progress = in.readLong();
        long vertices = in.readLong();
        long edges = in.readLong();
        long deadLetters = in.readLong();
        int partitions = in.readInt();
        List<PartitionQuality> perPartition = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            long partitionVertices = in.readLong();
            perPartition.add(new PartitionQuality(p, partitionVertices, in.readLong()));
        }
        return new JobQuality(
                new QualityReport(partitions, vertices, edges, deadLetters, perPartition), pass, progress);
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
