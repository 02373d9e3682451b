package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.edges.StoredEdges;
import java.util.function.BooleanSupplier;

/**
 * The edges that a job keeps in its keyed state, with an in-memory filter that recognizes new edges.
 *
 * <p>The filter is not part of a checkpoint. After a restore the edges are read bucket by bucket, in time slices
 * between the batches of the stream ({@link #read}). Until a bucket has been read, edges from its vertices are looked
 * up in the state instead of the filter.
 */
final class JobEdges {
    private static final long[] NONE = {};

    private final KeyedAdjacency adjacency;
    private final KeyedVertexStore vertices;
    private final VertexBuckets buckets;
    private final StoredEdges kept;

    /** Buckets before this one have been read; all of them, unless a checkpoint was restored. */
    private int bucket;

    private long[] sources = NONE; // of that bucket, once it has been begun
    private int next;
    private boolean isBegun;

    /** @param vertices the vertices, which include the sources of all kept edges */
    JobEdges(AssignOptions options, KeyedAdjacency adjacency, KeyedVertexStore vertices, VertexBuckets buckets) {
        this.adjacency = adjacency;
        this.vertices = vertices;
        this.buckets = buckets;
        long filterBytes = options.filterBytes(1);
        if (options.kind().hasOwners()) {
            kept = StoredEdges.ofVertices(adjacency, filterBytes);
        } else {
            kept = options.removesVertices()
                    ? StoredEdges.ofEdgesByBothEnds(adjacency, filterBytes)
                    : StoredEdges.ofEdges(adjacency, filterBytes);
        }
        bucket = buckets.count();
    }

    KeyedAdjacency adjacency() {
        return adjacency;
    }

    StoredEdges kept() {
        return kept;
    }

    /**
     * Prepares reading the restored edges into the filter by {@link #read}; call before the first edge if the state has
     * edges.
     */
    void restore() {
        bucket = 0;
        kept.restoring(source -> buckets.bucket(source) >= bucket);
    }

    /** Returns whether {@link #read} has work left. */
    boolean isReading() {
        return bucket < buckets.count();
    }

    /** Reads restored edges into the filter for one time slice; returns whether there are more. */
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

    /**
     * Collects the vertices of a bucket. Later vertices need no reading: their edges are added to the filter when they
     * arrive.
     */
    private void begin() {
        sources = vertices.vertices(bucket);
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

    /** Writes pending rows to the state. */
    void flush() {
        adjacency.flush();
    }
}
