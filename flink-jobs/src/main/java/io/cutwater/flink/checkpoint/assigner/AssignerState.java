package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.table.PartitionLoads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * State of an assigner of the distributed topology for one lineage; its totals go with the first one. Numbers are
 * big-endian.
 *
 * <pre>
 *   1 byte   version = 1
 *   1 byte   1 if the replicas in the totals are exact, else 0
 *   4 bytes  length of the totals, then {@link Totals}
 *   8 bytes  id of the lineage
 *   4 bytes  number of buckets, then 8 bytes each, the last sequence given
 *   4 bytes  number of unconfirmed updates, then each as 4 bytes length and {@link VertexUpdateCodec}
 * </pre>
 *
 * @param isExact whether this assigner has always been the only one, and so knows all replicas
 */
public record AssignerState(boolean isExact, Totals totals, Lineage lineage) {
    private static final byte VERSION = 1;

    /**
     * Sums what assigners have counted.
     *
     * @param partitions of the job
     * @throws SuppressRestartsException if the job is to keep edges and the checkpoint does not, or vice versa
     */
    public static Totals sum(List<AssignerState> states, int partitions, boolean keepsEdges) {
        PartitionLoads loads = new PartitionLoads(partitions);
        long deadLetters = 0;
        long progress = 0;
        long unknownRemovals = 0;
        for (AssignerState one : states) {
            Totals totals = one.totals();
            totals.requireKeeping(keepsEdges);
            loads.addAll(totals.loads().first(partitions)); // another one may not have heard of the last change
            deadLetters += totals.deadLetters();
            progress = Math.max(progress, totals.progress());
            unknownRemovals += totals.unknownRemovals();
        }
        return new Totals(loads, 0, deadLetters, progress, unknownRemovals, keepsEdges);
    }

    public byte[] toBytes() {
        byte[] totalBytes = totals.toBytes();
        long[] sequences = lineage.lastSequences();
        List<byte[]> updates = new ArrayList<>();
        int length = 2
                + Integer.BYTES
                + totalBytes.length
                + Long.BYTES
                + Integer.BYTES
                + Long.BYTES * sequences.length
                + Integer.BYTES;
        for (VertexUpdate update : lineage.unconfirmed()) {
            byte[] bytes = VertexUpdateCodec.encode(update);
            updates.add(bytes);
            length = Math.addExact(length, Integer.BYTES + bytes.length);
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put(VERSION).put((byte) (isExact ? 1 : 0));
        out.putInt(totalBytes.length).put(totalBytes);
        out.putLong(lineage.id()).putInt(sequences.length);
        for (long sequence : sequences) {
            out.putLong(sequence);
        }
        out.putInt(updates.size());
        for (byte[] update : updates) {
            out.putInt(update.length).put(update);
        }
        return out.array();
    }

    /** @throws SuppressRestartsException if the bytes are of another number of partitions or of buckets */
    public static AssignerState fromBytes(byte[] bytes, int partitionCount, int buckets) {
        AssignerState state = fromBytes(bytes, buckets);
        state.totals.requirePartitions(partitionCount);
        return state;
    }

    /**
     * Decodes a state with any number of partitions.
     *
     * @throws IllegalStateException if the bytes are of another version
     * @throws SuppressRestartsException if they are of another number of buckets
     */
    public static AssignerState fromBytes(byte[] bytes, int buckets) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "an assigner's state of version %d; this build reads %d".formatted(version, VERSION));
        }
        boolean isExact = in.get() != 0;
        Totals totals = Totals.fromBytes(next(in));
        long id = in.getLong();
        int count = in.getInt();
        if (count != buckets) {
            throw FinalFailure.of(
                    "the checkpoint has %d buckets, the job was started with %d: resume it with --max-parallelism %d"
                            .formatted(count, buckets, count));
        }
        long[] sequences = new long[buckets];
        for (int bucket = 0; bucket < buckets; bucket++) {
            sequences[bucket] = in.getLong();
        }
        List<VertexUpdate> unconfirmed = new ArrayList<>();
        for (int updates = in.getInt(); updates > 0; updates--) {
            unconfirmed.add(VertexUpdateCodec.decode(next(in)));
        }
        return new AssignerState(isExact, totals, new Lineage(id, sequences, unconfirmed));
    }

    private static byte[] next(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
