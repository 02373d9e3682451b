package io.cutwater.trainer.shard;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.util.Arrays;

/**
 * One shard as training needs it, read-only: vertices by local number, those that the shard owns (or whose master it
 * has) first. Neighbours, degrees and features are in mapped files, off the heap: 8 bytes a vertex and 4 for each end
 * of an edge, and the features. On the heap are 21 bytes a vertex: id, degree, class, split.
 */
public final class ShardStore {
    private final int shard;
    private final int ownedCount;
    private final long[] vertices;
    private final int[] degrees;
    private final MappedLongs offsets;
    private final MappedInts neighbours;
    private final Features features;
    private final int[] labels;
    private final VertexSplit[] splits;

    ShardStore(
            int shard,
            int ownedCount,
            long[] vertices,
            int[] degrees,
            MappedLongs offsets,
            MappedInts neighbours,
            Features features,
            int[] labels,
            VertexSplit[] splits) {
        this.shard = shard;
        this.ownedCount = ownedCount;
        this.vertices = vertices;
        this.degrees = degrees;
        this.offsets = offsets;
        this.neighbours = neighbours;
        this.features = features;
        this.labels = labels;
        this.splits = splits;
    }

    /** The shard's number. */
    public int shard() {
        return shard;
    }

    /** All vertices, those of other owners included. */
    public int vertexCount() {
        return vertices.length;
    }

    /** Local numbers below this are the shard's own; the others are halo or mirrors, and never a training target. */
    public int ownedCount() {
        return ownedCount;
    }

    /** The id in the graph. */
    public long vertex(int local) {
        return vertices[local];
    }

    /** Edges of the vertex in the whole graph, without self-loops; at least those in this shard. */
    public int degree(int local) {
        return degrees[local];
    }

    /** Where the neighbours of a vertex begin; those of the next vertex begin where they end. */
    public long begin(int local) {
        return offsets.get(local);
    }

    /** The local number of a neighbour; a duplicate edge gives it twice, a self-loop gives none. */
    public int neighbour(long at) {
        return neighbours.get(at);
    }

    /** Ends of edges in the shard, without self-loops. */
    public long neighbourCount() {
        return neighbours.length();
    }

    public Features features() {
        return features;
    }

    /** The class of a vertex of the shard's own, −1 for none; of others −1. */
    public int label(int local) {
        return labels[local];
    }

    /** What a vertex serves for; those of other owners for nothing. */
    public VertexSplit split(int local) {
        return splits[local];
    }

    /** Local numbers of the owned vertices of a split, ascending; a new array. */
    public int[] verticesOf(VertexSplit split) {
        int[] found = new int[ownedCount];
        int count = 0;
        for (int local = 0; local < ownedCount; local++) {
            if (splits[local] == split) {
                found[count++] = local;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
