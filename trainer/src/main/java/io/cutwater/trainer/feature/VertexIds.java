package io.cutwater.trainer.feature;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Vertices with known data, in ascending order: 0 to n − 1, or explicit ids. */
public final class VertexIds {
    private final long @Nullable [] ids;
    private final int count;

    private VertexIds(long @Nullable [] ids, int count) {
        this.ids = ids;
        this.count = count;
    }

    public static VertexIds firstOf(long count) {
        return new VertexIds(null, Math.toIntExact(count));
    }

    /** @param ids distinct ids in any order; the array is sorted and kept */
    static VertexIds of(long[] ids) {
        Arrays.sort(ids);
        return new VertexIds(ids, ids.length);
    }

    public int count() {
        return count;
    }

    public long at(int position) {
        return ids == null ? position : ids[position];
    }

    /** Returns the position of a vertex, negative if it is absent. */
    public int find(long vertex) {
        if (ids != null) {
            return Arrays.binarySearch(ids, vertex);
        }
        return vertex >= 0 && vertex < count ? (int) vertex : -1;
    }
}
