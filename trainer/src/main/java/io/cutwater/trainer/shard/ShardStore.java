package io.cutwater.trainer.shard;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.util.Arrays;

/**
 * A shard in the form that training needs, read-only: vertices by local number, those that the shard owns (or whose
 * master it has) first. Offsets, neighbours and features are in memory-mapped files: 8 bytes per vertex, 4 per endpoint
 * of an edge, and the features. Id, degree, class and split are on the heap: 21 bytes per vertex.
 */
public final class ShardStore implements LabelledShard {
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

    /** Returns the same shard with other features, one row per vertex. */
    public ShardStore with(Features rows) {
        return new ShardStore(shard, ownedCount, vertices, degrees, offsets, neighbours, rows, labels, splits);
    }

    /** Returns the number of the shard. */
    @Override
    public int shard() {
        return shard;
    }

    /** Returns the number of vertices, those of other owners included. */
    public int vertexCount() {
        return vertices.length;
    }

    /**
     * Returns the number of vertices that the shard owns. These have the lowest local numbers; the others are halo
     * vertices or mirrors and are never trained on.
     */
    @Override
    public int ownedCount() {
        return ownedCount;
    }

    /** Returns the id of a vertex in the graph. */
    public long vertex(int local) {
        return vertices[local];
    }

    /**
     * Returns the degree of a vertex in the whole graph without self-loops, or its degree in this shard if that is
     * larger.
     */
    public int degree(int local) {
        return degrees[local];
    }

    /**
     * Returns the position of the first neighbour of a vertex; its neighbours end where those of the next vertex begin.
     */
    public long begin(int local) {
        return offsets.get(local);
    }

    /** Returns the local number of a neighbour. Duplicate edges appear twice, self-loops never. */
    public int neighbour(long at) {
        return neighbours.get(at);
    }

    /** Returns the number of endpoints of edges in the shard, without self-loops. */
    @Override
    public long neighbourCount() {
        return neighbours.length();
    }

    public Features features() {
        return features;
    }

    /** Returns the class of a vertex that the shard owns; −1 for no class, or for a vertex of another owner. */
    @Override
    public int label(int local) {
        return labels[local];
    }

    /** Returns the split of a vertex; {@link VertexSplit#NONE} for vertices of other owners. */
    @Override
    public VertexSplit split(int local) {
        return splits[local];
    }

    /** Returns the local numbers of the owned vertices of a split, ascending, as a new array. */
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
