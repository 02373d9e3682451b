package io.cutwater.flink.checkpoint;

import io.cutwater.state.store.VertexStore;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Vertices in Flink's keyed state: key = bucket, user key = vertex id, value = the bytes of
 * {@link io.cutwater.state.table.VertexCodec}. The ids of a bucket are adjacent in RocksDB.
 */
public final class KeyedVertexStore implements VertexStore {
    public static final MapStateDescriptor<Long, byte[]> VERTICES =
            new MapStateDescriptor<>("vertices", LongSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

    /** What the thread may have to do: each is a read or a write of some thousand vertices. */
    private static final int AT_ONCE = 4;

    /** Receives a stored vertex. */
    public interface VertexConsumer {
        void accept(long vertex, byte[] bytes) throws Exception;
    }

    private final MapState<Long, byte[]> state;
    private final VertexBuckets buckets;
    private final IntConsumer currentKey;
    private final @Nullable StateThread thread;
    private final Deque<Future<?>> begun = new ArrayDeque<>(); // that the thread may not have done yet

    /** @param currentKey sets the key of the next access to {@code state} */
    public KeyedVertexStore(MapState<Long, byte[]> state, VertexBuckets buckets, IntConsumer currentKey) {
        this(state, buckets, currentKey, null);
    }

    /**
     * @param currentKey sets the key of the next access to {@code state}
     * @param thread reads and writes beside the caller; null for none
     */
    public KeyedVertexStore(
            MapState<Long, byte[]> state, VertexBuckets buckets, IntConsumer currentKey, @Nullable StateThread thread) {
        this.state = state;
        this.buckets = buckets;
        this.currentKey = currentKey;
        this.thread = thread;
    }

    @Override
    public boolean isConcurrent() {
        return thread != null;
    }

    @Override
    public void startRead(long[] vertices, int count, byte[] @Nullable [] into) {
        if (thread == null) {
            readNow(vertices, count, into);
        } else {
            begin(thread, () -> readNow(vertices, count, into));
        }
    }

    private void begin(StateThread thread, Runnable work) {
        while (begun.size() >= AT_ONCE) {
            StateThread.await(begun.remove());
        }
        begun.add(thread.execute(work));
    }

    @Override
    public void await() {
        while (!begun.isEmpty()) {
            StateThread.await(begun.remove());
        }
    }

    /** Waits until the state belongs to the caller. */
    private void takeState() {
        if (thread != null) {
            thread.await();
        }
    }

    @Override
    public byte @Nullable [] read(long vertex) {
        takeState();
        currentKey.accept(buckets.key(buckets.bucket(vertex)));
        return get(vertex);
    }

    @Override
    public void read(long[] vertices, int count, byte[] @Nullable [] into) {
        takeState();
        readNow(vertices, count, into);
    }

    private void readNow(long[] vertices, int count, byte[] @Nullable [] into) {
        int[] order = buckets.inStoreOrder(vertices, count);
        int current = -1;
        for (int position : order) {
            int bucket = buckets.bucket(vertices[position]);
            if (bucket != current) {
                currentKey.accept(buckets.key(bucket));
                current = bucket;
            }
            into[position] = get(vertices[position]);
        }
    }

    private byte @Nullable [] get(long vertex) {
        try {
            return state.get(vertex);
        } catch (Exception e) {
            throw new IllegalStateException("cannot read vertex " + vertex + " from the state backend", e);
        }
    }

    @Override
    public void write(long[] vertices, byte[] @Nullable [] values, int count) {
        if (thread == null) {
            writeNow(vertices, values, count);
        } else {
            long[] ids = Arrays.copyOf(vertices, count);
            byte[][] records = Arrays.copyOf(values, count);
            begin(thread, () -> writeNow(ids, records, count));
        }
    }

    private void writeNow(long[] vertices, byte[] @Nullable [] values, int count) {
        int[] order = buckets.inStoreOrder(vertices, count);
        Map<Long, byte[]> sameBucket = new LinkedHashMap<>();
        for (int from = 0; from < count; ) {
            int bucket = buckets.bucket(vertices[order[from]]);
            sameBucket.clear();
            int to = from;
            while (to < count && buckets.bucket(vertices[order[to]]) == bucket) {
                byte[] value = values[order[to]];
                if (value == null) {
                    delete(bucket, vertices[order[to]]);
                } else {
                    sameBucket.put(vertices[order[to]], value);
                }
                to++;
            }
            write(bucket, sameBucket);
            from = to;
        }
    }

    private void delete(int bucket, long vertex) {
        currentKey.accept(buckets.key(bucket));
        try {
            state.remove(vertex);
        } catch (Exception e) {
            throw new IllegalStateException("cannot delete vertex " + vertex + " from the state backend", e);
        }
    }

    private void write(int bucket, Map<Long, byte[]> vertices) {
        if (vertices.isEmpty()) {
            return;
        }
        currentKey.accept(buckets.key(bucket));
        try {
            state.putAll(vertices);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot write %d vertices to the state backend; is its disk full?".formatted(vertices.size()), e);
        }
    }

    /**
     * Passes every stored vertex of the buckets {@code first} to {@code end} (exclusive) to the consumer, bucket by
     * bucket.
     */
    public void forEach(int first, int end, VertexConsumer consumer) throws Exception {
        takeState();
        for (int bucket = first; bucket < end; bucket++) {
            currentKey.accept(buckets.key(bucket));
            for (Map.Entry<Long, byte[]> entry : state.entries()) {
                consumer.accept(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Returns the vertices of a bucket. */
    public long[] vertices(int bucket) {
        LongStream.Builder ids = LongStream.builder();
        try {
            forEach(bucket, bucket + 1, (vertex, bytes) -> ids.add(vertex));
        } catch (Exception e) {
            throw new IllegalStateException("cannot read the vertices from the state backend", e);
        }
        return ids.build().toArray();
    }
}
