package io.cutwater.state.passes;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The number of edges of each vertex on each partition, in memory proportional to the replicas. A vertex has a list of
 * the partitions where it has an edge, most edges first, in a block of a power of two entries; blocks that are given up
 * are used again.
 */
public final class EdgeCounts {
    private static final int PARTITION_BITS = 12;
    private static final int PARTITION_MASK = (1 << PARTITION_BITS) - 1;
    private static final int PAGE_BITS = 16;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final int MAX_PAGES = 1 << Integer.SIZE - PAGE_BITS;

    private final int[] blocks; // of each vertex: page and place in the page; read as unsigned
    private final short[] sizes;
    private long[][] pages = new long[1][];
    private int pageCount;
    private int used = PAGE_MASK + 1; // entries of the last page
    private final int[][] free = new int[PARTITION_BITS + 1][16]; // blocks by the logarithm of their length
    private final int[] freeCounts = new int[PARTITION_BITS + 1];
    private long replicas;
    private @Nullable CountChanges changes;

    /** Vertices 0 to n − 1, without an edge. */
    public EdgeCounts(int vertexCount) {
        blocks = new int[vertexCount];
        sizes = new short[vertexCount];
    }

    /** Takes down every change from now on; null for none any more. */
    public void takeDown(@Nullable CountChanges into) {
        changes = into;
    }

    /** Partitions where a vertex has an edge. */
    public int size(int vertex) {
        return sizes[vertex];
    }

    /** The entries of a vertex, from {@link #first} on. */
    public long[] page(int vertex) {
        return pages[blocks[vertex] >>> PAGE_BITS];
    }

    /**
     * Returns the position of the first of the {@link #size} entries of a vertex in its {@link #page}, largest count
     * first.
     */
    public int first(int vertex) {
        return blocks[vertex] & PAGE_MASK;
    }

    /** An entry of a vertex, 0 to {@link #size} − 1, the largest count first. */
    public long entry(int vertex, int i) {
        return pages[blocks[vertex] >>> PAGE_BITS][(blocks[vertex] & PAGE_MASK) + i];
    }

    /** The partition of an entry. */
    public static int partition(long entry) {
        return (int) entry & PARTITION_MASK;
    }

    /** The edges of an entry. */
    public static int count(long entry) {
        return (int) (entry >>> PARTITION_BITS);
    }

    /** Edges of a vertex on a partition. */
    public int count(int vertex, int partition) {
        int size = sizes[vertex];
        if (size == 0) {
            return 0;
        }
        long[] page = page(vertex);
        int first = first(vertex);
        for (int i = first; i < first + size; i++) {
            if (partition(page[i]) == partition) {
                return count(page[i]);
            }
        }
        return 0;
    }

    /**
     * Counts the edges of a graph; those of all parts if it is a part of one.
     *
     * @param loads likewise
     */
    public void addAll(BoundedGraph graph, EdgePlaces places, PartitionLoads loads) {
        Runnable exchange = exchange(graph, loads);
        try (EdgePass edges = GraphPart.edges(graph, exchange);
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                add(edges, pass.next(), loads);
            }
        }
        takeDown(null);
    }

    /**
     * Takes down changes if the graph is a part of one.
     *
     * @param loads of all parts
     * @return what exchanges the changes of counts and loads with the other parts
     */
    public Runnable exchange(BoundedGraph graph, PartitionLoads loads) {
        GraphPart part = GraphPart.of(graph);
        if (part == null) {
            return () -> {};
        }
        CountChanges made = new CountChanges(part, this, loads.edges(), loads.vertices());
        return () -> {
            long[] edges = loads.edges();
            long[] ofVertices = loads.vertices();
            made.exchange(edges, ofVertices);
            loads.set(edges, ofVertices);
        };
    }

    /** Counts an edge on a partition for both its ends, and in the loads. */
    public void add(EdgePass edge, int partition, PartitionLoads loads) {
        loads.addEdge(partition);
        addEnd(edge.source(), partition, loads);
        addEnd(edge.target(), partition, loads);
    }

    private void addEnd(int vertex, int partition, PartitionLoads loads) {
        boolean isFirst = sizes[vertex] == 0;
        if (add(vertex, partition)) {
            loads.addReplica(partition, isFirst);
        }
    }

    /** One edge more of a vertex on a partition; true if it is the first there. */
    public boolean add(int vertex, int partition) {
        boolean isFirst = increase(vertex, partition);
        if (changes != null) {
            changes.added(vertex, partition, isFirst);
        }
        return isFirst;
    }

    private boolean increase(int vertex, int partition) {
        int size = sizes[vertex];
        if (size == 0) {
            blocks[vertex] = take(0);
            append(vertex, partition);
            return true;
        }
        long[] page = page(vertex);
        int first = first(vertex);
        int i = first;
        while (i < first + size && partition(page[i]) != partition) {
            i++;
        }
        if (i == first + size) {
            if ((size & size - 1) == 0) {
                move(vertex, log(size) + 1); // the block of a power of two entries is full
            }
            append(vertex, partition);
            return true;
        }
        // The first of those with the same count: there it may grow without leaving the order.
        int count = count(page[i]);
        int to = i;
        while (to > first && count(page[to - 1]) == count) {
            to--;
        }
        long entry = page[i] + (1L << PARTITION_BITS);
        page[i] = page[to];
        page[to] = entry;
        return false;
    }

    /**
     * Some edges more of a vertex on a partition, at least one. They are not taken down as changes.
     *
     * @return whether they are the first there
     */
    public boolean add(int vertex, int partition, int more) {
        boolean isFirst = increase(vertex, partition);
        if (more > 1) {
            long[] page = page(vertex);
            int first = first(vertex);
            int i = first;
            while (partition(page[i]) != partition) {
                i++;
            }
            long entry = page[i] + ((long) more - 1 << PARTITION_BITS);
            for (; i > first && count(page[i - 1]) < count(entry); i--) {
                page[i] = page[i - 1];
            }
            page[i] = entry;
        }
        return isFirst;
    }

    private void append(int vertex, int partition) {
        page(vertex)[first(vertex) + sizes[vertex]++] = 1L << PARTITION_BITS | partition;
        replicas++;
    }

    /** One edge less of a vertex on a partition where it has one; true if it was the last there. */
    public boolean remove(int vertex, int partition) {
        boolean isLast = decrease(vertex, partition);
        if (changes != null) {
            changes.removed(vertex, partition, isLast);
        }
        return isLast;
    }

    private boolean decrease(int vertex, int partition) {
        long[] page = page(vertex);
        int first = first(vertex);
        int end = first + sizes[vertex];
        int i = first;
        while (partition(page[i]) != partition) {
            i++;
        }
        int count = count(page[i]);
        int to = i;
        while (to < end - 1 && count(page[to + 1]) == count) {
            to++;
        }
        long entry = page[i] - (1L << PARTITION_BITS);
        page[i] = page[to];
        page[to] = entry;
        if (count == 1) { // then it was moved to the end
            replicas--;
            int size = --sizes[vertex];
            if (size == 0) {
                give(blocks[vertex], 0);
            } else if ((size & size - 1) == 0) {
                move(vertex, log(size));
            }
        }
        return count == 1;
    }

    /** Moves the list of a vertex to a block of another length. */
    private void move(int vertex, int log) {
        int size = sizes[vertex];
        int before = blocks[vertex];
        int block = take(log);
        System.arraycopy(
                pages[before >>> PAGE_BITS],
                before & PAGE_MASK,
                pages[block >>> PAGE_BITS],
                block & PAGE_MASK,
                Math.min(size, 1 << log));
        give(before, log > log(size) ? log - 1 : log + 1);
        blocks[vertex] = block;
    }

    /** Returns the binary logarithm of a size, rounded up. */
    private static int log(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    private int take(int log) {
        if (freeCounts[log] > 0) {
            return free[log][--freeCounts[log]];
        }
        int length = 1 << log;
        while (used + length > PAGE_MASK + 1) {
            nextPage();
        }
        int block = pageCount - 1 << PAGE_BITS | used;
        used += length;
        return block;
    }

    private void nextPage() {
        for (int log = 0; used <= PAGE_MASK; log++) { // what is left of the last page, from its end
            if ((used >>> log & 1) != 0) {
                give(pageCount - 1 << PAGE_BITS | used, log);
                used += 1 << log;
            }
        }
        if (pageCount == MAX_PAGES) {
            throw new IllegalStateException(
                    "more than %d replicas cannot be counted in one process: choose fewer partitions"
                            .formatted((long) MAX_PAGES << PAGE_BITS));
        }
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, Math.min(MAX_PAGES, 2 * pageCount));
        }
        pages[pageCount++] = new long[PAGE_MASK + 1];
        used = 0;
    }

    private void give(int block, int log) {
        if (freeCounts[log] == free[log].length) {
            free[log] = Arrays.copyOf(free[log], 2 * free[log].length);
        }
        free[log][freeCounts[log]++] = block;
    }

    /** Partitions of all vertices together: Σ |V(E_p)|. */
    public long replicas() {
        return replicas;
    }

    /** Pages in use, of half a megabyte each. */
    int pageCount() {
        return pageCount;
    }
}
