package io.cutwater.kafka.book;

import io.cutwater.state.graph.VertexBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

    private static final int MAX_VARINT = 10;

    private byte[] buffer = new byte[64];
    private int position;

    /** Returns the key of vertex {@code i} of the batch. */
    public byte[] key(VertexBatch batch, int i) {
        return ByteBuffer.allocate(Long.BYTES).putLong(batch.vertex(i)).array();
    }

    /** Returns the value of vertex {@code i} of the batch, which is in no cluster. */
    public byte[] value(VertexBatch batch, int i) {
        int from = batch.replicasFrom(i);
        int count = batch.replicaCount(i);
        int longest = 1 + MAX_VARINT * (4 + count);
        if (longest > buffer.length) {
            buffer = new byte[longest];
        }
        buffer[0] = (byte) (count == 0 ? WITHOUT_PLACE : VERSION);
        position = 1;
        writeVarint(count == 0 ? PartitionBookEntry.NO_OWNER + 1 : batch.master(i));
        writeVarint(PartitionBookEntry.NO_CLUSTER + 1);
        writeVarint(batch.degree(i));
        writeVarint(count);
        int previous = 0;
        for (int r = from; r < from + count; r++) {
            int replica = batch.replicas()[r];
            writeVarint(replica - previous);
            previous = replica;
        }
        return Arrays.copyOf(buffer, position);
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
        if (value.length == 0) {
            throw new IllegalArgumentException("a partition book record of 0 bytes is truncated");
        }
        if (value[0] != VERSION && value[0] != WITHOUT_PLACE) {
            throw new IllegalArgumentException(
                    "partition book version %d is not known; this program reads versions %d and %d"
                            .formatted(value[0] & 0xFF, VERSION, WITHOUT_PLACE));
        }
        position = 1;
        int owner = readInt(value, "owner") - (value[0] == WITHOUT_PLACE ? 1 : 0);
        long cluster = readVarint(value) - 1;
        long degree = readVarint(value);
        int[] replicas = readReplicas(value);
        if (position != value.length) {
            throw new IllegalArgumentException(
                    "a partition book record ends after %d bytes, but there are %d".formatted(position, value.length));
        }
        return new PartitionBookEntry(vertex, owner, replicas, cluster, degree);
    }

    private int[] readReplicas(byte[] value) {
        int count = readInt(value, "number of replicas");
        if (count > value.length - position) {
            throw new IllegalArgumentException(
                    "a partition book record is truncated: its %d replicas do not fit in the remaining %d bytes"
                            .formatted(count, value.length - position));
        }
        int[] replicas = new int[count];
        long previous = 0;
        for (int r = 0; r < count; r++) {
            previous += readInt(value, "replica");
            if (previous > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a partition book record has a replica beyond 2^31 − 1: " + previous);
            }
            replicas[r] = (int) previous;
        }
        return replicas;
    }

    private void writeVarint(long number) {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            buffer[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[position++] = (byte) rest;
    }

    private int readInt(byte[] value, String name) {
        long number = readVarint(value);
        if (number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the %s of a partition book record is beyond 2^31 − 1: %d".formatted(name, number));
        }
        return (int) number;
    }

    private long readVarint(byte[] value) {
        long number = 0;
        for (int shift = 0; shift < 7 * MAX_VARINT; shift += 7) {
            if (position == value.length) {
                throw new IllegalArgumentException(
                        "a partition book record of %d bytes is truncated".formatted(value.length));
            }
            byte b = value[position++];
            number |= (b & 0x7FL) << shift;
            if (b >= 0) {
                if (number < 0) {
                    break;
                }
                return number;
            }
        }
        throw new IllegalArgumentException("a number in a partition book record is beyond 2^63 − 1");
    }
}
