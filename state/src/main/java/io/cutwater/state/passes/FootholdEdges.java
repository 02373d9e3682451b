package io.cutwater.state.passes;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import java.util.Arrays;

/**
 * The edges of footholds of a graph, in memory for one range of vertices after the other. A range has as many edges as
 * the graph has vertices, or {@value #LEAST_EDGES} if that is more, and of a part of a graph about its share of them.
 * Reading one takes a pass over the edges; what has changed is written in another one.
 */
final class FootholdEdges {
    /** Edges of a foothold at most. */
    static final int MAX_EDGES = 16;

    private static final int LEAST_EDGES = 1 << 20;

    private final BoundedGraph graph;
    private final EdgePlaces places;
    private final EdgeCounts counts;
    private final long most;
    private int from;
    private int to;

    // The edges of the range, in the order of the graph.
    private int size;
    private int[] sources = new int[1024];
    private int[] targets = new int[1024];
    private short[] read = new short[1024]; // their places as they were read
    private short[] now = new short[1024]; // and as they are
    private int[] gaps = new int[1024]; // edges of the graph between one and the one before

    private int[] starts = new int[1]; // of the list of each vertex
    private int[] lists = new int[0]; // by vertex, and then by the place that was read
    private int[] list = new int[0];
    private final int[] ends; // by place: where its edges in a list end; else zeros

    /** @param most edges of a range, unless one vertex has more */
    FootholdEdges(BoundedGraph graph, EdgePlaces places, int partitionCount, EdgeCounts counts, long most) {
        this.most = most;
        ends = new int[partitionCount];
        this.graph = graph;
        this.places = places;
        this.counts = counts;
    }

    /** The usual number of edges of a range. */
    static long range(BoundedGraph graph) {
        return Math.max(LEAST_EDGES, graph.vertexCount());
    }

    /** Goes before the first range. */
    void begin() {
        to = 0;
    }

    /** Reads the next range; false if there is none. */
    boolean next() {
        from = to;
        long sum = 0;
        while (to < graph.vertexCount() && (to == from || sum + footholdEdges(to) <= most)) {
            sum += footholdEdges(to++);
        }
        if (to > from) {
            read();
        }
        return to > from;
    }

    private int footholdEdges(int vertex) {
        int sum = 0;
        for (int i = counts.size(vertex) - 1; i >= 0; i--) { // the smallest counts are the last
            int count = EdgeCounts.count(counts.entry(vertex, i));
            if (count > MAX_EDGES) {
                break;
            }
            sum += count;
        }
        return sum;
    }

    private void read() {
        size = 0;
        starts = new int[to - from + 1];
        int gap = 0;
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                int place = pass.next();
                int source = edges.source();
                int target = edges.target();
                boolean isOfSource = isWanted(source, place) && source != target; // a self-loop stays, and its vertex
                boolean isOfTarget = isWanted(target, place) && source != target;
                if (isOfSource || isOfTarget || gap == Integer.MAX_VALUE) {
                    add(source, target, place, gap);
                    starts[isOfSource ? source - from + 1 : 0]++;
                    starts[isOfTarget ? target - from + 1 : 0]++;
                    gap = 0;
                } else {
                    gap++;
                }
            }
        }
        starts[0] = 0;
        Arrays.parallelPrefix(starts, Integer::sum);
        list();
        for (int vertex = from; vertex < to; vertex++) {
            group(first(vertex), last(vertex));
        }
    }

    /** Lists the edges of each vertex, in their order. */
    private void list() {
        int sum = last(to - 1);
        lists = lists.length < sum ? new int[sum] : lists;
        int[] next = starts.clone();
        for (int i = 0; i < size; i++) {
            if (sources[i] != targets[i] && isWanted(sources[i], now[i])) {
                lists[next[sources[i] - from]++] = i;
            }
            if (sources[i] != targets[i] && isWanted(targets[i], now[i])) {
                lists[next[targets[i] - from]++] = i;
            }
        }
    }

    /** Brings the edges of a list that have the same place together. */
    private void group(int first, int last) {
        int length = last - first;
        if (length < 2) {
            return;
        }
        list = list.length < length ? new int[2 * length] : list;
        System.arraycopy(lists, first, list, 0, length);
        for (int i = 0; i < length; i++) {
            ends[read[list[i]]]++;
        }
        int end = first;
        for (int i = 0; i < length; i++) {
            int place = read[list[i]];
            if (ends[place] > 0) { // the first of its place: from here on the negative of where the next one goes
                int count = ends[place];
                ends[place] = -end - 1;
                end += count;
            }
            int at = -ends[place] - 1;
            lists[at] = list[i];
            ends[place]--;
        }
        for (int i = 0; i < length; i++) {
            ends[read[list[i]]] = 0;
        }
    }

    private boolean isWanted(int vertex, int place) {
        return vertex >= from && vertex < to && counts.count(vertex, place) <= MAX_EDGES;
    }

    private void add(int source, int target, int place, int gap) {
        if (size == sources.length) {
            int larger = Math.addExact(size, size >> 1);
            sources = Arrays.copyOf(sources, larger);
            targets = Arrays.copyOf(targets, larger);
            read = Arrays.copyOf(read, larger);
            now = Arrays.copyOf(now, larger);
            gaps = Arrays.copyOf(gaps, larger);
        }
        sources[size] = source;
        targets[size] = target;
        read[size] = (short) place;
        now[size] = (short) place;
        gaps[size++] = gap;
    }

    /** Ends a range. @param isChanged whether edges have other places than before */
    void end(boolean isChanged) {
        if (!isChanged) {
            return;
        }
        try (EdgePlaces.Pass pass = places.pass()) {
            for (int i = 0; i < size; i++) {
                for (int gap = gaps[i]; gap >= 0; gap--) {
                    pass.next();
                }
                if (read[i] != now[i]) {
                    pass.set(now[i]);
                }
            }
        }
    }

    /** The first vertex of the range. */
    int from() {
        return from;
    }

    /** The vertex after the last of the range. */
    int to() {
        return to;
    }

    /** Where the list of a vertex begins. */
    int first(int vertex) {
        return starts[vertex - from];
    }

    /** Where it ends. */
    int last(int vertex) {
        return starts[vertex - from + 1];
    }

    /** Returns where the foothold ends in a list that begins somewhere in it. */
    int end(int first, int last) {
        int end = first + 1;
        while (end < last && read[lists[end]] == read[lists[first]]) {
            end++;
        }
        return end;
    }

    /**
     * Gathers the edges of a foothold that have not moved since they were read.
     *
     * @param into takes the edges
     * @return how many they are
     */
    int gather(int first, int end, int[] into) {
        int count = 0;
        for (int i = first; i < end; i++) {
            if (now[lists[i]] == read[lists[i]]) {
                into[count++] = lists[i];
            }
        }
        return count;
    }

    /** The partition of a foothold when it was read. */
    int partition(int first) {
        return read[lists[first]];
    }

    int source(int edge) {
        return sources[edge];
    }

    int target(int edge) {
        return targets[edge];
    }

    /** The end of an edge that is not this one. */
    int other(int edge, int vertex) {
        return sources[edge] == vertex ? targets[edge] : sources[edge];
    }

    void setPlace(int edge, int place) {
        now[edge] = (short) place;
    }
}
