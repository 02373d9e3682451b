package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.state.table.PartitionLoads;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Counts that an assigner keeps besides the vertices.
 *
 * <pre>
 *   1 byte   version = 2
 *   4 bytes  k
 *   8 bytes  vertices ever created
 *   8 bytes  vertices with a replica
 *   8 bytes  dead letters
 *   8 bytes  progress in the input
 *   8 bytes  removals of edges that were not there
 *   1 byte   1 if the edges are kept, 2 if they are also found by both ends, else 0
 *   k times  8 bytes edges, 8 bytes replicas of a partition
 * </pre>
 *
 * Version 1 had neither removals nor kept edges.
 *
 * @param createdVertices vertices that the table ever created
 * @param deadLetters malformed records of the input
 * @param progress as {@link io.cutwater.state.graph.EdgeBatch#progress()}
 * @param unknownRemovals number of removals of edges that were not there
 * @param keepsEdges whether every placed edge is kept in state
 * @param removesVertices whether kept edges are found by both ends, so that vertices can be removed
 */
public record Totals(
        PartitionLoads loads,
        long createdVertices,
        long deadLetters,
        long progress,
        long unknownRemovals,
        boolean keepsEdges,
        boolean removesVertices) {
    /** State of the assigner of either topology; its name is part of savepoints. */
    public static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("totals", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte VERSION = 2;
    private static final byte WITHOUT_REMOVALS = 1;
    private static final int FIXED_BYTES = 2 + Integer.BYTES + 5 * Long.BYTES;

    /** Creates the totals of an assigner without removals. */
    public Totals(PartitionLoads loads, long createdVertices, long deadLetters, long progress) {
        this(loads, createdVertices, deadLetters, progress, 0, false);
    }

    /** Creates the totals of an assigner that removes no vertices. */
    public Totals(
            PartitionLoads loads,
            long createdVertices,
            long deadLetters,
            long progress,
            long unknownRemovals,
            boolean keepsEdges) {
        this(loads, createdVertices, deadLetters, progress, unknownRemovals, keepsEdges, false);
    }

    public static Totals empty(int partitionCount) {
        return new Totals(new PartitionLoads(partitionCount), 0, 0, 0);
    }

    /** Returns these totals for an assigner whose tables tell it the replicas. */
    public Totals withoutReplicas() {
        return new Totals(
                new PartitionLoads(loads.edges(), new long[loads.partitionCount()], 0),
                createdVertices,
                deadLetters,
                progress,
                unknownRemovals,
                keepsEdges,
                removesVertices);
    }

    /** @throws SuppressRestartsException if the job is to keep edges and the checkpoint does not, or vice versa */
    public void requireKeeping(boolean wanted) {
        if (keepsEdges != wanted) {
            throw FinalFailure.of(
                    keepsEdges
                            ? "the checkpoint keeps edges; resume it with --keep-edges"
                            : "the checkpoint keeps no edges; resume it without --keep-edges, or submit a new job with it");
        }
    }

    /**
     * @throws SuppressRestartsException if the job is to remove vertices and the checkpoint is of one that does not, or
     *     so
     */
    public void requireRemovingVertices(boolean wanted) {
        if (removesVertices != wanted) {
            throw FinalFailure.of(
                    removesVertices
                            ? "the checkpoint finds edges by both ends; resume it with --remove-vertices"
                            : "the checkpoint finds edges by their sources only; resume it without --remove-vertices, or submit a new job with it");
        }
    }

    public byte[] toBytes() {
        int k = loads.partitionCount();
        ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + 2 * Long.BYTES * k);
        out.put(VERSION).putInt(k).putLong(createdVertices).putLong(loads.totalVertices());
        out.putLong(deadLetters).putLong(progress).putLong(unknownRemovals).put((byte)
                (removesVertices ? 2 : keepsEdges ? 1 : 0));
        for (int p = 0; p < k; p++) {
            out.putLong(loads.edges(p)).putLong(loads.vertices(p));
        }
        return out.array();
    }

    /** @throws SuppressRestartsException if the bytes are of another number of partitions */
    public static Totals fromBytes(byte[] bytes, int partitionCount) {
        Totals totals = fromBytes(bytes);
        totals.requirePartitions(partitionCount);
        return totals;
    }

    /** @throws SuppressRestartsException if they are of another number of partitions */
    public void requirePartitions(int partitionCount) {
        int k = loads.partitionCount();
        if (k != partitionCount) {
            throw FinalFailure.of(
                    "the checkpoint has %d partitions, the job was started with %d: resume it with --partitions %d"
                            .formatted(k, partitionCount, k));
        }
    }

    /**
     * Decodes totals with any number of partitions.
     *
     * @throws IllegalStateException if the bytes are of another version
     */
    public static Totals fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION && version != WITHOUT_REMOVALS) {
            throw new IllegalStateException("totals of version %d; this build reads %d".formatted(version, VERSION));
        }
        int k = in.getInt();
        long created = in.getLong();
        long vertices = in.getLong();
        long deadLetters = in.getLong();
        long progress = in.getLong();
        long unknownRemovals = version == WITHOUT_REMOVALS ? 0 : in.getLong();
        int kept = version == WITHOUT_REMOVALS ? 0 : in.get();
        long[] edges = new long[k];
        long[] replicas = new long[k];
        for (int p = 0; p < k; p++) {
            edges[p] = in.getLong();
            replicas[p] = in.getLong();
        }
        return new Totals(
                new PartitionLoads(edges, replicas, vertices),
                created,
                deadLetters,
                progress,
                unknownRemovals,
                kept != 0,
                kept == 2);
    }
}
