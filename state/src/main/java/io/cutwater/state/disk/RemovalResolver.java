package io.cutwater.state.disk;

import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of an input whose edges remain after its removals. A removal removes the oldest copy of its edge at
 * that point, and one of a vertex all copies of all its edges. With deduplication, an edge is present or absent: adding
 * a present edge is a duplicate, and adding it after a removal is new. Of rows with keys, each replaces the one before
 * with its key, and a removal takes that one away; removals of vertices among them remain, for a second search by the
 * ends of the rows that remain.
 *
 * <p>Rows are distributed by the hash of their edges to buckets on disk, 24 bytes each, and distributed again if a
 * bucket has more different edges than fit in memory. Removals remove the oldest copies first, so the first n copies of
 * an edge with n effective removals are removed: a bucket is read once to count them, and once to name the rows. It
 * takes up to 60 MB of heap, and up to 34 bytes for each removal of a vertex.
 */
public final class RemovalResolver implements Closeable {
    /** Different edges that are counted in memory at a time: 40 MB. */
    static final int MAX_EDGES = 1 << 20;

    private static final int WINDOW_WORDS = 1 << 22;
    private static final String ROWS = "rows";
    private static final String LEFT_OUT = "left-out";
    private static final String TAKEN = "taken";
    private static final String NUMBERS = "-numbers";

    private final ScratchFolder scratch;
    private final @Nullable DuplicateRule dedupe;
    private final boolean hasKeys;
    private final int maxEdges;
    private @Nullable RowBuckets buckets;
    private @Nullable VertexRemovals vertices;
    private long rowCount;
    private @Nullable RowNumbers leftOut;
    private @Nullable RowNumbers taken;
    private long unknownRemovals;

    /** @param dedupe which edges are equal, of which only one is present at a time; null to keep all copies */
    public RemovalResolver(ScratchFolder scratch, @Nullable DuplicateRule dedupe) throws IOException {
        this(scratch, dedupe, MAX_EDGES);
    }

    /** Creates a search of rows with keys. */
    public static RemovalResolver ofKeys(ScratchFolder scratch) throws IOException {
        return new RemovalResolver(scratch, null, true, MAX_EDGES);
    }

    /** @param maxEdges different edges that are counted in memory at a time, at least 1 */
    RemovalResolver(ScratchFolder scratch, @Nullable DuplicateRule dedupe, int maxEdges) throws IOException {
        this(scratch, dedupe, false, maxEdges);
    }

    RemovalResolver(ScratchFolder scratch, @Nullable DuplicateRule dedupe, boolean hasKeys, int maxEdges)
            throws IOException {
        this.scratch = scratch;
        this.dedupe = dedupe;
        this.hasKeys = hasKeys;
        this.maxEdges = maxEdges;
        buckets = new RowBuckets(scratch, ROWS, 0);
    }

    /** Adds the next rows, edges and removals. */
    public void add(EdgeBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (hasKeys && batch.isVertexRemoval(i)) {
                addKept();
            } else if (hasKeys) {
                add(batch.key(i), 0, batch.isRemoval(i));
            } else if (batch.isVertexRemoval(i)) {
                addVertexRemoval(batch.source(i));
            } else {
                add(batch.source(i), batch.target(i), batch.isRemoval(i));
            }
        }
    }

    /** Adds a row that remains: a removal of a vertex takes edges with keys away where their ends are known. */
    private void addKept() {
        buckets();
        rowCount++;
    }

    void addVertexRemoval(long vertex) {
        buckets();
        VertexRemovals removals = vertices;
        if (removals == null) {
            removals = new VertexRemovals();
            vertices = removals;
        }
        removals.add(vertex, rowCount++);
    }

    private RowBuckets buckets() {
        if (buckets == null) {
            throw new IllegalStateException("the rows are searched: there are no more");
        }
        return buckets;
    }

    void add(long source, long target, boolean isRemoval) throws IOException {
        RowBuckets buckets = buckets();
        boolean isTurned = dedupe == DuplicateRule.UNDIRECTED && source > target;
        long row = rowCount++;
        buckets.add(isTurned ? target : source, isTurned ? source : target, isRemoval ? ~row : row);
    }

    /** Rows so far. */
    public long rowCount() {
        return rowCount;
    }

    /** Searches, once. */
    public void finish(ReadProgress progress) throws IOException {
        RowBuckets all = buckets;
        if (all == null) {
            throw new IllegalStateException("the rows are searched already");
        }
        buckets = null;
        try (all;
                RowNumbers notThere = new RowNumbers(LEFT_OUT);
                RowNumbers gone = new RowNumbers(TAKEN)) {
            leftOut = notThere;
            taken = gone;
            all.finish();
            if (vertices != null) {
                vertices.finish();
            }
            for (int bucket = 0; bucket < RowBuckets.BUCKETS; bucket++) {
                progress.read("find what is left", (double) bucket / RowBuckets.BUCKETS);
                search(all, bucket, 0);
            }
            nameVertexRemovals(notThere, gone);
            notThere.finish();
            gone.finish();
        }
    }

    private void search(RowBuckets all, int bucket, int depth) throws IOException {
        CopyCounts counts = new CopyCounts(maxEdges, vertices != null);
        boolean hasMarks = false;
        RowBuckets.Reader rows = all.read(bucket);
        while (rows.next()) {
            int edge = counts.number(rows.source(), rows.target());
            if (edge < 0) {
                divide(all, bucket, depth + 1);
                return;
            }
            if (isGoneWithVertex(counts, edge, rows.row())) {
                hasMarks = true;
                counts.takeAll(edge);
            }
            if (rows.row() < 0) {
                hasMarks = true;
                if (counts.present(edge) > 0) {
                    counts.take(edge);
                }
            } else if (isDuplicate(counts, edge)) {
                hasMarks = true;
            } else {
                if (isReplaced(counts, edge)) {
                    hasMarks = true;
                    counts.take(edge);
                }
                counts.add(edge);
            }
        }
        for (int edge = 0; vertices != null && edge < counts.size(); edge++) {
            if (isGoneWithVertex(counts, edge, Long.MAX_VALUE)) {
                hasMarks = true;
                counts.takeAll(edge);
            }
        }
        if (hasMarks) {
            counts.restart();
            name(all.read(bucket), counts);
        }
    }

    /** Returns whether copies of an edge are there, and a vertex of it was removed since its last row. */
    private boolean isGoneWithVertex(CopyCounts counts, int edge, long row) {
        VertexRemovals removals = vertices;
        if (removals == null) {
            return false;
        }
        long before = counts.seen(edge);
        long now = row < 0 ? ~row : row;
        counts.see(edge, now);
        if (counts.present(edge) == 0) {
            return false;
        }
        int removal = removals.first(counts.source(edge), counts.target(edge), before);
        if (removal == VertexRemovals.NONE || removals.row(removal) > now) {
            return false;
        }
        removals.use(removal);
        return true;
    }

    private void nameVertexRemovals(RowNumbers notThere, RowNumbers gone) throws IOException {
        VertexRemovals removals = vertices;
        for (int i = 0; removals != null && i < removals.size(); i++) {
            if (removals.isUsed(i)) {
                gone.add(removals.row(i));
            } else {
                unknownRemovals++;
                notThere.add(removals.row(i));
            }
        }
        vertices = null;
    }

    private boolean isDuplicate(CopyCounts counts, int edge) {
        return dedupe != null && counts.present(edge) > 0;
    }

    private boolean isReplaced(CopyCounts counts, int edge) {
        return hasKeys && counts.present(edge) > 0;
    }

    /** There are too many different edges in the bucket, which the next depth spreads. */
    private void divide(RowBuckets all, int bucket, int depth) throws IOException {
        try (RowBuckets parts = new RowBuckets(scratch, ROWS, depth)) {
            RowBuckets.Reader rows = all.read(bucket);
            while (rows.next()) {
                parts.add(rows.source(), rows.target(), rows.row());
            }
            parts.finish();
            for (int part = 0; part < RowBuckets.BUCKETS; part++) {
                search(parts, part, depth);
            }
        }
    }

    private void name(RowBuckets.Reader rows, CopyCounts counts) throws IOException {
        RowNumbers notThere = leftOut();
        RowNumbers gone = taken();
        while (rows.next()) {
            int edge = counts.number(rows.source(), rows.target());
            long row = rows.row();
            if (isGoneWithVertex(counts, edge, row)) {
                counts.takeAllAgain(edge);
            }
            if (row < 0) {
                if (counts.present(edge) > 0) {
                    counts.takeAgain(edge);
                    gone.add(~row);
                } else {
                    unknownRemovals++;
                    notThere.add(~row);
                }
            } else if (isDuplicate(counts, edge)) {
                notThere.add(row);
            } else {
                if (isReplaced(counts, edge)) {
                    counts.takeAgain(edge);
                }
                counts.add(edge);
                if (counts.isToBeTaken(edge)) {
                    gone.add(row);
                }
            }
        }
    }

    private RowNumbers leftOut() {
        if (leftOut == null) {
            throw new IllegalStateException("finish() comes first");
        }
        return leftOut;
    }

    private RowNumbers taken() {
        if (taken == null) {
            throw new IllegalStateException("finish() comes first");
        }
        return taken;
    }

    /** Removals of edges that were not there, and of vertices without edges. */
    public long unknownRemovals() {
        return unknownRemovals;
    }

    /** Begins a pass over the rows that tells what became of each. */
    public RowMarks marks(long fromRow) throws IOException {
        return new RowMarks(leftOut().bits(fromRow), taken().bits(fromRow));
    }

    /** Closes what is open; what was found remains until the scratch folder is cleared. */
    @Override
    public void close() throws IOException {
        if (buckets != null) {
            buckets.close();
            buckets = null;
        }
    }

    /**
     * Numbers of rows, which come in no order, and then a bit for each row, set if its number was among them. A window
     * of bits after the other is filled from all numbers; it is large, and they are few.
     */
    private final class RowNumbers implements Closeable {
        private final String name;
        private final IntWriter numbers;
        private long count;

        RowNumbers(String name) throws IOException {
            this.name = name;
            numbers = new IntWriter(scratch, name + NUMBERS);
        }

        void add(long row) throws IOException {
            numbers.write((int) (row >>> Integer.SIZE));
            numbers.write((int) row);
            count++;
        }

        void finish() throws IOException {
            numbers.flush();
            if (count > 0) {
                writeBits();
            }
        }

        private void writeBits() throws IOException {
            long words = (rowCount + Integer.SIZE - 1) / Integer.SIZE;
            int[] window = new int[(int) Math.min(WINDOW_WORDS, words)];
            try (IntWriter bits = new IntWriter(scratch, name)) {
                for (long first = 0; first < words; first += WINDOW_WORDS) {
                    int length = (int) Math.min(WINDOW_WORDS, words - first);
                    Arrays.fill(window, 0);
                    setBits(window, first, length);
                    bits.write(window, length);
                }
                bits.flush();
            }
        }

        private void setBits(int[] window, long first, int length) throws IOException {
            int[] read = new int[1 << 14];
            try (IntReader reader = new IntReader(scratch, name + NUMBERS)) {
                for (int count; (count = reader.read(read, 0, read.length)) > 0; ) {
                    for (int i = 0; i < count; i += 2) {
                        long row = (long) read[i] << Integer.SIZE | read[i + 1] & 0xFFFFFFFFL;
                        long word = row / Integer.SIZE - first;
                        if (word >= 0 && word < length) {
                            window[(int) word] |= 1 << row;
                        }
                    }
                }
            }
        }

        @Nullable BitReader bits(long fromRow) throws IOException {
            return count == 0 ? null : new BitReader(scratch, name, fromRow);
        }

        @Override
        public void close() throws IOException {
            numbers.close();
            scratch.delete(name + NUMBERS);
        }
    }
}
