package io.cutwater.state.disk;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A graph on disk: its edges as pairs of vertices, and the concatenated lists of neighbours of all vertices; both are
 * read from front to back. Ids and degrees are on the heap, 12 bytes for each vertex. A list of neighbours must fit in
 * memory, 4 bytes for each. The files are deleted with the scratch folder's {@link ScratchFolder#clear}.
 *
 * <p>A thread that is interrupted cannot read on: its pass throws an {@link UncheckedIOException} with a
 * {@link java.nio.channels.ClosedByInterruptException}.
 */
public final class DiskGraph implements BoundedGraph {
    static final String EDGES = "edges";
    static final String NEIGHBOURS = "neighbours";

    private static final int BUFFER_INTS = 1 << 16;

    private final ScratchFolder scratch;
    private final long[] vertices;
    private final int[] degrees;
    private final long inputEdges;
    private final @Nullable RemovalResolver search;
    private final ReadProgress progress;
    private final String suffix; // of the names of a part's files
    private final short @Nullable [] partOf; // of each vertex; null: the graph is whole
    private final int number;
    private long edgeCount;
    private int passes;

    DiskGraph(
            ScratchFolder scratch,
            long[] vertices,
            int[] degrees,
            long inputEdges,
            @Nullable RemovalResolver search,
            ReadProgress progress) {
        this.scratch = scratch;
        this.vertices = vertices;
        this.degrees = degrees;
        this.inputEdges = inputEdges;
        this.search = search;
        this.progress = progress;
        suffix = "";
        partOf = null;
        number = 0;
        long ends = 0;
        for (int degree : degrees) {
            ends += degree;
        }
        edgeCount = ends / 2;
    }

    /** A part of a graph, which has no files yet. */
    private DiskGraph(DiskGraph whole, short[] partOf, int number, ReadProgress progress) {
        scratch = whole.scratch;
        vertices = whole.vertices;
        degrees = whole.degrees;
        inputEdges = whole.inputEdges;
        search = null;
        this.progress = progress;
        suffix = "-" + number;
        this.partOf = partOf;
        this.number = number;
    }

    /**
     * Writes the files of a part of this graph, and returns it. It has the edges whose sources are its own vertices,
     * and the lists of neighbours of these; slots, ids and degrees are those of the whole graph. Parts may be made at
     * the same time, in several threads.
     *
     * @param partOf the part of each vertex
     * @param number of the part
     */
    DiskGraph part(short[] partOf, int number, int maxInts, ReadProgress progress) throws IOException {
        DiskGraph part = new DiskGraph(this, partOf, number, progress);
        try (IntWriter edges = new IntWriter(scratch, EDGES + part.suffix)) {
            part.group(maxInts, edges);
            edges.flush();
        }
        return part;
    }

    /** Writes the lists of neighbours. */
    void group(int maxInts) throws IOException {
        group(maxInts, null);
    }

    private void group(int maxInts, @Nullable IntWriter edges) throws IOException {
        try (IntWriter neighbours = new IntWriter(scratch, NEIGHBOURS + suffix)) {
            new Grouping(scratch, "ends" + suffix, 2, ownDegrees(), maxInts)
                    .group(new HalfEdges(edges), neighbours::write);
            neighbours.flush();
        }
    }

    /** Returns the lengths of the lists of neighbours that this graph has. */
    private int[] ownDegrees() {
        if (partOf == null) {
            return degrees;
        }
        int[] own = new int[degrees.length];
        for (int v = 0; v < own.length; v++) {
            own[v] = has(v) ? degrees[v] : 0;
        }
        return own;
    }

    private boolean has(int vertex) {
        return partOf == null || partOf[vertex] == number;
    }

    @Override
    public int vertexCount() {
        return vertices.length;
    }

    /** m, without what was left out: duplicates, and what was taken away. Of a part, the edges that it has. */
    @Override
    public long edgeCount() {
        return edgeCount;
    }

    /** Rows of the input, with what was left out. */
    long inputEdges() {
        return inputEdges;
    }

    @Override
    public long vertex(int slot) {
        return vertices[slot];
    }

    @Override
    public int degree(int slot) {
        return degrees[slot];
    }

    @Override
    public EdgePass edges() {
        try {
            return new Edges();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public VertexPass vertices() {
        try {
            return new Vertices();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removals of edges that were not there. */
    public long unknownRemovals() {
        return search == null ? 0 : search.unknownRemovals();
    }

    /** Begins a pass over the rows of the input that tells which of them are edges of the graph. */
    public RowMarks marks() throws IOException {
        return search == null ? new RowMarks(null, null) : search.marks(0);
    }

    /** The ends of all edges of the input that are vertices of this graph; a part copies its own edges on the way. */
    private final class HalfEdges implements Records {
        private final IntReader reader = new IntReader(scratch, EDGES);
        private final @Nullable IntWriter own;
        private int[] pairs = {};

        private HalfEdges(@Nullable IntWriter own) throws IOException {
            this.own = own;
        }

        @Override
        public int read(int[] into) throws IOException {
            if (pairs.length == 0) {
                pairs = new int[into.length / 4 * 2];
            }
            int size = 0;
            int length;
            do {
                length = reader.read(pairs, 0, pairs.length);
                for (int i = 0; i < length; i += 2) {
                    size = add(pairs[i], pairs[i + 1], into, size);
                    size = add(pairs[i + 1], pairs[i], into, size);
                    if (own != null && has(pairs[i])) {
                        own.write(pairs[i]);
                        own.write(pairs[i + 1]);
                        edgeCount++;
                    }
                }
            } while (size == 0 && length > 0);
            progress.read(
                    "group neighbours", reader.remaining() == 0 ? 1 : 1 - reader.remaining() / (2.0 * inputEdges));
            return size;
        }

        private int add(int vertex, int neighbour, int[] into, int size) {
            if (!has(vertex)) {
                return size;
            }
            into[size] = vertex;
            into[size + 1] = neighbour;
            return size + 2;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }

    private void tell(String pass, IntReader reader) {
        progress.read(pass, edgeCount == 0 ? 1 : 1 - reader.remaining() / (2.0 * edgeCount));
    }

    private final class Edges implements EdgePass {
        private final IntReader reader = new IntReader(scratch, EDGES + suffix);
        private final String name = "pass %d, edges".formatted(++passes);
        private final int[] pairs = new int[BUFFER_INTS];
        private int size;
        private int at = -2;

        Edges() throws IOException {}

        @Override
        public boolean next() {
            at += 2;
            if (at >= size) {
                try {
                    size = reader.read(pairs, 0, pairs.length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                at = 0;
                tell(name, reader);
            }
            return size > 0;
        }

        @Override
        public int source() {
            return pairs[at];
        }

        @Override
        public int target() {
            return pairs[at + 1];
        }

        @Override
        public void close() {
            closeQuietly(reader);
        }
    }

    private final class Vertices implements VertexPass {
        private final IntReader reader = new IntReader(scratch, NEIGHBOURS + suffix);
        private final String name = "pass %d, vertices".formatted(++passes);
        private int[] window = new int[BUFFER_INTS];
        private int size;
        private int vertex = -1;
        private int from;
        private int to;

        Vertices() throws IOException {}

        @Override
        public boolean next() {
            do {
                vertex++;
            } while (vertex < degrees.length && !has(vertex));
            if (vertex >= degrees.length) {
                return false;
            }
            from = to;
            if (degrees[vertex] > size - from) {
                try {
                    refill(degrees[vertex]);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            to = from + degrees[vertex];
            return true;
        }

        private void refill(int degree) throws IOException {
            int[] into = degree > window.length ? new int[degree] : window;
            System.arraycopy(window, from, into, 0, size - from);
            window = into;
            size -= from;
            from = 0;
            size += reader.read(window, size, window.length - size);
            tell(name, reader);
        }

        @Override
        public int vertex() {
            return vertex;
        }

        @Override
        public int[] neighbours() {
            return window;
        }

        @Override
        public int from() {
            return from;
        }

        @Override
        public int to() {
            return to;
        }

        @Override
        public void close() {
            closeQuietly(reader);
        }
    }

    private static void closeQuietly(IntReader reader) {
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
