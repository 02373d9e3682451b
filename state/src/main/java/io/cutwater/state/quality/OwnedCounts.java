package io.cutwater.state.quality;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.parts.GraphPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts of a vertex partitioning, taken in one pass over the vertices of a graph; of all parts if it is one. */
final class OwnedCounts {
    private final long[] owned;
    private final long[] volume;
    private final long[] halo;
    private final long[] cutEnds;
    private final int[] lastVertexOn;
    private long vertices;

    OwnedCounts(int partitionCount) {
        owned = new long[partitionCount];
        volume = new long[partitionCount];
        halo = new long[partitionCount];
        cutEnds = new long[partitionCount];
        lastVertexOn = new int[partitionCount];
        Arrays.fill(lastVertexOn, -1);
    }

    OwnedCounts add(BoundedGraph graph, int[] owners) {
        try (VertexPass pass = graph.vertices()) {
            while (pass.next()) {
                if (pass.to() > pass.from()) {
                    add(pass, owners);
                }
            }
        }
        GraphPart part = GraphPart.of(graph);
        if (part != null) {
            for (long[] counts : new long[][] {owned, volume, halo, cutEnds}) {
                System.arraycopy(part.sum(counts), 0, counts, 0, counts.length);
            }
            vertices = GraphPart.sum(graph, vertices);
        }
        return this;
    }

    private void add(VertexPass pass, int[] owners) {
        int v = pass.vertex();
        int own = owners[v];
        vertices++;
        owned[own]++;
        volume[own] += pass.to() - pass.from();
        for (int i = pass.from(); i < pass.to(); i++) {
            int other = owners[pass.neighbours()[i]];
            if (other != own) {
                cutEnds[own]++;
                halo[other] += lastVertexOn[other] == v ? 0 : 1;
                lastVertexOn[other] = v;
            }
        }
    }

    Quality quality(long edges) {
        List<PartitionQuality> perPartition = new ArrayList<>(owned.length);
        for (int p = 0; p < owned.length; p++) {
            long innerEdges = (volume[p] - cutEnds[p]) / 2;
            perPartition.add(new PartitionQuality(p, owned[p], volume[p], halo[p], innerEdges + cutEnds[p]));
        }
        return Quality.ofVertices(owned.length, vertices, edges, 0, perPartition);
    }
}
