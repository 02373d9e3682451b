package io.cutwater.flink.checkpoint;

import io.cutwater.state.feedback.Lookup;
import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/** Key of a lookup: the key of its bucket, so that the lookup goes to the task that has the bucket's key group. */
public final class BucketKey implements KeySelector<Lookup, Integer> {
    private static final long serialVersionUID = 1;

    private final int buckets;
    private transient @Nullable VertexBuckets keys;

    public BucketKey(int buckets) {
        this.buckets = buckets;
    }

    @Override
    public Integer getKey(Lookup lookup) {
        if (keys == null) {
            keys = new VertexBuckets(buckets);
        }
        return keys.key(lookup.bucket());
    }
}
