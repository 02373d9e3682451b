package io.cutwater.state.bulk;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.DistinctEdges;
import io.cutwater.state.vertex.GraphSize;
import io.cutwater.state.vertex.VertexAssigner;
import io.cutwater.state.vertex.VertexPartitioners;
import io.cutwater.state.vertex.VertexPlacement;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/**
 * Places a whole input in several passes: it is told every edge in order, makes its passes, and then knows the place of
 * each edge for whoever reads the input again. Everything is a function of the input, its order, and the request.
 *
 * <p>The places are in a file of the scratch folder. If the run was {@link #keep kept}, another process that asks for
 * the same in that folder finds them, and neither adds edges nor waits for passes.
 */
public final class BulkRun implements Closeable {
    private static final String PLACES = "places";
    private static final String COMPLETE = "complete";

    private final BulkRequest request;
    private final Path scratch;
    private final EdgeBatch edges = new EdgeBatch();
    private long edgeCount;
    private boolean isComplete;
    private boolean isKept;

    private BulkRun(BulkRequest request, Path scratch) {
        this.request = request;
        this.scratch = scratch;
    }

    /**
     * Begins a run, or takes up one that is complete.
     *
     * @param scratch a folder of its own on local disk; what an incomplete run left there is overwritten
     * @throws IOException if the folder holds a complete run of another request
     */
    public static BulkRun create(BulkRequest request, Path scratch) throws IOException {
        Files.createDirectories(scratch);
        BulkRun run = new BulkRun(request, scratch);
        Path complete = scratch.resolve(COMPLETE);
        if (Files.exists(complete)) {
            List<String> lines = Files.readAllLines(complete);
            if (lines.size() != 2 || !lines.get(0).equals(request.fingerprint())) {
                throw new IOException("the folder %s holds the places of another run (%s): give an empty one"
                        .formatted(scratch, lines.isEmpty() ? "unknown" : lines.get(0)));
            }
            run.edgeCount = Long.parseLong(lines.get(1));
            run.isComplete = true;
        }
        return run;
    }

    /** Whether every edge has its place: after {@link #place}, or from the start if a complete run was taken up. */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Tells of the next edges of the input.
     *
     * @throws IllegalStateException if the run is complete
     */
    public void add(EdgeBatch batch) throws IOException {
        if (isComplete) {
            throw new IllegalStateException("the run is complete: it takes no more edges");
        }
        edges.addAll(batch);
        edgeCount += batch.size();
    }

    /**
     * Makes all passes. Does nothing if the run is complete.
     *
     * @throws InterruptedException soon after the thread was interrupted
     */
    public void place(BulkProgress progress) throws IOException, InterruptedException {
        if (isComplete) {
            return;
        }
        progress.passed("place", 0);
        int[] places = new int[edges.size()];
        Arrays.fill(places, EdgeBatch.NO_PLACE);
        EdgeBatch distinct = new EdgeBatch();
        int[] numbers = new int[edges.size()];
        DistinctEdges filter = request.dedupe() == null ? null : DistinctEdges.inMemory(request.dedupe());
        EdgeBatch one = new EdgeBatch(1);
        for (int i = 0; i < edges.size(); i++) {
            one.clear();
            one.add(edges.source(i), edges.target(i));
            if (filter == null || filter.of(one).size() == 1) {
                numbers[distinct.size()] = i;
                distinct.add(edges.source(i), edges.target(i));
            }
        }
        int[] ofDistinct = request.kind() == PartitioningKind.EDGE ? edgePlaces(distinct) : ownerPairs(distinct);
        for (int i = 0; i < ofDistinct.length; i++) {
            places[numbers[i]] = ofDistinct[i];
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("the bulk run was interrupted");
        }
        write(places);
        isComplete = true;
        progress.passed("place", 1);
    }

    private static AdjacencyGraph graph(EdgeBatch edges) {
        AdjacencyGraph unsorted = AdjacencyGraph.of(edges);
        long[] vertices = new long[unsorted.vertexCount()];
        Arrays.setAll(vertices, unsorted::vertex);
        Arrays.sort(vertices);
        return AdjacencyGraph.of(vertices, edges);
    }

    private int[] edgePlaces(EdgeBatch edges) {
        double slack = 1 + BulkAlgorithms.IMBALANCE.of(request.options());
        return BulkEdgePlacement.place(
                graph(edges),
                new BulkEdgeOptions(
                        request.options().partitionCount(),
                        slack,
                        request.options().seed()));
    }

    private int[] ownerPairs(EdgeBatch edges) {
        AdjacencyGraph graph = graph(edges);
        VertexPlacement placement = VertexAssigner.place(
                graph,
                VertexPartitioners.create(request.options(), new GraphSize(graph.vertexCount(), graph.edgeCount())),
                request.options().partitionCount());
        int[] pairs = new int[graph.edgeCount()];
        Arrays.setAll(
                pairs, i -> OwnerPair.of(placement.partition(graph.source(i)), placement.partition(graph.target(i))));
        return pairs;
    }

    private void write(int[] places) throws IOException {
        try (DataOutputStream file =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(scratch.resolve(PLACES))))) {
            for (int place : places) {
                file.writeInt(place);
            }
        }
        Path unfinished = scratch.resolve(COMPLETE + ".tmp");
        Files.write(unfinished, List.of(request.fingerprint(), Long.toString(edgeCount)));
        Files.move(unfinished, scratch.resolve(COMPLETE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Edges of the input so far, duplicates counted. */
    public long edgeCount() {
        return edgeCount;
    }

    /**
     * The places of the edges in the order of {@link #add}.
     *
     * @param fromEdge the number of the first edge that is asked for, 0 to {@link #edgeCount}
     * @throws IllegalStateException if the run is not complete
     */
    public PlacedInput places(long fromEdge) throws IOException {
        if (!isComplete) {
            throw new IllegalStateException("the run is not complete: place() comes first");
        }
        return new PlacedInput(scratch.resolve(PLACES), fromEdge);
    }

    /** Leaves the places in the folder when this is closed, if the run is complete by then. */
    public void keep() {
        isKept = true;
    }

    /** Deletes the scratch folder with all that is in it; not what was {@link #keep kept}. */
    @Override
    public void close() throws IOException {
        if (isComplete && isKept) {
            return;
        }
        for (String name : List.of(COMPLETE, COMPLETE + ".tmp", PLACES)) {
            Files.deleteIfExists(scratch.resolve(name));
        }
        try {
            Files.deleteIfExists(scratch);
        } catch (DirectoryNotEmptyException e) {
            // What else is in there is not ours.
        }
    }
}
