package io.cutwater.state.cluster;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.parts.GraphPart;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Clusters of high modularity from a stream of vertices with their neighbours (Chhabra, Peretz, Schulz: CluStRE:
 * Streaming graph clustering with multi-stage refinement, SEA 2025), in three stages:
 *
 * <ol>
 *   <li>one pass in which a vertex v joins the neighbouring cluster C with the largest gain {@code e(v, C) / m − d(v) ·
 *       vol(C) / (2 m²)}, or opens one if no gain is positive;
 *   <li>one pass in which v moves from A to the B with the largest gain {@code (e(v, B) − e(v, A)) / m − d(v) / 2 ·
 *       (d(v) + vol(B) − vol(A)) / m²}, if that is positive;
 *   <li>passes of local search with the same rule over the neighbours of what moved in the pass before, until a pass
 *       gains less than a twentieth of all that moves have gained, nothing is left, or {@link #MAX_PASSES} are made.
 * </ol>
 *
 * <p>e(v, C) are the edges from v into C, vol(C) is the sum of degrees. A self-loop counts for the degree only. A
 * cluster never grows beyond the caps, except that a single vertex may be larger by itself. (The paper stops after half
 * the time of the passes instead; a clock would make results differ from run to run.)
 */
public final class ModularityClustering {
    /** No more passes than that, however much the last one gained. */
    public static final int MAX_PASSES = 8;

    private static final int NONE = -1;
    private static final double LEAST_GAIN = 0.05;

    private final double edgeCount;
    private final long maxVolume;
    private final int maxSize;
    private final int[] clusters;
    private long[] volumes;
    private int[] sizes;
    private int[] edgesTo;
    private int[] touched = new int[16];
    private boolean[] active;
    private boolean[] nextActive;
    private int clusterCount;
    private int pass;
    private double totalGain;
    private double passGain;
    private long passMoves;
    private @Nullable ClusterExchange exchange;

    /**
     * @param vertexCount n: vertices are 0 to n − 1
     * @param edgeCount m
     * @param maxVolume cap on the sum of degrees of a cluster
     * @param maxSize cap on the number of its vertices
     */
    public ModularityClustering(int vertexCount, long edgeCount, long maxVolume, int maxSize) {
        this.edgeCount = Math.max(1, edgeCount);
        this.maxVolume = maxVolume;
        this.maxSize = maxSize;
        clusters = new int[vertexCount];
        Arrays.fill(clusters, NONE);
        volumes = new long[vertexCount];
        sizes = new int[vertexCount];
        edgesTo = new int[vertexCount];
        active = new boolean[vertexCount];
        nextActive = new boolean[vertexCount];
    }

    /**
     * The {@link #clusters} of a graph, after as many passes over it as are wanted. If it is a part of a graph, the
     * parts tell each other what has changed in each pass, and clusters are numbered for all parts together.
     */
    public int[] of(BoundedGraph graph) {
        GraphPart part = GraphPart.of(graph);
        ClusterExchange between = part == null ? null : new ClusterExchange(part, this);
        exchange = between;
        Runnable turn = between == null ? () -> {} : between::exchange;
        do {
            try (VertexPass vertices = GraphPart.vertices(graph, turn)) {
                while (vertices.next()) {
                    add(vertices.vertex(), vertices.neighbours(), vertices.from(), vertices.to());
                }
            }
            if (part != null && between != null) {
                between.activate(nextActive);
                passMoves = part.sum(new long[] {passMoves})[0];
                passGain = sum(part, passGain);
            }
        } while (endPass());
        return between == null ? clusters() : between.numbered(clusters);
    }

    private static double sum(GraphPart part, double value) {
        double sum = 0;
        for (long bits : part.gather(Double.doubleToLongBits(value))) {
            sum += Double.longBitsToDouble(bits);
        }
        return sum;
    }

    /** Opens a cluster without a vertex. */
    int open() {
        if (clusterCount == volumes.length) { // clusters of other parts come beside those of the vertices here
            int larger = Math.max(16, Math.addExact(clusterCount, clusterCount / 2));
            volumes = Arrays.copyOf(volumes, larger);
            sizes = Arrays.copyOf(sizes, larger);
            edgesTo = Arrays.copyOf(edgesTo, larger);
        }
        return clusterCount++;
    }

    int cluster(int vertex) {
        return clusters[vertex];
    }

    /** Takes over the cluster that another part has chosen for one of its vertices. */
    void setCluster(int vertex, int cluster) {
        clusters[vertex] = cluster;
    }

    long volume(int cluster) {
        return volumes[cluster];
    }

    int size(int cluster) {
        return sizes[cluster];
    }

    /** Takes over what other parts know of a cluster. */
    void setCluster(int cluster, long volume, int size) {
        volumes[cluster] = volume;
        sizes[cluster] = size;
    }

    /** Ends a pass over all vertices. Whether another one is wanted; after an answer of no, the clusters are final. */
    public boolean endPass() {
        pass++;
        totalGain += passGain;
        boolean isWorthMore = pass == 1 || passMoves > 0 && pass < MAX_PASSES && passGain >= LEAST_GAIN * totalGain;
        boolean[] swapped = active;
        active = nextActive;
        nextActive = swapped;
        Arrays.fill(nextActive, false);
        passGain = 0;
        passMoves = 0;
        return isWorthMore;
    }

    /** Observes a vertex with all its neighbours; each pass has every vertex once, in the same order. */
    public void add(int vertex, int[] neighbours, int from, int to) {
        if (pass == 0) {
            join(vertex, neighbours, from, to);
        } else if (pass == 1 || active[vertex]) {
            reconsider(vertex, neighbours, from, to);
        }
    }

    private void join(int vertex, int[] neighbours, int from, int to) {
        int degree = to - from;
        int touchedCount = countEdges(vertex, neighbours, from, to);
        int best = NONE;
        double bestGain = 0;
        for (int i = 0; i < touchedCount; i++) {
            int cluster = touched[i];
            double gain = edgesTo[cluster] - degree / (2 * edgeCount) * volumes[cluster];
            edgesTo[cluster] = 0;
            if (gain > bestGain && hasRoom(cluster, degree)) {
                best = cluster;
                bestGain = gain;
            }
        }
        if (best == NONE) {
            best = open();
        }
        enter(vertex, degree, best);
    }

    private void reconsider(int vertex, int[] neighbours, int from, int to) {
        int degree = to - from;
        int touchedCount = countEdges(vertex, neighbours, from, to);
        int own = clusters[vertex];
        int best = own;
        double bestGain = 0;
        double perVolume = degree / (2 * edgeCount);
        double base = -edgesTo[own] - perVolume * (degree - volumes[own]);
        for (int i = 0; i < touchedCount; i++) {
            int cluster = touched[i];
            if (cluster != own) {
                double gain = base + edgesTo[cluster] - perVolume * volumes[cluster];
                if (gain > bestGain && hasRoom(cluster, degree)) {
                    best = cluster;
                    bestGain = gain;
                }
            }
        }
        for (int i = 0; i < touchedCount; i++) {
            edgesTo[touched[i]] = 0;
        }
        if (best != own) {
            volumes[own] -= degree;
            sizes[own]--;
            if (exchange != null) {
                exchange.changed(own);
            }
            enter(vertex, degree, best);
            passGain += bestGain;
            passMoves++;
            for (int i = from; i < to; i++) {
                nextActive[neighbours[i]] = true;
            }
        }
    }

    private int countEdges(int vertex, int[] neighbours, int from, int to) {
        if (touched.length < to - from) {
            touched = new int[2 * (to - from)];
        }
        int count = 0;
        for (int i = from; i < to; i++) {
            int cluster = clusters[neighbours[i]];
            if (cluster != NONE && neighbours[i] != vertex && edgesTo[cluster]++ == 0) {
                touched[count++] = cluster;
            }
        }
        return count;
    }

    private boolean hasRoom(int cluster, int degree) {
        return volumes[cluster] + degree <= maxVolume && sizes[cluster] < maxSize;
    }

    private void enter(int vertex, int degree, int cluster) {
        clusters[vertex] = cluster;
        volumes[cluster] += degree;
        sizes[cluster]++;
        if (exchange != null) {
            exchange.moved(vertex);
            exchange.changed(cluster);
        }
    }

    /**
     * The cluster of each vertex, 0 to c − 1 without a gap, in the order of the first vertex; −1 for a vertex that no
     * pass has shown.
     */
    public int[] clusters() {
        int[] numbers = new int[clusterCount];
        Arrays.fill(numbers, NONE);
        int[] result = new int[clusters.length];
        int count = 0;
        for (int v = 0; v < result.length; v++) {
            int cluster = clusters[v];
            if (cluster != NONE && numbers[cluster] == NONE) {
                numbers[cluster] = count++;
            }
            result[v] = cluster == NONE ? NONE : numbers[cluster];
        }
        return result;
    }
}
