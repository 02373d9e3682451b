package io.cutwater.state.joint;

import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What is known of the vertices of a part of a graph from the edges that came before, which stay where they are.
 *
 * @param loads edges and replicas of all that came before
 * @param counts earlier edges of each vertex of the part on each partition, at least 1 where it has a replica
 * @param degrees edges of each vertex of the part so far, those of the part included
 * @param otherHomes vertices of each partition that are not of the part
 * @param vertexCount vertices so far, those of the part included
 * @param maxEdges edges that a partition may have when the part is placed
 */
public record EarlierPlaces(
        PartitionLoads loads, EdgeCounts counts, int[] degrees, long[] otherHomes, long vertexCount, long maxEdges) {
    /** @param otherHomes changed to 0 where it is less */
    public static EarlierPlaces of(
            PartitionLoads loads, EdgeCounts counts, int[] degrees, long[] otherHomes, long maxEdges) {
        // Of several assigners each counts a part of the homes, those of the part not among them perhaps.
        Arrays.setAll(otherHomes, p -> Math.max(0, otherHomes[p]));
        long vertexCount = Arrays.stream(otherHomes).sum() + degrees.length;
        return new EarlierPlaces(loads, counts, degrees, otherHomes, vertexCount, maxEdges);
    }

    /** Returns whether nothing is known, so that the part is placed as if it began the graph. */
    public boolean isNone() {
        return loads.totalEdges() == 0
                && IntStream.range(0, degrees.length).allMatch(vertex -> counts.size(vertex) == 0);
    }

    /** Vertices of a partition that are not of the part. */
    public long otherHomes(int partition) {
        return otherHomes[partition];
    }
}
