package io.cutwater.state.quality;

import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The distribution of training vertices: each counts on the partition that owns it or has its master.
 *
 * @param perPartition training vertices of each partition, in order
 */
public record TrainingQuality(List<Long> perPartition) {
    public TrainingQuality {
        perPartition = List.copyOf(perPartition);
    }

    /** Counts masters, which in a vertex partitioning are the owners; those without an edge count nowhere. */
    public static TrainingQuality of(TrainingVertices training, VertexTable vertices) {
        long[] counts = new long[vertices.layout().partitionCount()];
        training.ids().forEach(vertex -> {
            int master = vertices.master(vertices.slot(vertex));
            if (master != VertexTable.NO_MASTER) {
                counts[master]++;
            }
        });
        return of(counts);
    }

    /** @param counts training vertices of each partition */
    public static TrainingQuality of(long... counts) {
        return new TrainingQuality(LongStream.of(counts).boxed().toList());
    }

    /** Training vertices of the fullest partition over the average: max · k / Σ; 1 if there are none. */
    public double balance() {
        long max = perPartition.stream().mapToLong(count -> count).max().orElse(0);
        long sum = perPartition.stream().mapToLong(count -> count).sum();
        return sum == 0 ? 1.0 : (double) max * perPartition.size() / sum;
    }
}
