package io.cutwater.state.disk;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.table.DuplicateRule;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the edges of an input in their order and makes a graph of them on disk.
 *
 * <p>On the heap are arrays by vertex, up to 45 bytes for each, and 24 MB of buffers; on disk 32 bytes for each edge
 * while neighbours are grouped, 16 afterwards.
 */
public final class DiskGraphBuilder implements Closeable {
    /** Numbers that are sorted in memory at a time: 16 MB. */
    private static final int MAX_INTS = 1 << 22;

    private static final int WRITTEN_BYTES = 8; // of an edge, as it comes
    private static final int PEAK_BYTES = 32;
    private static final int SMALL_PEAK_BYTES = 18; // where no half-edges are dealt out
    private static final int FIRST_VERTICES = 1 << 12;
    private static final String NAMED = "named";

    private final ScratchFolder scratch;
    private final @Nullable DuplicateRule dedupe;
    private final int maxInts;
    private final IntWriter named;
    private @Nullable VertexSlots slots = new VertexSlots(FIRST_VERTICES);
    private long edgeCount;

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

    /** Takes the next edges. */
    public void add(EdgeBatch batch) throws IOException {
        VertexSlots slots = slots();
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        edgeCount += size;
        scratch.need(peakBytes());
        for (int i = 0; i < size; i++) {
            named.write(slots.slot(sources[i]));
            named.write(slots.slot(targets[i]));
        }
    }

    private long peakBytes() {
        return edgeCount * (2 * edgeCount > maxInts ? PEAK_BYTES : SMALL_PEAK_BYTES);
    }

    private VertexSlots slots() {
        if (slots == null) {
            throw new IllegalStateException("the graph is made: it takes no more edges");
        }
        return slots;
    }

    /** Edges so far, duplicates counted. */
    public long edgeCount() {
        return edgeCount;
    }

    /** Makes the graph, once. Its vertices are in ascending order of their ids. */
    public DiskGraph build(ReadProgress progress) throws IOException {
        named.flush();
        named.close();
        scratch.checkRoom(peakBytes() - WRITTEN_BYTES * edgeCount);
        boolean hasDuplicates = false;
        if (dedupe != null) {
            progress.read("find duplicates", 0);
            hasDuplicates =
                    new DuplicateSearch(scratch, NAMED, dedupe, slots().size(), maxInts).writeTo(DiskGraph.DUPLICATES)
                            > 0;
        }
        long[] vertices = slots().vertices();
        Arrays.sort(vertices);
        int[] ranks = new int[vertices.length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[slots().slot(vertices[rank])] = rank;
        }
        slots = null; // the larger part of the heap until here
        int[] degrees = renumber(ranks, hasDuplicates, progress);
        scratch.delete(NAMED);
        DiskGraph graph = new DiskGraph(scratch, vertices, degrees, edgeCount, hasDuplicates, progress);
        graph.group(maxInts);
        return graph;
    }

    /** Writes the edges that are no duplicates with the final numbers of their vertices; the degrees. */
    private int[] renumber(int[] ranks, boolean hasDuplicates, ReadProgress progress) throws IOException {
        int[] degrees = new int[ranks.length];
        int[] pairs = new int[1 << 15];
        try (IntReader reader = new IntReader(scratch, NAMED);
                BitReader duplicates = hasDuplicates ? new BitReader(scratch, DiskGraph.DUPLICATES) : null;
                IntWriter edges = new IntWriter(scratch, DiskGraph.EDGES)) {
            long total = Math.max(1, reader.remaining());
            for (int length; (length = reader.read(pairs, 0, pairs.length)) > 0; ) {
                int kept = 0;
                for (int i = 0; i < length; i += 2) {
                    if (duplicates == null || !duplicates.next()) {
                        int source = ranks[pairs[i]];
                        int target = ranks[pairs[i + 1]];
                        degrees[source]++;
                        degrees[target]++;
                        pairs[kept++] = source;
                        pairs[kept++] = target;
                    }
                }
                edges.write(pairs, kept);
                progress.read("number vertices", 1 - (double) reader.remaining() / total);
            }
            edges.flush();
        }
        for (int degree : degrees) {
            if (degree < 0) {
                throw new IOException("a vertex has more than %d edges, which no list of neighbours can hold"
                        .formatted(Integer.MAX_VALUE));
            }
        }
        return degrees;
    }

    /** Closes what is open; the files remain until the scratch folder is cleared. */
    @Override
    public void close() throws IOException {
        named.close();
    }
}
