package io.cutwater.flink.job.topology;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reference result of a partitioner on edges in memory, without Flink. */
public final class PlainLoop {
    private PlainLoop() {}

    /** The edges of every shard in the order of their placing. */
    static List<List<String>> shards(List<Path> files, PartitionerOptions options) throws IOException {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        VertexTable vertices = new VertexTable(partitioner.layout(options.partitionCount()));
        Placement assigner = new Placement(partitioner, vertices, new PartitionLoads(options.partitionCount()));
        List<EdgeBatch> edges = read(files);
        if (Algorithms.get(PartitioningKind.EDGE, options.algorithm()).isPlacedAsGraph(options)) {
            placeInBulk(edges, options);
        }
        List<List<String>> shards = new ArrayList<>();
        for (int shard = 0; shard < options.partitionCount(); shard++) {
            shards.add(new ArrayList<>());
        }
        PlacedEdges placed = (source, target, weight, timestamp, key, place) ->
                shards.get(Place.ofSource(place)).add(source + " " + target);
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            for (EdgeBatch batch : edges) {
                assigner.accept(batch.setPass(pass), placed);
            }
        }
        assigner.placeHeld(placed);
        return shards;
    }

    private static void placeInBulk(List<EdgeBatch> edges, PartitionerOptions options) throws IOException {
        Path scratch = Files.createTempDirectory("plain-loop");
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null), scratch)) {
            for (EdgeBatch batch : edges) {
                run.add(batch);
            }
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                for (EdgeBatch batch : edges) {
                    places.fill(batch);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a test", e);
        }
    }

    public static String edge(EdgeBatch batch, int i) {
        return batch.source(i) + " " + batch.target(i);
    }

    private static List<EdgeBatch> read(List<Path> files) throws IOException {
        List<EdgeBatch> edges = new ArrayList<>();
        for (Path file : files) {
            try (EdgeFileReader reader = EdgeFiles.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START)) {
                EdgeBatch batch = new EdgeBatch();
                while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                    edges.add(batch);
                    batch = new EdgeBatch();
                }
            }
        }
        return edges;
    }
}
