package io.cutwater.state.disk;

import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a graph on disk from the edges of an input in their order, after removals.
 *
 * <p>On the heap are arrays by vertex, up to 45 bytes for each, and 24 MB of buffers, or 60 MB while it is found what
 * is left, with up to 34 bytes for each removal of a vertex; on disk 32 bytes for each edge while neighbours are
 * grouped, 40 while it is found what is left, 16 afterwards.
 */
public final class DiskGraphBuilder implements Closeable {
    /** Numbers that are sorted in memory at a time: 16 MB. */
    private static final int MAX_INTS = 1 << 22;

    private static final int WRITTEN_BYTES = 8; // of an edge, as it comes
    private static final int PEAK_BYTES = 32;
    private static final int SEARCH_BYTES = 40;
    private static final int SMALL_PEAK_BYTES = 18; // where no half-edges are dealt out
    private static final int PART_BYTES = 10; // copied for its part, and with a place there
    private static final int INTS_PER_EDGE = 4; // of those that are searched
    private static final int TOLD_EVERY = 1 << 14;
    private static final int FIRST_VERTICES = 1 << 12;
    private static final String NAMED = "named";

    private final ScratchFolder scratch;
    private final @Nullable DuplicateRule dedupe;
    private final int maxInts;
    private final IntWriter named;
    private @Nullable VertexSlots slots = new VertexSlots(FIRST_VERTICES);
    private long edgeCount;
    private boolean hasRemovals;

    /** @param dedupe which edges are the same one, so that the first is kept; null: all are kept */
    public DiskGraphBuilder(ScratchFolder scratch, @Nullable DuplicateRule dedupe) throws IOException {
        this(scratch, dedupe, MAX_INTS);
    }

    /** @param maxInts numbers that are sorted in memory at a time */
    DiskGraphBuilder(ScratchFolder scratch, @Nullable DuplicateRule dedupe, int maxInts) throws IOException {
        this.scratch = scratch;
        this.dedupe = dedupe;
        this.maxInts = maxInts;
        named = new IntWriter(scratch, NAMED);
    }

    /** Adds the next edges and removals. */
    public void add(EdgeBatch batch) throws IOException {
        VertexSlots slots = slots();
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        edgeCount += size;
        scratch.need(peakBytes());
        for (int i = 0; i < size; i++) {
            int source = slots.slot(sources[i]);
            boolean isRemoval = batch.isRemoval(i);
            hasRemovals |= isRemoval;
            named.write(isRemoval ? ~source : source);
            int target = slots.slot(targets[i]);
            named.write(batch.isVertexRemoval(i) ? ~target : target);
        }
    }

    private long peakBytes() {
        return edgeCount * (isSearched() ? SEARCH_BYTES : 2 * edgeCount > maxInts ? PEAK_BYTES : SMALL_PEAK_BYTES);
    }

    /** Returns whether some rows may not be edges of the graph. */
    private boolean isSearched() {
        return dedupe != null || hasRemovals;
    }

    private VertexSlots slots() {
        if (slots == null) {
            throw new IllegalStateException("the graph is made: it takes no more edges");
        }
        return slots;
    }

    /** Rows so far, duplicates and removals counted. */
    long edgeCount() {
        return edgeCount;
    }

    /** Makes the graph, once. Its vertices are in ascending order of their ids. */
    public DiskGraph build(ReadProgress progress) throws IOException {
        DiskGraph graph = number(progress, 0);
        graph.group(maxInts);
        return graph;
    }

    /**
     * Makes the graph in parts, once. Its vertices are in ascending order of their ids, and a part has consecutive
     * ones.
     *
     * @param parts P
     */
    public DiskGraphParts build(ReadProgress progress, int parts) throws IOException {
        return new DiskGraphParts(number(progress, PART_BYTES * edgeCount), parts, maxInts, progress);
    }

    /** @param more bytes on disk that are needed besides those of a whole graph */
    private DiskGraph number(ReadProgress progress, long more) throws IOException {
        named.flush();
        named.close();
        scratch.checkRoom(peakBytes() + more - WRITTEN_BYTES * edgeCount);
        RemovalResolver search = isSearched() ? search(progress) : null;
        long[] vertices = slots().vertices();
        Arrays.sort(vertices);
        int[] ranks = new int[vertices.length];
        if (hasRemovals && search != null) {
            vertices = keepUsed(vertices, search);
        }
        for (int rank = 0; rank < vertices.length; rank++) {
            ranks[slots().slot(vertices[rank])] = rank;
        }
        slots = null; // the larger part of the heap until here
        int[] degrees = new int[vertices.length];
        renumber(ranks, degrees, search, progress);
        scratch.delete(NAMED);
        return new DiskGraph(scratch, vertices, degrees, edgeCount, search, progress);
    }

    private RemovalResolver search(ReadProgress progress) throws IOException {
        try (RemovalResolver search = new RemovalResolver(scratch, dedupe, Math.max(1, maxInts / INTS_PER_EDGE));
                NamedRows rows = new NamedRows(null)) {
            while (rows.next()) {
                if (rows.isVertexRemoval()) {
                    search.addVertexRemoval(rows.source());
                } else {
                    search.add(rows.source(), rows.target(), rows.isRemoval());
                }
            }
            search.finish(progress);
            return search;
        }
    }

    /** The vertices that have an edge left. */
    private long[] keepUsed(long[] vertices, RemovalResolver search) throws IOException {
        boolean[] isUsed = new boolean[vertices.length];
        try (NamedRows rows = new NamedRows(search)) {
            while (rows.next()) {
                if (rows.isKept()) {
                    isUsed[rows.source()] = true;
                    isUsed[rows.target()] = true;
                }
            }
        }
        int used = 0;
        for (long vertex : vertices) {
            if (isUsed[slots().slot(vertex)]) {
                vertices[used++] = vertex;
            }
        }
        return Arrays.copyOf(vertices, used);
    }

    /** Writes the edges that are left with the final numbers of their vertices, and counts the degrees. */
    private void renumber(int[] ranks, int[] degrees, @Nullable RemovalResolver search, ReadProgress progress)
            throws IOException {
        long done = 0;
        try (NamedRows rows = new NamedRows(search);
                IntWriter edges = new IntWriter(scratch, DiskGraph.EDGES)) {
            while (rows.next()) {
                if (rows.isKept()) {
                    int source = ranks[rows.source()];
                    int target = ranks[rows.target()];
                    degrees[source]++;
                    degrees[target]++;
                    edges.write(source);
                    edges.write(target);
                }
                if ((++done & TOLD_EVERY - 1) == 0) {
                    progress.read("number vertices", (double) done / edgeCount);
                }
            }
            progress.read("number vertices", 1);
            edges.flush();
        }
        if (IntStream.of(degrees).anyMatch(degree -> degree < 0)) {
            throw new IOException("a vertex has more than %d edges, which no list of neighbours can hold"
                    .formatted(Integer.MAX_VALUE));
        }
    }

    /** The rows as they came, with the first numbers of their vertices. */
    private final class NamedRows implements Closeable {
        private final IntReader reader = new IntReader(scratch, NAMED);
        private final @Nullable RowMarks marks;
        private final int[] pairs = new int[1 << 15];
        private int length;
        private int at = -2;

        NamedRows(@Nullable RemovalResolver search) throws IOException {
            marks = search == null ? null : search.marks(0);
        }

        boolean next() throws IOException {
            at += 2;
            if (at >= length) {
                length = reader.read(pairs, 0, pairs.length);
                at = 0;
            }
            return length > 0;
        }

        boolean isRemoval() {
            return pairs[at] < 0;
        }

        boolean isVertexRemoval() {
            return pairs[at + 1] < 0;
        }

        int source() {
            return isRemoval() ? ~pairs[at] : pairs[at];
        }

        int target() {
            return pairs[at + 1];
        }

        /** Returns whether the row is an edge of the graph; called once per row. */
        boolean isKept() throws IOException {
            return marks == null || marks.next() == RowMarks.KEPT;
        }

        @Override
        public void close() throws IOException {
            reader.close();
            if (marks != null) {
                marks.close();
            }
        }
    }

    /** Closes what is open; the files remain until the scratch folder is cleared. */
    @Override
    public void close() throws IOException {
        named.close();
    }
}
