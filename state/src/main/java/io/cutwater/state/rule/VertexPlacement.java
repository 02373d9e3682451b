package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.PlacesExchange;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which vertex is on which partition, and what that adds up to: vertices and volume (sum of degrees) of each partition,
 * the one with the fewest vertices, and the training vertices of each if there are any to be spread.
 */
@PublicApi
public final class VertexPlacement {
    /** The partition of a vertex that has none yet. */
    public static final int NOWHERE = -1;

    private final IntToLongFunction ids;
    private final int[] partitions;
    private final long[] vertexCounts;
    private final long[] volumes;
    private long totalVertices;
    private long totalVolume;
    private int leastLoaded;
    private final BitSet training;
    private final long[] trainingCounts;
    private final long maxTraining;
    private final @Nullable BoundedGraph graph; // if it may be a part
    private final @Nullable PlacesExchange exchange;
    private @Nullable EdgeRoom vertexRoom;
    private @Nullable EdgeRoom volumeRoom;
    private @Nullable EdgeRoom trainingRoom;

    /**
     * @param partitionCount k
     * @param vertexCount n: vertices are 0 to n − 1
     * @param ids the id of each of them
     */
    public VertexPlacement(int partitionCount, int vertexCount, IntToLongFunction ids) {
        this(partitionCount, vertexCount, ids, null, null);
    }

    private VertexPlacement(
            int partitionCount,
            int vertexCount,
            IntToLongFunction ids,
            @Nullable TrainingVertices training,
            @Nullable BoundedGraph graph) {
        this.ids = ids;
        this.graph = graph;
        this.training = training == null ? new BitSet() : training.among(vertexCount, ids);
        trainingCounts = new long[partitionCount];
        maxTraining = training == null ? Long.MAX_VALUE : training.max(trainingVertices(), partitionCount);
        partitions = new int[vertexCount];
        Arrays.fill(partitions, NOWHERE);
        vertexCounts = new long[partitionCount];
        volumes = new long[partitionCount];
        GraphPart part = graph == null ? null : GraphPart.of(graph);
        exchange = part == null ? null : new PlacesExchange(part, partitions, vertexCounts, volumes, trainingCounts);
    }

    /**
     * Creates a placement for the vertices of a graph. If that is a part of one, vertices are counted with those of all
     * parts, as of the last {@link #exchange}.
     *
     * @param training the vertices that are to be spread; null for none
     */
    public static VertexPlacement of(BoundedGraph graph, int partitionCount, @Nullable TrainingVertices training) {
        return new VertexPlacement(partitionCount, graph.vertexCount(), graph::vertex, training, graph);
    }

    private long trainingVertices() {
        if (graph == null) {
            return training.cardinality();
        }
        return GraphPart.sum(
                graph, training.stream().filter(v -> GraphPart.isOwn(graph, v)).count());
    }

    /**
     * Sets what a partition may have, of all parts of the graph together.
     *
     * @param maxVertices vertices
     * @param maxVolume sum of their degrees
     */
    public void limit(long maxVertices, long maxVolume) {
        vertexRoom = room(maxVertices);
        volumeRoom = room(maxVolume);
        trainingRoom = room(maxTraining);
        share();
    }

    private EdgeRoom room(long max) {
        return new EdgeRoom(graph, max, vertexCounts.length);
    }

    private void share() {
        if (vertexRoom != null && volumeRoom != null && trainingRoom != null) {
            vertexRoom.share(vertexCounts);
            volumeRoom.share(volumes);
            trainingRoom.share(trainingCounts);
        }
    }

    /** Tells the other parts of the graph what has changed, and takes over their changes. */
    public void exchange() {
        if (exchange == null) {
            return;
        }
        exchange.exchange();
        totalVertices = Arrays.stream(vertexCounts).sum();
        totalVolume = Arrays.stream(volumes).sum();
        findLeastLoaded();
        share();
    }

    /** Returns whether a partition has room for a vertex of this degree, see {@link #limit}. */
    public boolean hasRoom(int partition, int degree) {
        return vertexRoom == null
                || volumeRoom == null
                || vertexCounts[partition] < vertexRoom.cap(partition)
                        && volumes[partition] + degree <= volumeRoom.cap(partition);
    }

    /** Returns whether a partition has more than it may. */
    public boolean isOverfull(int partition) {
        return vertexRoom != null && vertexCounts[partition] > vertexRoom.floor(partition)
                || volumeRoom != null && volumes[partition] > volumeRoom.floor(partition);
    }

    /** Returns whether a partition has more training vertices than it may. */
    public boolean hasTooManyTraining(int partition) {
        return trainingRoom != null && trainingCounts[partition] > trainingRoom.floor(partition);
    }

    /** Counts what partitions hold besides the vertices. */
    public void addOthers(long[] vertices, long[] volumesOfOthers) {
        for (int p = 0; p < vertexCounts.length; p++) {
            vertexCounts[p] += vertices[p];
            volumes[p] += volumesOfOthers[p];
            totalVertices += vertices[p];
            totalVolume += volumesOfOthers[p];
            leastLoaded = isLess(p, leastLoaded) ? p : leastLoaded;
        }
    }

    /** Puts a vertex on a partition, off the one where it may have been. */
    public void put(int vertex, int degree, int partition) {
        int before = partitions[vertex];
        if (before == partition) {
            return;
        }
        partitions[vertex] = partition;
        if (exchange != null && graph != null) {
            if (!GraphPart.isOwn(graph, vertex)) {
                return;
            }
            exchange.moved(vertex);
        }
        boolean isTraining = training.get(vertex);
        trainingCounts[partition] += isTraining ? 1 : 0;
        if (before == NOWHERE) {
            totalVertices++;
            totalVolume += degree;
        } else {
            trainingCounts[before] -= isTraining ? 1 : 0;
            vertexCounts[before]--;
            volumes[before] -= degree;
            if (isLess(before, leastLoaded)) {
                leastLoaded = before;
            }
        }
        vertexCounts[partition]++;
        volumes[partition] += degree;
        if (partition == leastLoaded) {
            findLeastLoaded(); // no other partition has become less loaded than the least
        }
    }

    private void findLeastLoaded() {
        for (int p = 0; p < vertexCounts.length; p++) {
            leastLoaded = isLess(p, leastLoaded) ? p : leastLoaded;
        }
    }

    /** Returns whether a partition comes before another: fewer vertices, or as many and the lower number. */
    public boolean isLess(int one, int other) {
        return vertexCounts[one] < vertexCounts[other] || vertexCounts[one] == vertexCounts[other] && one < other;
    }

    /** Returns whether a vertex is one of those to spread. */
    public boolean isTraining(int vertex) {
        return training.get(vertex);
    }

    /** Training vertices on a partition. */
    public long training(int partition) {
        return trainingCounts[partition];
    }

    /** Training vertices on each partition; a copy. */
    public long[] training() {
        return trainingCounts.clone();
    }

    /** Training vertices that a partition may hold; {@link Long#MAX_VALUE} if there are none to be spread. */
    public long maxTraining() {
        return maxTraining;
    }

    /**
     * The partition with the fewest vertices that has room for a vertex if it is trained on; {@link #leastLoaded} if
     * that one's vertices are at their own cap.
     */
    public int leastLoadedFor(int vertex, double maxVertices) {
        int best = leastLoaded;
        if (!hasTrainingRoom(vertex, leastLoaded)) {
            for (int p = 0; p < vertexCounts.length; p++) {
                if (hasTrainingRoom(vertex, p)
                        && vertexCounts[p] < maxVertices
                        && (best == leastLoaded || isLess(p, best))) {
                    best = p;
                }
            }
        }
        return best;
    }

    /** Returns whether a partition where a vertex is not yet has room for it, if it is trained on. */
    public boolean hasTrainingRoom(int vertex, int partition) {
        return !training.get(vertex)
                || trainingCounts[partition] < (trainingRoom == null ? maxTraining : trainingRoom.cap(partition));
    }

    public int vertexCount() {
        return partitions.length;
    }

    /** The id of a vertex, as the input names it. */
    public long id(int vertex) {
        return ids.applyAsLong(vertex);
    }

    public int partitionCount() {
        return vertexCounts.length;
    }

    /** 0 to k − 1, or {@link #NOWHERE}. */
    public int partition(int vertex) {
        return partitions[vertex];
    }

    /** Vertices on a partition. */
    public long vertices(int partition) {
        return vertexCounts[partition];
    }

    /** Sum of the degrees of a partition's vertices. */
    public long volume(int partition) {
        return volumes[partition];
    }

    /** Vertices that have a place. */
    public long totalVertices() {
        return totalVertices;
    }

    /** Sum of the degrees of the vertices that have a place. */
    public long totalVolume() {
        return totalVolume;
    }

    /** The partition with the fewest vertices; the lowest-numbered of them. */
    public int leastLoaded() {
        return leastLoaded;
    }

    /** The partition of each vertex; a copy. */
    public int[] partitions() {
        return partitions.clone();
    }
}
