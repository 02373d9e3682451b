package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.edges.KeptEdges;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * The edges that a job keeps, in its keyed state, with a filter in memory that knows of new edges that they are new.
 *
 * <p>The filter is no part of a checkpoint. Behind a restore the edges are read bucket by bucket, in turns between the
 * batches of the stream ({@link #read}). Until a bucket has been read, the filter is not asked about edges that lead
 * from its vertices, so that such an edge costs a look at the state.
 */
final class JobEdges {
    /** Of the memory for vertices: 10 bits for each of 50 million edges beside a cache of 256 MB. */
    private static final int CACHE_SHARE = 4;

    private static final long MIN_FILTER = 64;
    private static final long MAX_FILTER = 1 << 30;
    private static final long[] NONE = {};

    private final KeyedAdjacency adjacency;
    private final KeyedVertexStore vertices;
    private final VertexBuckets buckets;
    private final KeptEdges kept;

    /** Buckets before this one have been read; all of them, unless a checkpoint was restored. */
    private int bucket;

    private long[] sources = NONE; // of that bucket, once it has been begun
    private int next;
    private boolean isBegun;

    /** @param vertices among which the sources of all kept edges are */
    JobEdges(AssignOptions options, KeyedAdjacency adjacency, KeyedVertexStore vertices, VertexBuckets buckets) {
        this.adjacency = adjacency;
        this.vertices = vertices;
        this.buckets = buckets;
        long filterBytes = Math.min(MAX_FILTER, Math.max(MIN_FILTER, options.cacheBytes() / CACHE_SHARE));
        kept = options.kind().hasOwners()
                ? KeptEdges.ofVertices(adjacency, filterBytes)
                : KeptEdges.ofEdges(adjacency, filterBytes);
        bucket = buckets.count();
    }

    KeptEdges kept() {
        return kept;
    }

    /** To be called before the first edge if the state has edges: {@link #read} then tells the filter of them. */
    void restore() {
        bucket = 0;
        kept.restoring(source -> buckets.bucket(source) >= bucket);
    }

    /** Whether {@link #read} has something to do. */
    boolean isReading() {
        return bucket < buckets.count();
    }

    /** Reads edges of the restored state for the filter, as long as there is time; whether there are more. */
    boolean read(BooleanSupplier hasTime) {
        while (isReading() && hasTime.getAsBoolean()) {
            if (!isBegun) {
                begin();
            } else if (next < sources.length) {
                adjacency.forEachStored(sources[next++], (source, target, isOutgoing, row) -> {
                    if (isOutgoing) {
                        kept.restored(source, target);
                    }
                });
            } else {
                end();
            }
        }
        return isReading();
    }

    /** A vertex that comes later is none of these, and the filter is told of its edges when they come. */
    private void begin() {
        LongStream.Builder ids = LongStream.builder();
        try {
            vertices.forEach(bucket, bucket + 1, (vertex, bytes) -> ids.add(vertex));
        } catch (Exception e) {
            throw new IllegalStateException("cannot read the vertices from the state backend", e);
        }
        sources = ids.build().toArray();
        next = 0;
        isBegun = true;
    }

    private void end() {
        sources = NONE;
        isBegun = false;
        bucket++;
        if (!isReading()) {
            kept.restoredAll();
        }
    }

    /** Writes what the state does not have yet. */
    void flush() {
        adjacency.flush();
    }
}
