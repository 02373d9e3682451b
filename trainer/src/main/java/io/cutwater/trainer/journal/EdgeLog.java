package io.cutwater.trainer.journal;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.journal.file.BlockWriter;
import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;

/**
 * Edges that came and went, in {@value #BUCKETS} files of a journal by the hash of the edge. A record: source, target
 * (8 bytes each), place, copies more, or fewer (4 each). The edges that are there are read in the order of their
 * hashes, whatever came and went before.
 */
final class EdgeLog {
    static final int BUCKETS = 1 << EdgeLog.BUCKET_BITS;

    private static final int BUCKET_BITS = 4;
    private static final int RECORD_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;
    private static final int MAX_PASS_BITS = 20;

    private final Journal journal;
    private final int firstFile;
    private final int rows;

    /** @param rows that are added up in memory at a time */
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

    /** Gives the edges of a position with the number of their copies; negative if more went than came. */
    void read(Position position, EdgeDeltas.RowConsumer consumer) throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(position, firstFile + bucket, consumer);
        }
    }

    /** One pass for every so many rows, each over a range of hashes: together they have the order of a single one. */
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

    /** Writes the edges that are there. */
    void rewrite(Position position, int file, BlockWriter into) throws IOException {
        readBucket(position, file, (source, target, place, count) -> put(into, source, target, place, count));
    }
}
