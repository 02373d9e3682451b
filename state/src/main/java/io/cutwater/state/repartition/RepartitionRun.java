package io.cutwater.state.repartition;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.disk.DiskGraph;
import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.scratch.ScratchWork;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plans another placement for a graph that has one: it is told every edge with its place, makes passes over them, and
 * then knows which edges (or vertices) move where. The plan is a function of the request, the edges and their order.
 *
 * <p>Memory is that of a {@link io.cutwater.state.bulk.BulkRun}: arrays by vertex, and counts by replica; edges are in
 * files of the scratch folder.
 */
public final class RepartitionRun implements Closeable {
    private static final String MOVES = "moves";
    private static final String OWNERS = "owners";

    private final RepartitionRequest request;
    private final Path folder;
    private final ScratchFolder files;
    private final PlacesFile present;
    private final @Nullable PlacesFile presentOfTargets; // in a vertex partitioning: owners of the other ends
    private EdgePlaces.@Nullable Pass places;
    private EdgePlaces.@Nullable Pass placesOfTargets;
    private @Nullable DiskGraphBuilder builder;
    private final @Nullable PartOfRun part;
    private final @Nullable Mirrors mirrors;
    private final @Nullable MoveLog owners; // of a part of a vertex partitioning: from where to where its vertices stay
    private long moves = -1;

    /** What makes a run a part of one. */
    record PartOfRun(Exchange exchange, LongToIntFunction owner) {
        GraphPart of(DiskGraph graph) {
            return new GraphPart(graph, exchange, owner);
        }
    }

    private RepartitionRun(RepartitionRequest request, Path folder, @Nullable PartOfRun part) throws IOException {
        this.request = request;
        this.folder = folder;
        this.part = part;
        files = new ScratchFolder(folder);
        files.clear();
        builder = new DiskGraphBuilder(files, null);
        mirrors = part == null ? null : new Mirrors(files, part);
        present = new PlacesFile(files, "present");
        places = present.pass();
        if (request.options().kind().hasOwners()) {
            presentOfTargets = new PlacesFile(files, "present-of-targets");
            placesOfTargets = presentOfTargets.pass();
        } else {
            presentOfTargets = null;
        }
        owners = part != null && presentOfTargets != null ? new MoveLog(files.file(OWNERS)) : null;
    }

    /**
     * Begins a run.
     *
     * @param scratch a folder of its own on local disk; scratch files that are there are deleted
     */
    public static RepartitionRun create(RepartitionRequest request, Path scratch) throws IOException {
        return new RepartitionRun(request, scratch, null);
    }

    /**
     * Begins a part of a run. The parts plan together, each with the edges whose sources are its own, and each has the
     * moves of these. The plan is a function of the request, the edges of each part and their order.
     *
     * @param exchange with the other parts
     * @param owner the part of each vertex
     */
    public static RepartitionRun create(
            RepartitionRequest request, Path scratch, Exchange exchange, LongToIntFunction owner) throws IOException {
        return new RepartitionRun(request, scratch, new PartOfRun(exchange, owner));
    }

    /**
     * Adds edges, each with its current place ({@link EdgeBatch#place}): its partition, or the owners of its ends. Of
     * several owners that edges name for one vertex, the last holds. Edges of a part of a vertex partitioning need no
     * places, see {@link #own}.
     *
     * @throws IllegalArgumentException if an edge has no place, or one beyond the partitions there are now
     * @throws IllegalStateException if the plan is made
     */
    public void add(EdgeBatch edges) throws IOException {
        if (builder == null || places == null) {
            throw new IllegalStateException("the plan is made: it takes no more edges");
        }
        builder.add(edges);
        if (mirrors != null) {
            mirrors.add(edges);
        }
        for (int i = 0; i < edges.size() && owners == null; i++) {
            int place = edges.place(i);
            if (place < 0) {
                throw new IllegalArgumentException(
                        "edge (%d, %d) has no place".formatted(edges.source(i), edges.target(i)));
            }
            set(places, Place.ofSource(place));
            if (placesOfTargets != null) {
                set(placesOfTargets, Place.ofTarget(place));
            }
        }
    }

    private void set(EdgePlaces.Pass pass, int place) {
        requireThere(place);
        pass.next();
        pass.set(place);
    }

    private void requireThere(int place) {
        if (place >= request.partitionsBefore()) {
            throw new IllegalArgumentException("a place must be below the %d partitions there are: %d"
                    .formatted(request.partitionsBefore(), place));
        }
    }

    /**
     * Says who owns a vertex of a part of a vertex partitioning. One of which nothing is said counts as a neighbour's.
     *
     * @param owner 0 to k − 1
     */
    public void own(long vertex, int owner) throws IOException {
        if (owners == null || moves >= 0) {
            throw new IllegalStateException("owners are told to a part of a vertex partitioning, before the plan");
        }
        requireThere(owner);
        owners.add(vertex, vertex, owner, owner);
    }

    /**
     * Makes the plan, once.
     *
     * @throws IOException if there is too little room in the scratch folder, or if it cannot be read
     * @throws InterruptedException soon after the thread was interrupted
     */
    public RepartitionPlan plan(BulkProgress progress) throws IOException, InterruptedException {
        DiskGraphBuilder edges = builder;
        if (edges == null || places == null) {
            throw new IllegalStateException("the plan is made: there is one of each run");
        }
        builder = null;
        places.close();
        places = null;
        RepartitionPlan[] plan = new RepartitionPlan[1];
        ScratchWork.run(() -> {
            if (mirrors != null) {
                mirrors.exchange(edges);
            }
            DiskGraph graph = edges.build(progress::passed);
            try (MoveLog log = new MoveLog(files.file(MOVES))) {
                BoundedGraph known = part == null ? graph : part.of(graph);
                plan[0] = presentOfTargets == null
                        ? EdgeRepartition.plan(request, known, present, files, log)
                        : VertexRepartition.plan(request, known, owners(known, presentOfTargets), log);
                moves = log.moves();
            }
        });
        return plan[0];
    }

    private int[] owners(BoundedGraph graph, PlacesFile ofTargets) throws IOException {
        GraphPart ofParts = GraphPart.of(graph);
        if (ofParts != null && owners != null) {
            return VertexRepartition.ofAll(ofParts, told(ofParts, owners));
        }
        if (placesOfTargets != null) {
            placesOfTargets.close();
            placesOfTargets = null;
        }
        return VertexRepartition.owners(graph, present, ofTargets);
    }

    /** Returns the owners that were told, the last of each vertex. */
    private int[] told(GraphPart graph, MoveLog log) throws IOException {
        log.close();
        int[] told = new int[graph.vertexCount()];
        Arrays.fill(told, VertexPlacement.NOWHERE);
        try (Moves stay = new MoveLog.Reader(files.file(OWNERS), log.moves())) {
            while (stay.next()) {
                int slot = slot(graph, stay.source());
                if (slot >= 0) { // else it has lost its edges
                    told[slot] = stay.to();
                }
            }
        }
        return told;
    }

    /** Returns the slot of a vertex, as slots are in the order of the ids; negative if there is none. */
    private static int slot(GraphPart graph, long vertex) {
        int low = 0;
        int high = graph.vertexCount() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            long found = graph.vertex(middle);
            if (found == vertex) {
                return middle;
            }
            low = found < vertex ? middle + 1 : low;
            high = found < vertex ? high : middle - 1;
        }
        return VertexPlacement.NOWHERE;
    }

    /**
     * The moves of the plan, in the order in which they are to be made, the best first.
     *
     * @throws IllegalStateException if there is no plan yet
     */
    public Moves moves() throws IOException {
        if (moves < 0) {
            throw new IllegalStateException("there is no plan: plan() comes first");
        }
        return new MoveLog.Reader(files.file(MOVES), moves);
    }

    /** Deletes the scratch folder with all that is in it. */
    @Override
    public void close() throws IOException {
        if (builder != null) {
            builder.close();
        }
        present.close();
        if (presentOfTargets != null) {
            presentOfTargets.close();
        }
        if (mirrors != null) {
            mirrors.close();
        }
        if (owners != null) {
            owners.close();
        }
        files.clear();
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // What else is in there is not ours.
        }
    }
}
