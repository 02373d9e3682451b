package io.cutwater.flink.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.jspecify.annotations.Nullable;

/**
 * Lists of bytes in Flink's keyed state: key = bucket of the vertex, as in {@link KeyedVertexStore}, namespace = vertex
 * and slice.
 *
 * <p>The namespace makes the lists of a vertex entries of their own, though they have one key. Flink's windows are
 * namespaces for the same reason.
 */
final class SliceLists {
    private static final ListStateDescriptor<byte[]> LISTS =
            new ListStateDescriptor<>("adjacency", BytePrimitiveArraySerializer.INSTANCE);

    private static final int NONE = -1;

    private final InternalListState<Integer, VertexSlice, byte[]> state;
    private final VertexBuckets buckets;
    private final IntConsumer currentKey;
    private int selectedBucket = NONE;

    private SliceLists(
            InternalListState<Integer, VertexSlice, byte[]> state, VertexBuckets buckets, IntConsumer currentKey) {
        this.state = state;
        this.buckets = buckets;
        this.currentKey = currentKey;
    }

    /** @param currentKey sets the key of the next access to the backend */
    static SliceLists over(KeyedStateBackend<Integer> backend, VertexBuckets buckets, IntConsumer currentKey)
            throws Exception {
        // Every list state of a backend is one of these; the namespace is not part of the public interface.
        @SuppressWarnings("unchecked")
        InternalListState<Integer, VertexSlice, byte[]> state = (InternalListState<Integer, VertexSlice, byte[]>)
                backend.getOrCreateKeyedState(VertexSliceSerializer.INSTANCE, LISTS);
        return new SliceLists(state, buckets, currentKey);
    }

    /** Call it before the first access after others may have set the current key of the backend. */
    void deselect() {
        selectedBucket = NONE;
    }

    private void select(long vertex, int slice) {
        int bucket = buckets.bucket(vertex);
        // Vertices come in the order of their buckets, and setting a key hashes it again.
        if (bucket != selectedBucket) {
            currentKey.accept(buckets.key(bucket));
            selectedBucket = bucket;
        }
        state.setCurrentNamespace(new VertexSlice(vertex, slice));
    }

    /** Returns a list, null for an empty one. */
    @Nullable List<byte[]> get(long vertex, int slice) throws Exception {
        select(vertex, slice);
        return state.getInternal();
    }

    /** Appends an element to a list, without reading that. */
    void append(long vertex, int slice, byte[] element) throws Exception {
        select(vertex, slice);
        state.add(element);
    }

    /** Replaces a list. */
    void set(long vertex, int slice, List<byte[]> list) throws Exception {
        select(vertex, slice);
        if (list.isEmpty()) {
            state.clear();
        } else {
            state.updateInternal(new ArrayList<>(list)); // a backend in memory appends to it
        }
    }
}
