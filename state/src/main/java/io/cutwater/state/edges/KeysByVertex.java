package io.cutwater.state.edges;

import io.cutwater.state.store.AdjacencyStore;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The keys of the edges of each vertex, as rows under both ends of an edge, so that vertices can be removed. */
final class KeysByVertex {
    /** The row of a key: its version. */
    private static final byte[] MARK = {1};

    private final @Nullable AdjacencyStore store;

    /** @param store of keys as neighbours of vertices; null if vertices are not removed */
    KeysByVertex(@Nullable AdjacencyStore store) {
        this.store = store;
    }

    /** Adds a key that the vertices do not have. */
    void add(long source, long target, long key) {
        if (store != null) {
            store.append(source, key, true, 0, MARK);
            if (source != target) {
                store.append(target, key, true, 0, MARK);
            }
        }
    }

    void remove(long source, long target, long key) {
        if (store != null) {
            store.write(source, key, true, 0, null);
            store.write(target, key, true, 0, null);
        }
    }

    /** @throws IllegalStateException if vertices are not removed */
    long[] of(long vertex) {
        if (store == null) {
            throw new IllegalStateException(
                    "edges with keys are not found by their vertices; submit with --remove-vertices");
        }
        LongStream.Builder keys = LongStream.builder();
        store.forEach(vertex, (at, key, isOutgoing, mark) -> keys.add(key));
        return keys.build().toArray();
    }
}
