package io.cutwater.flink.types.quality;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Reads and writes a quality: whether it is of vertices, then its counts. */
final class QualityBytes {
    private QualityBytes() {}

    static void write(Quality quality, DataOutputView out) throws IOException {
        out.writeBoolean(quality.kind().hasOwners());
        writeCounts(quality, out);
    }

    static Quality read(DataInputView in) throws IOException {
        return readCounts(in.readBoolean() ? PartitioningKind.VERTEX : PartitioningKind.EDGE, in);
    }

    private static void writeCounts(Quality quality, DataOutputView out) throws IOException {
        boolean isOfVertices = quality.kind().hasOwners();
        out.writeInt(quality.partitions());
        out.writeLong(quality.vertices());
        out.writeLong(quality.edges());
        out.writeLong(quality.deadLetters());
        for (PartitionQuality partition : quality.perPartition()) {
            out.writeLong(partition.vertices());
            if (isOfVertices) {
                out.writeLong(partition.volume());
                out.writeLong(partition.halo());
            }
            out.writeLong(partition.edges());
        }
    }

    private static Quality readCounts(PartitioningKind kind, DataInputView in) throws IOException {
        boolean isOfVertices = kind.hasOwners();
        int partitions = in.readInt();
        long vertices = in.readLong();
        long edges = in.readLong();
        long deadLetters = in.readLong();
        List<PartitionQuality> perPartition = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            perPartition.add(new PartitionQuality(
                    p,
                    in.readLong(),
                    isOfVertices ? in.readLong() : 0,
                    isOfVertices ? in.readLong() : 0,
                    in.readLong()));
        }
        return new Quality(kind, partitions, vertices, edges, deadLetters, perPartition);
    }
}
