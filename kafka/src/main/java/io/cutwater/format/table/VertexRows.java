package io.cutwater.format.table;

import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.binary.StagedFiles;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Encodes rows of the partition book: vertex (long), degree (long), master (short), number of replicas (short),
 * replicas (shorts, ascending). Rows follow each other in the payload of a frame.
 */
public final class VertexRows {
    static final int KIND = 0x10;

    private static final int DEGREE = 8;
    private static final int MASTER = 16;
    private static final int COUNT = 18;
    private static final int REPLICAS = 20;

    private VertexRows() {}

    /** Appends the rows of a batch, in several frames if they exceed the buffer. */
    public static void append(StagedFiles files, int file, VertexBatch vertices) throws IOException {
        int size = vertices.size();
        for (int from = 0; from < size; ) {
            int bytes = bytes(vertices, from);
            int to = from + 1;
            while (to < size && FrameReader.HEADER_BYTES + bytes + bytes(vertices, to) <= files.bufferBytes()) {
                bytes += bytes(vertices, to++);
            }
            ByteBuffer out = files.room(file, FrameReader.HEADER_BYTES + bytes);
            out.putLong(FrameReader.header(KIND, bytes));
            for (int i = from; i < to; i++) {
                put(out, vertices, i);
            }
            from = to;
        }
    }

    /** @throws IllegalArgumentException if the replicas of a vertex do not fit the partition book */
    public static void check(VertexBatch vertices, int partitionCount) {
        int[] replicas = vertices.replicas();
        for (int i = 0; i < vertices.size(); i++) {
            boolean hasMaster = false;
            int previous = -1;
            for (int r = vertices.replicasFrom(i); r < vertices.replicasFrom(i + 1); r++) {
                if (replicas[r] <= previous || replicas[r] >= partitionCount) {
                    throw new IllegalArgumentException("vertex %d: replicas must ascend and be in [0, %d]: %d after %d"
                            .formatted(vertices.vertex(i), partitionCount - 1, replicas[r], previous));
                }
                previous = replicas[r];
                hasMaster |= previous == vertices.master(i);
            }
            if (!hasMaster) {
                throw new IllegalArgumentException("vertex %d: its master %d is not among its %d replicas"
                        .formatted(vertices.vertex(i), vertices.master(i), vertices.replicaCount(i)));
            }
        }
    }

    private static int bytes(VertexBatch vertices, int i) {
        return REPLICAS + Short.BYTES * vertices.replicaCount(i);
    }

    private static void put(ByteBuffer out, VertexBatch vertices, int i) {
        out.putLong(vertices.vertex(i)).putLong(vertices.degree(i));
        out.putShort((short) vertices.master(i)).putShort((short) vertices.replicaCount(i));
        int[] replicas = vertices.replicas();
        for (int r = vertices.replicasFrom(i); r < vertices.replicasFrom(i + 1); r++) {
            out.putShort((short) replicas[r]);
        }
    }

    /** Returns the length of a row with this many replicas, in bytes. */
    static int bytes(int replicaCount) {
        return REPLICAS + Short.BYTES * replicaCount;
    }

    /** Returns the number of bytes that {@link #replicaCount} needs. */
    static int headBytes() {
        return REPLICAS;
    }

    static long vertex(ByteBuffer rows, int at) {
        return rows.getLong(at);
    }

    public static long degree(ByteBuffer rows, int at) {
        return rows.getLong(at + DEGREE);
    }

    public static int master(ByteBuffer rows, int at) {
        return rows.getShort(at + MASTER);
    }

    public static int replicaCount(ByteBuffer rows, int at) {
        return rows.getShort(at + COUNT);
    }

    public static int replica(ByteBuffer rows, int at, int i) {
        return rows.getShort(at + REPLICAS + Short.BYTES * i);
    }
}
