package io.cutwater.trainer.feature;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The vertices of which something is known, in ascending order: 0 to n − 1, or those that rows name. */
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

    /** @param ids in any order, each once; taken over */
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

    /** Where a vertex is, below 0 if it is not there. */
    public int find(long vertex) {
        if (ids != null) {
            return Arrays.binarySearch(ids, vertex);
        }
        return vertex >= 0 && vertex < count ? (int) vertex : -1;
    }
}
