package io.cutwater.state.bulk;

import io.cutwater.state.disk.DiskGraph;
import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.disk.DiskGraphParts;
import io.cutwater.state.disk.ReadProgress;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.scratch.ScratchWork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bulk passes over a graph in parts, each in a thread of its own. */
final class BulkParts {
    private static final String PLACES = "places-of-part-";

    private final ScratchFolder files;
    private final int count;
    private @Nullable DiskGraphParts graph;

    /** @param count parts and threads */
    BulkParts(ScratchFolder files, int count) {
        this.files = files;
        this.count = count;
    }

    void build(DiskGraphBuilder builder, ReadProgress progress) throws IOException {
        graph = builder.build(progress, count);
    }

    /** Returns the graph of all parts, whose edges can be read. */
    DiskGraph whole() {
        return graph().whole();
    }

    private DiskGraphParts graph() {
        return Objects.requireNonNull(graph, "the graph is not built yet");
    }

    /** Makes the passes of a vertex partitioning, and returns the owner of each vertex. */
    int[] place(VertexPartitioner partitioner, PartitionerOptions options) throws IOException, InterruptedException {
        int[] owners = new int[whole().vertexCount()];
        run(part -> {
            VertexPlacement placement = VertexPassRunner.place(
                    part, partitioner.ofPart(part), options.partitionCount(), options.training());
            for (int v = 0; v < owners.length; v++) {
                if (part.isOwn(v)) {
                    owners[v] = placement.partition(v);
                }
            }
        });
        return owners;
    }

    /** Work in the thread of a part. */
    private interface PartWork {
        void run(GraphPart part) throws IOException;
    }

    private void run(PartWork work) throws IOException, InterruptedException {
        DiskGraphParts parts = graph();
        long[] copies = new long[parts.whole().vertexCount()];
        ThreadExchange.run(count, exchange -> {
            int number = exchange.part();
            ScratchWork.run(() -> work.run(GraphPart.of(parts.part(number), exchange, parts.partOf(), copies)));
            return number;
        });
    }

    /**
     * Makes the passes of an edge partitioning.
     *
     * @param into the places of all edges
     */
    void place(GraphPartitioner partitioner, EdgePlaces into) throws IOException, InterruptedException {
        List<PlacesFile> places = new ArrayList<>();
        try {
            for (int part = 0; part < count; part++) {
                places.add(new PlacesFile(files, PLACES + part));
            }
            run(part -> partitioner.place(part, places.get(part.part())));
            ScratchWork.run(() -> graph().merge(places, into));
        } finally {
            for (PlacesFile file : places) {
                file.close();
            }
        }
    }
}
