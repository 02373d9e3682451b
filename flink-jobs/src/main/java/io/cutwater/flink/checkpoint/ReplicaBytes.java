package io.cutwater.flink.checkpoint;

import java.nio.ByteBuffer;

/** Encodes partitions in keyed state: version (1 byte), then 2 bytes for each, big-endian, ascending. */
public final class ReplicaBytes {
    private static final byte VERSION = 1;

    private ReplicaBytes() {}

    public static byte[] of(int[] partitions) {
        ByteBuffer out = ByteBuffer.allocate(1 + Short.BYTES * partitions.length);
        out.put(VERSION);
        for (int partition : partitions) {
            out.putShort((short) partition);
        }
        return out.array();
    }

    /** @throws IllegalStateException if another version wrote the bytes */
    public static int[] read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "replicas of version %d in the checkpoint; this build reads %d".formatted(version, VERSION));
        }
        int[] partitions = new int[in.remaining() / Short.BYTES];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = in.getShort();
        }
        return partitions;
    }
}
