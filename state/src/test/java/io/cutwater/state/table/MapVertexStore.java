package io.cutwater.state.table;

import io.cutwater.state.store.VertexStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A store in memory that counts what is asked of it. */
public class MapVertexStore implements VertexStore {
    final Map<Long, byte[]> values = new HashMap<>();
    int reads;
    int readCalls;
    private int manyReads;
    int writeCalls;

    @Override
    public byte @Nullable [] read(long vertex) {
        reads++;
        byte[] value = values.get(vertex);
        return value == null ? null : value.clone();
    }

    @Override
    public void read(long[] vertices, int count, byte[] @Nullable [] into) {
        readCalls++;
        manyReads += count;
        VertexStore.super.read(vertices, count, into);
    }

    /** Vertices that it has. */
    public int size() {
        return values.size();
    }

    public int readCalls() {
        return readCalls;
    }

    /** Vertices that were read. */
    public int reads() {
        return reads;
    }

    /** Vertices that were read one by one. */
    public int singleReads() {
        return reads - manyReads;
    }

    @Override
    public void write(long[] vertices, byte[] @Nullable [] bytes, int count) {
        writeCalls++;
        for (int i = 0; i < count; i++) {
            byte[] value = bytes[i];
            if (value == null) {
                values.remove(vertices[i]);
            } else {
                values.put(vertices[i], value.clone());
            }
        }
    }

    public void putAll(Map<Long, byte[]> vertices) {
        values.putAll(vertices);
    }

    public void forEach(BiConsumer<Long, byte[]> consumer) {
        values.forEach(consumer);
    }
}
