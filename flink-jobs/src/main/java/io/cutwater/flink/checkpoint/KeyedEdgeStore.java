package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.store.EdgeStore;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;

/** Edges in Flink's keyed state: key = bucket, user key = the edge, value = the pass in which it was last seen. */
public final class KeyedEdgeStore implements EdgeStore {
    private static final MapStateDescriptor<EdgeKey, Integer> EDGES =
            new MapStateDescriptor<>("edges", EdgeKeySerializer.INSTANCE, IntSerializer.INSTANCE);
    private static final long BUCKET_SEED = 3;

    /** Receives a stored edge. */
    public interface EdgeConsumer {
        void accept(long source, long target, int pass);
    }

    private final MapState<EdgeKey, Integer> state;
    private final VertexBuckets buckets;
    private final IntConsumer currentKey;

    /** @param currentKey sets the key of the next access to {@code states} */
    public KeyedEdgeStore(KeyedStateStore states, VertexBuckets buckets, IntConsumer currentKey) {
        state = states.getMapState(EDGES);
        this.buckets = buckets;
        this.currentKey = currentKey;
    }

    private int bucket(long source, long target) {
        return buckets.bucket(Hashing.mix64(BUCKET_SEED, source, target));
    }

    @Override
    public int read(long source, long target) {
        currentKey.accept(buckets.key(bucket(source, target)));
        try {
            Integer pass = state.get(new EdgeKey(source, target));
            return pass == null ? NEVER : pass;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read edge (%d, %d) from the state backend".formatted(source, target), e);
        }
    }

    @Override
    public void write(long[] sources, long[] targets, int count, int pass) {
        int[] bucketOf = new int[count];
        int[] starts = new int[buckets.count() + 1];
        for (int i = 0; i < count; i++) {
            bucketOf[i] = bucket(sources[i], targets[i]);
            starts[bucketOf[i] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[starts[bucketOf[i]]++] = i;
        }
        Map<EdgeKey, Integer> sameBucket = new LinkedHashMap<>();
        for (int from = 0; from < count; ) {
            int bucket = bucketOf[order[from]];
            sameBucket.clear();
            int to = from;
            while (to < count && bucketOf[order[to]] == bucket) {
                sameBucket.put(new EdgeKey(sources[order[to]], targets[order[to]]), pass);
                to++;
            }
            write(bucket, sameBucket);
            from = to;
        }
    }

    private void write(int bucket, Map<EdgeKey, Integer> edges) {
        currentKey.accept(buckets.key(bucket));
        try {
            state.putAll(edges);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot write %d edges to the state backend; is its disk full?".formatted(edges.size()), e);
        }
    }

    /** Passes every stored edge to the consumer, bucket by bucket. */
    public void forEach(EdgeConsumer consumer) throws Exception {
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            currentKey.accept(buckets.key(bucket));
            for (Map.Entry<EdgeKey, Integer> entry : state.entries()) {
                consumer.accept(entry.getKey().source(), entry.getKey().target(), entry.getValue());
            }
        }
    }
}
