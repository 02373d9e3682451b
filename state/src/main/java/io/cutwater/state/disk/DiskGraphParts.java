package io.cutwater.state.disk;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.EdgePass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph on disk in parts, for threads that each make their passes over one of them. Each vertex, in the order of the
 * ids, goes to the part with the least load, so parts are about equally large, and each has some of every region of a
 * graph whose ids follow its structure: it needs as much of the room of each partition as the other parts do.
 *
 * <p>An edge counts {@value #EDGE_WEIGHT} times for the part of its source, which places it, and once for each of its
 * ends.
 */
public final class DiskGraphParts {
    private static final int EDGE_WEIGHT = 3;
    private static final ReadProgress UNTOLD = (pass, share) -> {};

    private final DiskGraph whole;
    private final int maxInts;
    private final ReadProgress progress;
    private final short[] partOf;

    DiskGraphParts(DiskGraph whole, int parts, int maxInts, ReadProgress progress) {
        this.whole = whole;
        this.maxInts = maxInts;
        this.progress = progress;
        partOf = partOf(whole, parts);
    }

    private static short[] partOf(DiskGraph graph, int parts) {
        int[] edges = new int[graph.vertexCount()];
        try (EdgePass pass = graph.edges()) {
            while (pass.next()) {
                edges[pass.source()]++;
            }
        }
        short[] partOf = new short[edges.length];
        long[] loads = new long[parts];
        for (int v = 0; v < edges.length; v++) {
            short least = 0;
            for (short part = 1; part < parts; part++) {
                least = loads[part] < loads[least] ? part : least;
            }
            partOf[v] = least;
            loads[least] += graph.degree(v) + (long) EDGE_WEIGHT * edges[v];
        }
        return partOf;
    }

    /** Returns the graph as a whole, whose edges can be read, but not its lists of neighbours. */
    public DiskGraph whole() {
        return whole;
    }

    /** Returns the part of each vertex; the array itself. */
    public short[] partOf() {
        return partOf;
    }

    /** Makes a part, in the thread that passes over it. Progress is that of part 0. */
    public DiskGraph part(int number) throws IOException {
        return whole.part(partOf, number, maxInts, number == 0 ? progress : UNTOLD);
    }

    /**
     * Copies the places of the edges of all parts.
     *
     * @param from of the edges of each part
     * @param into of the edges of the graph
     */
    public void merge(List<? extends EdgePlaces> from, EdgePlaces into) {
        List<EdgePlaces.Pass> passes = new ArrayList<>();
        try (EdgePass edges = whole.edges();
                EdgePlaces.Pass to = into.pass()) {
            from.forEach(places -> passes.add(places.pass()));
            while (edges.next()) {
                to.next();
                to.set(passes.get(partOf[edges.source()]).next());
            }
        } finally {
            passes.forEach(EdgePlaces.Pass::close);
        }
    }
}
