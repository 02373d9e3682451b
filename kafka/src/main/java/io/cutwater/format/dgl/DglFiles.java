package io.cutwater.format.dgl;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.csv.CsvRows;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.format.npy.NpyTables;
import io.cutwater.format.table.DenseGraph;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.StagedShard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the input of DGL's {@code dispatch_data.py}: a chunked graph with one chunk per shard, and the partition of
 * each node (DGL user guide, 7.1 "Data Preprocessing"). The graph has one node type {@code _N} and one edge type, the
 * names that DGL gives to a graph without types.
 *
 * <pre>
 *   dgl/metadata.json                   what the files hold
 *   dgl/edges/00000.txt                 edges of shard 0, two dense ids with a blank between, in the shard's order; of a
 *                                       vertex partitioning those whose source it owns
 *   dgl/edge_data/weight-00000.npy      float64 [m], only if any edge has one; NaN for none
 *   dgl/edge_data/timestamp-00000.npy   int64 [m], only if any edge has one; −2^63 for none
 *   dgl/node_ids.npy                    int64 [n], the vertex of each dense id
 *   dgl/node_data/…                     see {@link DglNodeData}
 *   dgl/partitions/_N.txt               the owner of each dense id, one on a line
 *   dgl/partitions/partition_meta.json
 * </pre>
 */
public final class DglFiles {
    static final String ROOT = "dgl/";
    private static final String NODE_TYPE = "_N";
    private static final String EDGE_TYPE = "_N:_E:_N";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OutputFiles out;
    private final List<StagedShard> shards;
    private final long vertexCount;
    private final @Nullable VertexShape shape;

    /**
     * @param vertexCount the number of vertices, which the header of an array needs before the first one
     * @param shape of the data that {@link DglNodeData} has written; null for none
     */
    public DglFiles(OutputFiles out, List<StagedShard> shards, long vertexCount, @Nullable VertexShape shape) {
        this.out = out;
        this.shards = shards;
        this.vertexCount = vertexCount;
        this.shape = shape;
    }

    /** @param scratch a folder for spill files */
    public void write(Path scratch) throws IOException {
        try (HashedFile nodeIds = out.create(ROOT + "node_ids.npy");
                HashedFile partitions = out.create(ROOT + "partitions/" + NODE_TYPE + ".txt")) {
            nodeIds.write(NpyFile.header(NpyFile.INT64, vertexCount));
            ByteBuffer id = NpyFile.allocate(1);
            CsvRows owners = new CsvRows(partitions);
            try (DenseGraph graph = new DenseGraph(shards, false, scratch, ExternalSort.RUN_PAIRS, (vertex, owner) -> {
                nodeIds.write(id.clear().putLong(vertex).flip());
                owners.number(owner);
                owners.endRow();
            })) {
                owners.drain();
                if (graph.vertexCount() != vertexCount) {
                    throw new IOException("the edges have %d vertices, and the partition book has %d"
                            .formatted(graph.vertexCount(), vertexCount));
                }
                writeEdges(graph);
            }
        }
        writeAttributes();
        writeJson("partitions/partition_meta.json", partitionMeta());
        writeJson("metadata.json", metadata());
    }

    private void writeEdges(DenseGraph graph) throws IOException {
        DenseGraph.Edges edges = graph.edges();
        for (int shard = 0; shard < shards.size(); shard++) {
            try (HashedFile file = out.create(ROOT + edgesName(shard))) {
                CsvRows rows = new CsvRows(file);
                edges.next(shards.get(shard).firstEdges(), (source, target) -> {
                    rows.number(source);
                    rows.separator(' ');
                    rows.number(target);
                    rows.endRow();
                });
                rows.drain();
            }
        }
    }

    private static String edgesName(int shard) {
        return "edges/%05d.txt".formatted(shard);
    }

    private static String attributeName(String attribute, int shard) {
        return "edge_data/%s-%05d.npy".formatted(attribute, shard);
    }

    private void writeAttributes() throws IOException {
        for (int shard = 0; shard < shards.size(); shard++) {
            StagedShard edges = shards.get(shard);
            if (edges.hasWeights()) {
                try (HashedFile file = out.create(ROOT + attributeName("weight", shard))) {
                    NpyTables.writeAttributes(file, NpyFile.FLOAT64, List.of(edges), EdgeFrames.WEIGHTS, false);
                }
            }
            if (edges.hasTimestamps()) {
                try (HashedFile file = out.create(ROOT + attributeName("timestamp", shard))) {
                    NpyTables.writeAttributes(file, NpyFile.INT64, List.of(edges), EdgeFrames.TIMESTAMPS, false);
                }
            }
        }
    }

    private void writeJson(String name, ObjectNode json) throws IOException {
        try (HashedFile file = out.create(ROOT + name)) {
            // On one line: the line ends of a pretty printer would make the bytes depend on the platform.
            file.write((json + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private ObjectNode partitionMeta() {
        // DGL accepts no algorithm name except 'random' and 'metis'; the manifest has ours.
        return JSON.createObjectNode()
                .put("algo_name", "metis")
                .put("num_parts", shards.size())
                .put("version", "1.0.0");
    }

    private ObjectNode metadata() {
        ObjectNode metadata = JSON.createObjectNode().put("graph_name", "graph");
        metadata.putArray("node_type").add(NODE_TYPE);
        ArrayNode nodeChunks = metadata.putArray("num_nodes_per_chunk").addArray();
        int chunks = shards.size();
        for (int chunk = 0; chunk < chunks; chunk++) {
            nodeChunks.add(chunkSize(vertexCount, chunks, chunk));
        }
        // The guide names only the counts of chunks, but the tools read these as well.
        metadata.putArray("num_nodes_per_type").add(vertexCount);
        metadata.putArray("edge_type").add(EDGE_TYPE);
        ArrayNode edgeChunks = metadata.putArray("num_edges_per_chunk").addArray();
        shards.forEach(shard -> edgeChunks.add(shard.firstEdges()));
        metadata.putArray("num_edges_per_type")
                .add(shards.stream().mapToLong(StagedShard::firstEdges).sum());
        ObjectNode edges = metadata.putObject("edges").putObject(EDGE_TYPE);
        edges.putObject("format").put("name", "csv").put("delimiter", " ");
        ArrayNode files = edges.putArray("data");
        for (int shard = 0; shard < chunks; shard++) {
            files.add(edgesName(shard));
        }
        ObjectNode nodeData = metadata.putObject("node_data");
        if (shape != null) {
            for (String name : DglNodeData.names(shape)) {
                addArray(nodeData.withObject("/" + NODE_TYPE), name, chunk -> DglNodeData.chunk(name, chunk));
            }
        }
        ObjectNode edgeData = metadata.putObject("edge_data");
        if (shards.get(0).hasWeights()) {
            addArray(edgeData.withObject("/" + EDGE_TYPE), "weight", shard -> attributeName("weight", shard));
        }
        if (shards.get(0).hasTimestamps()) {
            addArray(edgeData.withObject("/" + EDGE_TYPE), "timestamp", shard -> attributeName("timestamp", shard));
        }
        return metadata;
    }

    /** Returns the number of vertices in a chunk: dense ids are cut into chunks of sizes that differ by 1 at most. */
    static long chunkSize(long vertices, int chunks, int chunk) {
        return vertices / chunks + (chunk < vertices % chunks ? 1 : 0);
    }

    private void addArray(ObjectNode arrays, String name, IntFunction<String> file) {
        ObjectNode array = arrays.putObject(name);
        array.putObject("format").put("name", "numpy");
        ArrayNode files = array.putArray("data");
        for (int chunk = 0; chunk < shards.size(); chunk++) {
            files.add(file.apply(chunk));
        }
    }
}
