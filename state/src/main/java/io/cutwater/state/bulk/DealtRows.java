package io.cutwater.state.bulk;

import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;

/**
 * The rows of an input that is read in P pieces, dealt to the P parts of its graph: a row goes to the part of its
 * source, which places it, and to that of its target. Each part has its rows in the order of the input: those of the
 * first piece, then those of the second. So the copies of an edge are in one order everywhere, and the result does not
 * depend on who reads faster. Places go back to who has read the row.
 *
 * <p>On disk are 16 bytes for each row of a part, and 2 for each row of a piece.
 */
final class DealtRows implements Closeable {
    /** Rows of a piece that are sent at a time, 1 MB. */
    private static final int MOST_ROWS = 1 << 16;

    private static final String RECEIVED = "received-";
    private static final String OWN = "parts-of-rows";

    private final ScratchFolder files;
    private final Exchange exchange;
    private final int parts;
    private final int part;
    private final DataOutputStream[] received;
    private final DataOutputStream partsOfRows;
    private final EdgeBatch unsent = new EdgeBatch(MOST_ROWS);
    private long rows;

    /** The fate of each row of a part, in their order. */
    interface Fates {
        /** Returns the place of the next row, or what {@link io.cutwater.state.disk.RowMarks} says of it. */
        int next() throws IOException;
    }

    DealtRows(ScratchFolder files, Exchange exchange) throws IOException {
        this.files = files;
        this.exchange = exchange;
        parts = exchange.parts();
        part = exchange.part();
        received = new DataOutputStream[parts];
        for (int from = 0; from < parts; from++) {
            received[from] = out(RECEIVED + from);
        }
        partsOfRows = out(OWN);
    }

    private DataOutputStream out(String name) throws IOException {
        return ReturnedPlaces.out(files, name);
    }

    private DataInputStream in(String name) throws IOException {
        return ReturnedPlaces.in(files, name);
    }

    /** Returns the part of a vertex. */
    int partOf(long vertex) {
        return Hashing.bucket(vertex, parts);
    }

    /** Adds the next rows of the own piece. */
    void add(EdgeBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isVertexRemoval(i)) {
                throw new IllegalArgumentException("the removal of a vertex is for all parts; one must read the input");
            }
            partsOfRows.writeShort(partOf(batch.source(i)));
            unsent.add(batch.source(i), batch.target(i));
            if (batch.isRemoval(i)) {
                unsent.setRemoval(unsent.size() - 1);
            }
            if (unsent.size() == MOST_ROWS) {
                send(false);
            }
        }
        rows += batch.size();
    }

    /** Sends the last rows, waits for those of all others, and adds what has come to a graph. */
    void finish(DiskGraphBuilder graph) throws IOException {
        partsOfRows.close();
        while (!send(true)) {
            // The others have more.
        }
        for (DataOutputStream file : received) {
            file.close();
        }
        EdgeBatch batch = new EdgeBatch();
        for (int from = 0; from < parts; from++) {
            try (RowReader row = new RowReader(from)) {
                while (row.next()) {
                    batch.add(row.source, row.target);
                    if (row.isRemoval) {
                        batch.setRemoval(batch.size() - 1);
                    }
                    if (batch.size() == EdgeBatch.DEFAULT_CAPACITY) {
                        graph.add(batch);
                        batch.clear();
                    }
                }
            }
        }
        graph.add(batch);
    }

    /**
     * Sends the rows that are not sent, and takes those of the others.
     *
     * @return whether nobody has more rows
     */
    private boolean send(boolean isOver) throws IOException {
        boolean areAllOver = true;
        long[][] messages = exchange.exchange(messages(isOver));
        for (int from = 0; from < parts; from++) {
            long[] words = messages[from];
            areAllOver &= words[0] != 0;
            for (int i = 1; i < words.length; i++) {
                received[from].writeLong(words[i]);
            }
        }
        return areAllOver;
    }

    /**
     * A message: whether it is the last one; the number of rows; a bit for each, set for removals; source and target.
     */
    private long[][] messages(boolean isOver) {
        int[] counts = new int[parts];
        for (int i = 0; i < unsent.size(); i++) {
            int ofSource = partOf(unsent.source(i));
            int ofTarget = partOf(unsent.target(i));
            counts[ofSource]++;
            counts[ofTarget] += ofTarget == ofSource ? 0 : 1;
        }
        long[][] messages = new long[parts][];
        for (int to = 0; to < parts; to++) {
            int bits = words(counts[to]);
            messages[to] = new long[counts[to] == 0 ? 1 : 2 + bits + 2 * counts[to]];
            messages[to][0] = isOver ? 1 : 0;
            if (counts[to] > 0) {
                messages[to][1] = counts[to];
            }
        }
        int[] sent = new int[parts];
        for (int i = 0; i < unsent.size(); i++) {
            int ofSource = partOf(unsent.source(i));
            int ofTarget = partOf(unsent.target(i));
            put(i, messages[ofSource], sent[ofSource]++, counts[ofSource]);
            if (ofTarget != ofSource) {
                put(i, messages[ofTarget], sent[ofTarget]++, counts[ofTarget]);
            }
        }
        unsent.clear();
        return messages;
    }

    private static int words(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE;
    }

    private void put(int i, long[] message, int row, int count) {
        if (unsent.isRemoval(i)) {
            message[2 + row / Long.SIZE] |= 1L << row;
        }
        int at = 2 + words(count) + 2 * row;
        message[at] = unsent.source(i);
        message[at + 1] = unsent.target(i);
    }

    /**
     * Tells the fates of the rows of this part to those who have read them.
     *
     * @param fates of the rows that {@link #finish} added to the graph, in the same order
     * @return the fates of the own piece, to be closed
     */
    ReturnedPlaces giveBack(Fates fates) throws IOException {
        for (int from = 0; from < parts; from++) {
            try (RowReader row = new RowReader(from);
                    DataOutputStream out = out(ReturnedPlaces.TO_RETURN + from)) {
                while (row.next()) {
                    int fate = fates.next();
                    if (partOf(row.source) == part) {
                        out.writeInt(fate);
                    }
                }
            }
            files.delete(RECEIVED + from);
        }
        ReturnedPlaces.exchange(files, exchange);
        return new ReturnedPlaces(files, parts, in(OWN), rows);
    }

    /** The rows of a piece that have come to this part. */
    private final class RowReader implements Closeable {
        private final DataInputStream in;
        private long left; // bytes
        private long[] removals = {};
        private long count;
        private long at;
        private long source;
        private long target;
        private boolean isRemoval;

        RowReader(int from) throws IOException {
            in = in(RECEIVED + from);
            left = Files.size(files.file(RECEIVED + from));
        }

        boolean next() throws IOException {
            if (at == count) {
                if (left == 0) {
                    return false;
                }
                count = in.readLong();
                removals = new long[words(Math.toIntExact(count))];
                for (int i = 0; i < removals.length; i++) {
                    removals[i] = in.readLong();
                }
                left -= Long.BYTES * (1 + removals.length + 2 * count);
                at = 0;
            }
            source = in.readLong();
            target = in.readLong();
            isRemoval = (removals[(int) (at / Long.SIZE)] >>> at & 1) != 0;
            at++;
            return true;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Closes what is open; the files remain until the scratch folder is cleared. */
    @Override
    public void close() throws IOException {
        partsOfRows.close();
        for (DataOutputStream file : received) {
            file.close();
        }
    }
}
