package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.disk.DiskGraph;
import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.disk.RowMarks;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.disk.places.PlacesWriter;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.BulkRule;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.scratch.DurableFile;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.scratch.ScratchWork;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Places a whole input in several passes. After all edges were added in order and the passes are done, it returns the
 * place of each edge to a second reading of the input. The result is a function of the input, its order, and the
 * request, and does not depend on how threads are scheduled.
 *
 * <p>The places are in a file of the scratch folder. If the run was {@link #keep kept}, another process with the same
 * request and folder finds them and skips all passes.
 */
public final class BulkRun implements Closeable {
    private static final String PLACES = "places";

    private final BulkRequest request;
    private final Path folder;
    private final ScratchFolder files;
    private String fingerprint = "";
    private @Nullable DiskGraphBuilder builder;
    private @Nullable DealtRun dealt;
    private long edgeCount;
    private long unknownRemovals;
    private boolean isComplete;
    private boolean isKept;

    private BulkRun(BulkRequest request, Path folder) throws IOException {
        this.request = request;
        this.folder = folder;
        files = new ScratchFolder(folder);
    }

    /**
     * Begins a run, or opens a complete one.
     *
     * @param scratch a folder of its own on local disk; what an incomplete run left there is overwritten
     * @throws IOException if the folder holds a complete run of another request
     */
    public static BulkRun create(BulkRequest request, Path scratch) throws IOException {
        BulkRun run = new BulkRun(request, scratch);
        if (!run.open(request.fingerprint())) {
            run.builder = new DiskGraphBuilder(run.files, request.dedupe());
        }
        return run;
    }

    /**
     * Begins a part of a run whose parts are in different tasks, each of which has a piece of the input. All parts take
     * the same steps. The places are a function of the request, the pieces and their order. A complete part is opened
     * if all are complete.
     *
     * @param request with as many parts as the exchange has
     * @param scratch a folder of the part's own
     * @throws IOException as {@link #create(BulkRequest, Path)}, or if another part has failed
     */
    public static BulkRun create(BulkRequest request, Path scratch, Exchange exchange) throws IOException {
        request.requireDealing(exchange.parts());
        BulkRun run = new BulkRun(request, scratch);
        boolean isComplete = run.open("%s in tasks, %d".formatted(request.fingerprint(), exchange.part()));
        long[][] flags = new long[exchange.parts()][];
        Arrays.fill(flags, new long[] {isComplete ? 1 : 0});
        if (Arrays.stream(exchange.exchange(flags)).anyMatch(flag -> flag[0] == 0)) {
            run.isComplete = false;
            run.edgeCount = 0;
            run.unknownRemovals = 0;
            run.dealt = new DealtRun(request, run.files, exchange);
        }
        return run;
    }

    /** Opens what a complete run has left; returns whether there is one. */
    private boolean open(String name) throws IOException {
        fingerprint = name;
        files.clear();
        CompleteMark mark = CompleteMark.read(folder, name);
        if (mark != null) {
            edgeCount = mark.edgeCount();
            unknownRemovals = mark.unknownRemovals();
            isComplete = true;
        }
        return isComplete;
    }

    /**
     * Returns whether every edge has its place: after {@link #place}, or from the start if a complete run was taken up.
     */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Adds the next edges of the input. A removal removes the oldest present copy of its edge; neither is placed. With
     * {@link BulkRequest#dedupe}, an edge has at most one copy, and one after its removal is new.
     *
     * @throws IllegalStateException if the run is complete
     */
    public void add(EdgeBatch batch) throws IOException {
        if (dealt != null) {
            dealt.add(batch);
        } else {
            builder().add(batch);
        }
        edgeCount += batch.size();
    }

    private DiskGraphBuilder builder() {
        if (builder == null) {
            throw new IllegalStateException("the run is complete: it takes no more edges");
        }
        return builder;
    }

    /**
     * Makes all passes of a request without given places. Does nothing if the run is complete.
     *
     * @throws IOException if there is too little room in the scratch folder, or if it cannot be read
     * @throws InterruptedException soon after the thread was interrupted
     */
    public void place(BulkProgress progress) throws IOException, InterruptedException {
        place(progress, null);
    }

    /**
     * Makes all passes.
     *
     * @param given the places that the request names; null for none
     */
    public void place(BulkProgress progress, @Nullable GivenPlaces given) throws IOException, InterruptedException {
        if ((given == null) != (request.given() == null)) {
            throw new IllegalArgumentException("the request names given places, or the call has some, but not both");
        }
        if (isComplete) {
            return;
        }
        DealtRun part = dealt;
        if (part != null) {
            ScratchWork.run(() -> part.place(progress, folder.resolve(PLACES)));
            unknownRemovals = part.unknownRemovals();
            part.close();
            dealt = null;
        } else if (request.parts() > 1) {
            placeParts(progress);
        } else {
            placeWhole(progress, given);
        }
        files.clear();
        try (Stream<Path> kept = Files.list(folder)) {
            for (Path file : kept.filter(Files::isRegularFile).toList()) {
                DurableFile.force(file);
            }
        }
        new CompleteMark(edgeCount, unknownRemovals).write(folder, fingerprint);
        isComplete = true;
    }

    private void placeWhole(BulkProgress progress, @Nullable GivenPlaces given)
            throws IOException, InterruptedException {
        ScratchWork.run(() -> {
            DiskGraph graph = builder().build(progress::passed);
            take(graph);
            GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
            BulkRule rule = given == null
                    ? Algorithms.of(request.options()).bulkRule(request.options(), size)
                    : given.rule(request.options(), size);
            if (rule instanceof VertexPartitioner partitioner) {
                placeVertices(graph, partitioner);
            } else if (rule instanceof GraphPartitioner partitioner) {
                placeEdges(graph, partitioner);
            }
        });
    }

    private void take(DiskGraph graph) {
        builder = null;
        unknownRemovals = graph.unknownRemovals();
    }

    private void placeEdges(DiskGraph graph, GraphPartitioner partitioner) throws IOException {
        try (PlacesFile places = new PlacesFile(files, PLACES)) {
            partitioner.place(graph, places);
            keep(graph, places);
        }
    }

    private void keep(DiskGraph graph, PlacesFile places) throws IOException {
        if (graph.edgeCount() == edgeCount) {
            places.keepAs(folder.resolve(PLACES));
            return;
        }
        try (EdgePlaces.Pass pass = places.pass()) {
            writePlaces(graph, Short.BYTES, pass::next);
        }
    }

    private void placeParts(BulkProgress progress) throws IOException, InterruptedException {
        BulkParts parts = new BulkParts(files, request.parts());
        ScratchWork.run(() -> {
            parts.build(builder(), progress::passed);
            take(parts.whole());
        });
        // Without a size: the rule of a vertex partitioning makes one for each part.
        BulkRule rule = Algorithms.of(request.options()).bulkRule(request.options(), new GraphSize(0, 0));
        if (rule instanceof VertexPartitioner partitioner) {
            int[] owners = parts.place(partitioner, request.options());
            ScratchWork.run(() -> writeOwners(parts.whole(), owners));
            return;
        }
        GraphPartitioner partitioner = (GraphPartitioner) rule;
        try (PlacesFile places = new PlacesFile(files, PLACES)) {
            parts.place(partitioner, places);
            ScratchWork.run(() -> {
                partitioner.finish(parts.whole(), places);
                keep(parts.whole(), places);
            });
        }
    }

    private void placeVertices(DiskGraph graph, VertexPartitioner partitioner) throws IOException {
        PartitionerOptions options = request.options();
        VertexPlacement owners =
                VertexPassRunner.place(graph, partitioner, options.partitionCount(), options.training());
        writeOwners(graph, owners.partitions());
    }

    private void writeOwners(DiskGraph graph, int[] owners) throws IOException {
        try (EdgePass edges = graph.edges()) {
            writePlaces(graph, Integer.BYTES, () -> {
                edges.next();
                return Place.of(owners[edges.source()], owners[edges.target()]);
            });
        }
    }

    /** Writes a place for each row of the input: what {@link RowMarks} says of those that are no edges of the graph. */
    private void writePlaces(DiskGraph graph, int bytesPerPlace, IntSupplier next) throws IOException {
        try (PlacesWriter places = new PlacesWriter(files, PLACES + "-of-input", bytesPerPlace);
                RowMarks marks = graph.marks()) {
            for (long i = 0; i < edgeCount; i++) {
                int mark = marks.next();
                places.write(mark == RowMarks.KEPT ? next.getAsInt() : mark);
            }
            places.keepAs(folder.resolve(PLACES));
        }
    }

    /** Rows of the input so far, duplicates and removals counted. */
    public long edgeCount() {
        return edgeCount;
    }

    /** Removals of edges that were not there when they came; known when the run is complete. */
    public long unknownRemovals() {
        return unknownRemovals;
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
        int bytesPerPlace = request.options().kind().hasOwners() ? Integer.BYTES : Short.BYTES;
        return new PlacedInput(folder.resolve(PLACES), bytesPerPlace, fromEdge);
    }

    /** Leaves the places in the folder when this is closed, if the run is complete by then. */
    public void keep() {
        isKept = true;
    }

    /** Deletes the scratch folder with all that is in it; not what was {@link #keep kept}. */
    @Override
    public void close() throws IOException {
        if (builder != null) {
            builder.close();
        }
        if (dealt != null) {
            dealt.close();
        }
        files.clear();
        if (isComplete && isKept) {
            return;
        }
        CompleteMark.delete(folder);
        Files.deleteIfExists(folder.resolve(PLACES));
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // What else is in there is not ours.
        }
    }
}
