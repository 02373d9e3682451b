package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.disk.DiskGraph;
import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.disk.RowMarks;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.BulkRule;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/**
 * One part of a bulk run whose parts are in different tasks. Each reads a piece of the input, and makes the passes over
 * the vertices whose ids hash to it, as vertex tables do when they plan together.
 */
final class DealtRun implements Closeable {
    private final BulkRequest request;
    private final ScratchFolder files;
    private final Exchange exchange;
    private final DealtRows rows;
    private final DiskGraphBuilder builder;
    private long unknownRemovals;

    DealtRun(BulkRequest request, ScratchFolder files, Exchange exchange) throws IOException {
        this.request = request;
        this.files = files;
        this.exchange = exchange;
        rows = new DealtRows(files, exchange);
        builder = new DiskGraphBuilder(files, null);
    }

    void add(EdgeBatch batch) throws IOException {
        rows.add(batch);
    }

    /** Makes the passes, and writes the places of the own piece. */
    void place(BulkProgress progress, Path into) throws IOException {
        rows.finish(builder);
        DiskGraph graph = builder.build(progress::passed);
        GraphPart part = new GraphPart(graph, exchange, rows::partOf);
        PartitionerOptions options = request.options();
        // Without a size: the rule of a vertex partitioning makes one for each part.
        BulkRule rule = Algorithms.of(options).bulkRule(options, new GraphSize(0, 0));
        if (rule instanceof VertexPartitioner partitioner) {
            int[] owners = VertexPassRunner.place(
                            part, partitioner.ofPart(part), options.partitionCount(), options.training())
                    .partitions();
            part.share(owners);
            giveBack(graph, into, Integer.BYTES, (source, target) -> Place.of(owners[source], owners[target]));
            return;
        }
        try (PlacesFile places = new PlacesFile(files, "places-of-part")) {
            ((GraphPartitioner) rule).place(part, places);
            try (EdgePlaces.Pass pass = places.pass()) {
                // The edges of other parts have no place here, and nobody asks for it.
                IntSupplier next = pass::next;
                giveBack(
                        graph,
                        into,
                        Short.BYTES,
                        (source, target) -> part.isOwn(source) ? next.getAsInt() : EdgePlaces.NONE);
            }
        }
    }

    /** Returns the place of the next edge of the graph. */
    private interface NextPlace {
        int of(int source, int target);
    }

    private void giveBack(DiskGraph graph, Path into, int bytesPerPlace, NextPlace places) throws IOException {
        try (RowMarks marks = graph.marks();
                EdgePass edges = graph.edges();
                ReturnedPlaces ofPiece = rows.giveBack(() -> {
                    int mark = marks.next();
                    if (mark != RowMarks.KEPT) {
                        return mark;
                    }
                    edges.next();
                    return places.of(edges.source(), edges.target());
                })) {
            ofPiece.write(into, bytesPerPlace);
            unknownRemovals = ofPiece.unknownRemovals();
        }
    }

    /** Returns the removals of the own piece that found nothing, after {@link #place}. */
    long unknownRemovals() {
        return unknownRemovals;
    }

    @Override
    public void close() throws IOException {
        try (DealtRows first = rows;
                DiskGraphBuilder second = builder) {
            // That is all.
        }
    }
}
