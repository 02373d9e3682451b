package io.cutwater.trainer.journal;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.journal.file.BlockWriter;
import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last known data of each vertex, in {@value #BUCKETS} files of a journal by hash of the vertex. A record: vertex
 * (8 bytes), length of the data (4), −1 for a removal, data. The last record of a vertex counts.
 */
final class VertexLog {
    static final int BUCKETS = 16;

    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    private static final int GONE = -1;

    private final Journal journal;
    private final int firstFile;

    /** Receives the data of vertices. */
    @FunctionalInterface
    interface RecordConsumer {
        /** @param known the remaining bytes, little-endian; valid until the call returns */
        void accept(long vertex, ByteBuffer known) throws IOException;
    }

    private interface AnyRecord {
        /** @param length −1 for a removal; the block is positioned at the data */
        void accept(long vertex, long at, int length, ByteBuffer block) throws IOException;
    }

    VertexLog(Journal journal, int firstFile) {
        this.journal = journal;
        this.firstFile = firstFile;
    }

    /** Returns the little-endian buffer for the data of a vertex; the caller puts exactly {@code length} bytes. */
    ByteBuffer append(long vertex, int length) throws IOException {
        return header(writer(vertex), vertex, length, length);
    }

    void appendGone(long vertex) throws IOException {
        header(writer(vertex), vertex, GONE, 0);
    }

    private BlockWriter writer(long vertex) {
        return journal.writer(firstFile + Hashing.bucket(vertex, BUCKETS));
    }

    private static ByteBuffer header(BlockWriter writer, long vertex, int length, int bytes) throws IOException {
        return writer.room(HEADER_BYTES + bytes).putLong(vertex).putInt(length);
    }

    /** Reads the data of each vertex at a position. */
    void read(Position position, RecordConsumer consumer) throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(position, firstFile + bucket, consumer);
        }
    }

    private void readBucket(Position position, int file, RecordConsumer consumer) throws IOException {
        LastRecords last = new LastRecords();
        scan(position, file, (vertex, at, length, block) -> last.put(vertex, length == GONE ? LastRecords.GONE : at));
        scan(position, file, (vertex, at, length, block) -> {
            if (last.isLast(vertex, at)) {
                int limit = block.limit();
                consumer.accept(vertex, block.limit(block.position() + length));
                block.limit(limit);
            }
        });
    }

    private void scan(Position position, int file, AnyRecord consumer) throws IOException {
        journal.read(position, file, (from, block) -> {
            while (block.hasRemaining()) {
                long at = from + block.position();
                long vertex = block.getLong();
                int length = block.getInt();
                int next = block.position() + Math.max(0, length);
                consumer.accept(vertex, at, length, block);
                block.position(next);
            }
        });
    }

    /** Writes the last data of each vertex. */
    void rewrite(Position position, int file, BlockWriter into) throws IOException {
        readBucket(position, file, (vertex, known) -> {
            int length = known.remaining();
            header(into, vertex, length, length).put(known);
        });
    }
}
