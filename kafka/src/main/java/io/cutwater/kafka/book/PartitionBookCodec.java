package io.cutwater.kafka.book;

import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes records of topic {@code partition-book}. The key is the vertex id as 8 bytes, big-endian; a
 * record without a value removes the vertex. The value is as follows; a varint is a LEB128 number of 1 to 10 bytes, low
 * 7 bits first:
 *
 * <pre>
 *   1 byte   version = 1, or 2 if the vertex has no place yet
 *   varint   owner: the partition of the master; in a vertex partitioning, its owner. In version 2:
 *            owner + 1, 0 = no place yet
 *   varint   cluster + 1, 0 = none
 *   varint   degree
 *   varint   number of replicas: all partitions that have the vertex, owned or in their halo, the owner among them
 *   varints  replicas, ascending: the first partition, then each difference from the one before
 * </pre>
 *
 * Not thread-safe: use one codec per thread.
 */
public final class PartitionBookCodec {
    static final int VERSION = 1;
    /** A separate version, so that the values of all other vertices stay readable for older readers. */
    static final int WITHOUT_PLACE = 2;

    private final VarintWriter out = new VarintWriter();
    private final VarintReader in = new VarintReader("a partition book record", IllegalArgumentException::new);

    /** Returns the key of vertex {@code i} of the batch. */
    public byte[] key(VertexBatch batch, int i) {
        return ByteBuffer.allocate(Long.BYTES).putLong(batch.vertex(i)).array();
    }

    /** Returns the value of vertex {@code i} of the batch, which is in no cluster. */
    public byte[] value(VertexBatch batch, int i) {
        int from = batch.replicasFrom(i);
        int count = batch.replicaCount(i);
        out.truncate(0);
        out.writeByte(count == 0 ? WITHOUT_PLACE : VERSION);
        out.write(count == 0 ? PartitionBookEntry.NO_OWNER + 1 : batch.master(i));
        out.write(PartitionBookEntry.NO_CLUSTER + 1);
        out.write(batch.degree(i));
        out.write(count);
        int previous = 0;
        for (int r = from; r < from + count; r++) {
            int replica = batch.replicas()[r];
            out.write(replica - previous);
            previous = replica;
        }
        return out.toBytes();
    }

    /**
     * Decodes the vertex of a key.
     *
     * @throws IllegalArgumentException if the key is not 8 bytes
     */
    public static long vertex(byte @Nullable [] key) {
        if (key == null || key.length != Long.BYTES) {
            throw new IllegalArgumentException("the key of a partition book record takes %d bytes, but there are %d"
                    .formatted(Long.BYTES, key == null ? 0 : key.length));
        }
        return ByteBuffer.wrap(key).getLong();
    }

    /**
     * Decodes an entry.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one entry of a known version
     */
    public PartitionBookEntry decode(byte @Nullable [] key, byte[] value) {
        long vertex = vertex(key);
        in.start(value);
        int version = in.readByte();
        if (version != VERSION && version != WITHOUT_PLACE) {
            throw new IllegalArgumentException(
                    "partition book version %d is not known; this program reads versions %d and %d"
                            .formatted(version, VERSION, WITHOUT_PLACE));
        }
        int owner = readInt("owner") - (version == WITHOUT_PLACE ? 1 : 0);
        long cluster = read() - 1;
        long degree = read();
        int[] replicas = readReplicas();
        in.checkEnd();
        return new PartitionBookEntry(vertex, owner, replicas, cluster, degree);
    }

    private int[] readReplicas() {
        int count = readInt("number of replicas");
        if (count > in.remaining()) {
            throw new IllegalArgumentException(
                    "a partition book record is truncated: its %d replicas do not fit in the remaining %d bytes"
                            .formatted(count, in.remaining()));
        }
        int[] replicas = new int[count];
        long previous = 0;
        for (int r = 0; r < count; r++) {
            previous += readInt("replica");
            if (previous > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a partition book record has a replica beyond 2^31 − 1: " + previous);
            }
            replicas[r] = (int) previous;
        }
        return replicas;
    }

    private int readInt(String name) {
        long number = read();
        if (number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the %s of a partition book record is beyond 2^31 − 1: %d".formatted(name, number));
        }
        return (int) number;
    }

    private long read() {
        long number = in.read();
        if (number < 0) {
            throw new IllegalArgumentException("a number in a partition book record is beyond 2^63 − 1");
        }
        return number;
    }
}
