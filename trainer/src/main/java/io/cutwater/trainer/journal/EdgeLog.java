package io.cutwater.trainer.journal;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.journal.file.BlockWriter;
import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;

/**
 * Additions and removals of edges, in {@value #BUCKETS} files of a journal by hash of the edge. A record: source,
 * target (8 bytes each), place, change of the number of copies (4 each). Edges are read in the order of their hashes,
 * regardless of the history of changes.
 */
final class EdgeLog {
    static final int BUCKETS = 1 << EdgeLog.BUCKET_BITS;

    private static final int BUCKET_BITS = 4;
    private static final int RECORD_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;
    private static final int MAX_PASS_BITS = 20;

    private final Journal journal;
    private final int firstFile;
    private final int rows;

    /** @param rows number of edges that are summed in memory at a time */
    EdgeLog(Journal journal, int firstFile, int rows) {
        this.journal = journal;
        this.firstFile = firstFile;
        this.rows = rows;
    }

    void append(EdgeBatch edges, int by) throws IOException {
        for (int i = 0; i < edges.size(); i++) {
            long hash = hash(edges.source(i), edges.target(i), edges.place(i));
            int bucket = (int) (hash >>> Long.SIZE - BUCKET_BITS);
            put(journal.writer(firstFile + bucket), edges.source(i), edges.target(i), edges.place(i), by);
        }
    }

    private static void put(BlockWriter writer, long source, long target, int place, int count) throws IOException {
        writer.room(RECORD_BYTES).putLong(source).putLong(target).putInt(place).putInt(count);
    }

    private static long hash(long source, long target, int place) {
        return Hashing.mix64(place, source, target);
    }

    /** Reads the edges at a position with their number of copies, which is negative if removals exceed additions. */
    void read(Position position, EdgeDeltas.RowConsumer consumer) throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(position, firstFile + bucket, consumer);
        }
    }

    /**
     * Reads a bucket in one or several passes, each over a range of hashes, so that memory is bounded. The order is
     * that of a single pass.
     */
    private void readBucket(Position position, int file, EdgeDeltas.RowConsumer consumer) throws IOException {
        long records = position.files().get(file).bytes() / RECORD_BYTES;
        int passBits = 0;
        while (records >> passBits > rows / 2 && passBits < MAX_PASS_BITS) {
            passBits++;
        }
        EdgeDeltas net = new EdgeDeltas((int) Math.min(rows, Math.max(2, records)));
        int shift = Long.SIZE - BUCKET_BITS - passBits;
        int mask = (1 << passBits) - 1;
        for (int pass = 0; pass <= mask; pass++) {
            int wanted = pass;
            journal.read(position, file, (at, block) -> {
                while (block.hasRemaining()) {
                    long source = block.getLong();
                    long target = block.getLong();
                    int place = block.getInt();
                    int count = block.getInt();
                    long hash = hash(source, target, place);
                    if ((int) (hash >>> shift & mask) == wanted) {
                        net.add(hash, source, target, place, count);
                    }
                }
            });
            net.drain(consumer);
        }
    }

    /** Writes the edges that are present. */
    void rewrite(Position position, int file, BlockWriter into) throws IOException {
        readBucket(position, file, (source, target, place, count) -> put(into, source, target, place, count));
    }
}
