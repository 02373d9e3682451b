package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.state.repartition.DriftCheck;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes re-partitionings in a checkpoint. Numbers are big-endian.
 *
 * <pre>
 *   1 byte   version = 2
 *   8 bytes  generation of the plan
 *   4 bytes  partitions that are open, 0 for all
 *   4 bytes  k, from version 2 on
 *   8 bytes  rounds of the job's own so far
 *   8 bytes  edges at the last check for a better plan
 *   4 bytes  checks in a row whose plan was not carried out
 *   8 bytes  copies per vertex that the last plan promised, a double
 *   1 byte   1 if a re-partitioning runs, then
 *     1 byte   1 if its generation has begun
 *     8 bytes  when the job began it, milliseconds since the epoch
 *     its command, its status
 *   4 bytes  number of those that have ended, then the status of each, the oldest first
 * </pre>
 *
 * Commands and statuses are 4 bytes length and their JSON.
 *
 * <p>Of several assigners, each but the first has its moves: 1 byte version = 1, 8 bytes generation, and 8 bytes edges
 * that it has moved in this generation since the job was restored.
 */
public final class RepartitioningCodec {
    private static final byte VERSION = 2;
    private static final byte WITHOUT_PARTITIONS = 1;
    private static final byte MOVED_VERSION = 1;

    private RepartitioningCodec() {}

    /** Encodes a state. */
    public static byte[] toBytes(RepartitioningState state) {
        RepartitioningState.Running running = state.running();
        List<RepartitionStatus> over = state.over();
        DriftCheck lastCheck = state.lastCheck();
        List<byte[]> pieces = new ArrayList<>();
        if (running != null) {
            pieces.add(JobCommandJson.toBytes(running.command()));
            pieces.add(RepartitionStatusJson.toBytes(running.status()));
        }
        over.forEach(status -> pieces.add(RepartitionStatusJson.toBytes(status)));
        int length = 2 + 4 * Long.BYTES + 4 * Integer.BYTES + (running == null ? 0 : 1 + Long.BYTES);
        for (byte[] piece : pieces) {
            length = Math.addExact(length, Integer.BYTES + piece.length);
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put(VERSION).putLong(state.generation()).putInt(state.open()).putInt(state.partitions());
        out.putLong(state.ownRounds());
        out.putLong(lastCheck.edges()).putInt(lastCheck.declined()).putDouble(lastCheck.promised());
        out.put((byte) (running == null ? 0 : 1));
        int next = 0;
        if (running != null) {
            out.put((byte) (running.hasBegun() ? 1 : 0)).putLong(running.sinceMillis());
            put(out, pieces.get(next++));
            put(out, pieces.get(next++));
        }
        out.putInt(over.size());
        pieces.subList(next, pieces.size()).forEach(piece -> put(out, piece));
        return out.array();
    }

    private static void put(ByteBuffer out, byte[] piece) {
        out.putInt(piece.length).put(piece);
    }

    /** @throws IllegalStateException if the bytes are of another version */
    public static RepartitioningState fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version < WITHOUT_PARTITIONS || version > VERSION) {
            throw new IllegalStateException("re-partitionings of version %d; this build reads %d to %d"
                    .formatted(version, WITHOUT_PARTITIONS, VERSION));
        }
        long generation = in.getLong();
        int open = in.getInt();
        int partitions = version == WITHOUT_PARTITIONS ? 0 : in.getInt();
        long ownRounds = in.getLong();
        DriftCheck lastCheck = new DriftCheck(in.getLong(), in.getInt(), in.getDouble());
        RepartitioningState.Running running = null;
        if (in.get() != 0) {
            boolean hasBegun = in.get() != 0;
            long since = in.getLong();
            JobCommand command = JobCommandJson.read(next(in));
            running = new RepartitioningState.Running(
                    (JobCommand.Repartition) command, RepartitionStatusJson.read(next(in)), hasBegun, since);
        }
        List<RepartitionStatus> over = new ArrayList<>();
        for (int count = in.getInt(); count > 0; count--) {
            over.add(RepartitionStatusJson.read(next(in)));
        }
        return new RepartitioningState(generation, open, partitions, ownRounds, lastCheck, running, over);
    }

    /** Encodes what an assigner but the first has moved. */
    public static byte[] movedToBytes(long generation, long edges) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(MOVED_VERSION)
                .putLong(generation)
                .putLong(edges)
                .array();
    }

    /**
     * Returns the edges that an assigner has moved in a generation.
     *
     * @throws IllegalStateException if the bytes are of another version
     */
    public static long movedFromBytes(byte[] bytes, long generation) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != MOVED_VERSION) {
            throw new IllegalStateException(
                    "moves of an assigner of version %d; this build reads %d".formatted(version, MOVED_VERSION));
        }
        long ofGeneration = in.getLong();
        long edges = in.getLong();
        return ofGeneration == generation ? edges : 0;
    }

    private static byte[] next(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
