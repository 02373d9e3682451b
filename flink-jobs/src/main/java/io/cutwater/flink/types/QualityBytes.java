package io.cutwater.flink.types;

import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.VertexQuality;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The counts of a quality on the wire; an edge partitioning's do not say that they are one's. */
final class QualityBytes {
    private QualityBytes() {}

    static void write(Quality quality, DataOutputView out) throws IOException {
        out.writeBoolean(quality instanceof VertexQuality);
        if (quality instanceof VertexQuality ofVertices) {
            writeTotals(quality, out);
            for (VertexQuality.PartitionQuality partition : ofVertices.perPartition()) {
                out.writeLong(partition.owned());
                out.writeLong(partition.volume());
                out.writeLong(partition.halo());
                out.writeLong(partition.edges());
            }
        } else if (quality instanceof EdgeQuality ofEdges) {
            writeEdge(ofEdges, out);
        }
    }

    static Quality read(DataInputView in) throws IOException {
        return in.readBoolean() ? readVertex(in) : readEdge(in);
    }

    static void writeEdge(EdgeQuality quality, DataOutputView out) throws IOException {
        writeTotals(quality, out);
        for (EdgeQuality.PartitionQuality partition : quality.perPartition()) {
            out.writeLong(partition.vertices());
            out.writeLong(partition.edges());
        }
    }

    static EdgeQuality readEdge(DataInputView in) throws IOException {
        int partitions = in.readInt();
        long vertices = in.readLong();
        long edges = in.readLong();
        long deadLetters = in.readLong();
        List<EdgeQuality.PartitionQuality> perPartition = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            perPartition.add(new EdgeQuality.PartitionQuality(p, in.readLong(), in.readLong()));
        }
        return new EdgeQuality(partitions, vertices, edges, deadLetters, perPartition);
    }

    private static VertexQuality readVertex(DataInputView in) throws IOException {
        int partitions = in.readInt();
        long vertices = in.readLong();
        long edges = in.readLong();
        long deadLetters = in.readLong();
        List<VertexQuality.PartitionQuality> perPartition = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            perPartition.add(
                    new VertexQuality.PartitionQuality(p, in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return new VertexQuality(partitions, vertices, edges, deadLetters, perPartition);
    }

    private static void writeTotals(Quality quality, DataOutputView out) throws IOException {
        out.writeInt(quality.partitions());
        out.writeLong(quality.vertices());
        out.writeLong(quality.edges());
        out.writeLong(quality.deadLetters());
    }
}
