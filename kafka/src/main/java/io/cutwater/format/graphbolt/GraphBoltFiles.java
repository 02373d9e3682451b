package io.cutwater.format.graphbolt;

import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.format.npy.NpyTables;
import io.cutwater.format.table.DenseGraph;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.vertex.VertexArrays;
import io.cutwater.format.vertex.VertexDataFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes datasets for GraphBolt's {@code OnDiskDataset} beside the tables as NumPy arrays: one of the whole graph, and
 * one of each shard in the shard's own folder, which shares the arrays that are there. Nodes and edges have no type
 * (DGL user guide, "Composing OnDiskDataset from raw data").
 *
 * <pre>
 *   graphbolt/metadata.yaml
 *   graphbolt/edges.npy                 int64 [2, m], dense ids; each edge of the input once
 *   graphbolt/node_ids.npy              int64 [n], the vertex of each dense id
 *   graphbolt/owners.npy                int64 [n], the shard that owns it
 *   graphbolt/weights.npy               float64 [m], only if any edge has one; timestamps.npy likewise, int64
 *   graphbolt/features.npy              and labels.npy, split.npy: see {@link VertexDataFiles}
 *   graphbolt/train-nodes.npy           int64 [t], and train-labels.npy; val and test likewise: see {@link NodeSets}
 *   shards/00000/metadata.yaml          only for a shard with edges
 *   shards/00000/local-edges.npy        int64 [2, m], rows of vertices.npy
 *   shards/00000/train-nodes.npy        int64 [t], rows of vertices.npy that are masters or owned
 * </pre>
 */
public final class GraphBoltFiles {
    private static final String ROOT = "graphbolt/";
    private static final String VERTICES = "vertices.npy";

    private final OutputFiles out;
    private final List<StagedShard> shards;
    private final long vertexCount;
    private final @Nullable VertexShape shape;

    /**
     * @param vertexCount the number of vertices, which the header of an array needs before the first one
     * @param shape of the data that {@link #nodeData} has taken; null for none
     */
    public GraphBoltFiles(OutputFiles out, List<StagedShard> shards, long vertexCount, @Nullable VertexShape shape) {
        this.out = out;
        this.shards = shards;
        this.vertexCount = vertexCount;
        this.shape = shape;
    }

    /** Opens the arrays of the data of all vertices, in the order of their dense ids. */
    public static VertexArrays nodeData(OutputFiles out, long vertexCount, VertexShape shape) throws IOException {
        return new VertexArrays(out, ROOT, vertexCount, shape.featureCount(), shape.hasLabels(), shape.hasSplit());
    }

    /**
     * Writes the datasets when tables and vertex data are complete.
     *
     * @param scratch a folder for spill files
     */
    public void write(Path scratch) throws IOException {
        int classes =
                shape != null && shape.hasLabels() ? NodeSets.classes(out.path(ROOT + VertexDataFiles.LABELS)) : 0;
        writeGraph(scratch, classes);
        for (StagedShard shard : shards) {
            if (shard.edges() > 0) {
                writeShard(shard, scratch, classes);
            }
        }
    }

    private void writeGraph(Path scratch, int classes) throws IOException {
        long edgeCount = shards.stream().mapToLong(StagedShard::firstEdges).sum();
        try (HashedFile ids = out.create(ROOT + "node_ids.npy");
                HashedFile owners = out.create(ROOT + "owners.npy")) {
            ids.write(NpyFile.header(NpyFile.INT64, vertexCount));
            owners.write(NpyFile.header(NpyFile.INT64, vertexCount));
            ByteBuffer number = NpyFile.allocate(1);
            try (DenseGraph graph = new DenseGraph(shards, false, scratch, ExternalSort.RUN_PAIRS, (vertex, owner) -> {
                ids.write(number.clear().putLong(vertex).flip());
                owners.write(number.clear().putLong(owner).flip());
            })) {
                check(graph, vertexCount, "the partition book");
                writeEdges(ROOT + "edges.npy", graph, edgeCount);
            }
        }
        DatasetYaml yaml = new DatasetYaml(out.runId(), vertexCount, "edges.npy")
                .feature("node", "vertex", "node_ids.npy")
                .feature("node", "owner", "owners.npy");
        if (shards.get(0).hasWeights()) {
            writeAttribute("weights.npy", NpyFile.FLOAT64, EdgeFrames.WEIGHTS);
        }
        if (shards.get(0).hasTimestamps()) {
            writeAttribute("timestamps.npy", NpyFile.INT64, EdgeFrames.TIMESTAMPS);
        }
        writeData(ROOT, yaml, null, classes);
    }

    private void writeAttribute(String name, String type, int attribute) throws IOException {
        try (HashedFile file = out.create(ROOT + name)) {
            NpyTables.writeAttributes(file, type, shards, attribute, false);
        }
    }

    private void writeShard(StagedShard shard, Path scratch, int classes) throws IOException {
        String folder = OutputFiles.shard(shard.shard());
        long vertices;
        try (NpyFile table = new NpyFile(out.path(folder + VERTICES), NpyFile.INT64)) {
            vertices = table.rows();
        }
        // Both the table and the dense ids are in the order of the vertices, so a dense id is a row of the table.
        try (DenseGraph graph =
                new DenseGraph(List.of(shard), true, scratch, ExternalSort.RUN_PAIRS, (vertex, owner) -> {})) {
            check(graph, vertices, folder + VERTICES);
            writeEdges(folder + "local-edges.npy", graph, shard.edges());
        }
        DatasetYaml yaml = new DatasetYaml(out.runId() + "-shard-" + shard.shard(), vertices, "local-edges.npy")
                .feature("node", "vertex", VERTICES);
        writeData(folder, yaml, out.path(folder + VERTICES), classes);
    }

    private static void check(DenseGraph graph, long vertices, String table) throws IOException {
        if (graph.vertexCount() != vertices) {
            throw new IOException(
                    "the edges have %d vertices, and %s has %d".formatted(graph.vertexCount(), table, vertices));
        }
    }

    private void writeEdges(String name, DenseGraph graph, long edgeCount) throws IOException {
        try (HashedFile file = out.create(name)) {
            file.write(NpyFile.header(NpyFile.INT64, 2, edgeCount));
            ByteBuffer id = NpyFile.allocate(1);
            graph.edges()
                    .next(
                            edgeCount,
                            (source, target) ->
                                    file.write(id.clear().putLong(source).flip()));
            graph.edges()
                    .next(
                            edgeCount,
                            (source, target) ->
                                    file.write(id.clear().putLong(target).flip()));
        }
    }

    /** @param vertices the table with the roles of the vertices; null if all are the dataset's own */
    private void writeData(String folder, DatasetYaml yaml, @Nullable Path vertices, int classes) throws IOException {
        if (shards.get(0).hasWeights()) {
            yaml.feature("edge", "weight", "weights.npy");
        }
        if (shards.get(0).hasTimestamps()) {
            yaml.feature("edge", "timestamp", "timestamps.npy");
        }
        if (shape != null && shape.featureCount() > 0) {
            yaml.feature("node", "feat", VertexDataFiles.FEATURES);
        }
        if (shape != null && shape.hasLabels()) {
            yaml.feature("node", "label", VertexDataFiles.LABELS);
        }
        if (shape != null && shape.hasLabels() && shape.hasSplit()) {
            yaml.task(classes, new NodeSets(out, folder, vertices).write());
        }
        try (HashedFile file = out.create(folder + "metadata.yaml")) {
            file.write(yaml.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
