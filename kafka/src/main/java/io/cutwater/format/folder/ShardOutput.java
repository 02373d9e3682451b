package io.cutwater.format.folder;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.format.binary.StagedFiles;
import io.cutwater.format.file.FileOperations;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.ShardVertexFile;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.vertex.VertexArrays;
import io.cutwater.format.vertex.VertexDataRow;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a folder with one shard: the tables and arrays that a shard has in an output folder, and
 * {@value #SUMMARY}, which is written last. The folder appears as a whole or not at all.
 *
 * <pre>{@code
 * try (ShardOutput output = ShardOutput.open(dir, overwrite, number, kind, format)) {
 *     … output.addEdges(batch) … output.addVertex(vertex, isHome, degree) …
 *     output.complete(summary);
 * }
 * }</pre>
 */
public final class ShardOutput implements Closeable {
    public static final String SUMMARY = "shard.json";

    private static final int LAYOUT = 1;
    private static final int EDGES = 0;
    private static final int VERTICES = 1;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final FolderPlace.Kind KIND = new FolderPlace.Kind("shard folder", ShardOutput::isIn);
    private static final ObjectMapper JSON = new ObjectMapper();
    // A platform's line ends would make the bytes depend on it.
    private static final ObjectWriter WRITER =
            JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

    private final FolderPlace place;
    private final int shard;
    private final @Nullable PartitioningKind kind;
    private final TableFormat format;
    private final Path edgesFile;
    private final Path verticesFile;
    private final StagedFiles staged;
    private long edges;
    private long vertices;
    private @Nullable VertexText texts;

    private ShardOutput(FolderPlace place, int shard, @Nullable PartitioningKind kind, TableFormat format)
            throws IOException {
        this.place = place;
        this.shard = shard;
        this.kind = kind;
        this.format = format;
        Path scratch = place.emptied("scratch");
        edgesFile = scratch.resolve("edges.bin");
        verticesFile = scratch.resolve("vertices.bin");
        staged = new StagedFiles(List.of(edgesFile, verticesFile), new long[2], BUFFER_BYTES);
    }

    /**
     * Checks that a shard folder may be written, before any work.
     *
     * @throws IOException if the folder has any content except, with {@code overwrite}, a complete shard folder; the
     *     message is meant for users
     */
    public static void refuseComplete(Path dir, boolean overwrite) throws IOException {
        FolderPlace.refuseComplete(KIND, dir, overwrite);
    }

    /**
     * Creates the working folder and locks it until {@link #close}.
     *
     * @param kind null for a shard without records, whose kind is unknown
     * @param format a format without files beside the tables
     * @throws IOException if {@link #refuseComplete} refuses, or another run is writing the folder; the message is
     *     meant for users
     */
    public static ShardOutput open(
            Path dir, boolean overwrite, int shard, @Nullable PartitioningKind kind, TableFormat format)
            throws IOException {
        if (format == TableFormat.DGL || format == TableFormat.METIS) {
            throw new IOException(
                    "a single shard is written as csv, parquet or npy, not as " + format.label() + ": that is for all");
        }
        FolderPlace place = FolderPlace.open(KIND, dir, overwrite);
        boolean isOpen = false;
        try {
            ShardOutput output = new ShardOutput(place, shard, kind, format);
            isOpen = true;
            return output;
        } finally {
            if (!isOpen) {
                place.close();
            }
        }
    }

    private static boolean isIn(Path dir) {
        Path file = dir.resolve(SUMMARY);
        try {
            JsonNode root = Files.isRegularFile(file) ? JSON.readTree(file.toFile()) : JSON.missingNode();
            return root.path("cutwater").isInt() && root.path("files").isObject();
        } catch (IOException e) {
            return false; // not JSON, so not ours
        }
    }

    /** Appends edges; in a vertex partitioning each has the owners of its endpoints as its place. */
    public void addEdges(EdgeBatch batch) throws IOException {
        EdgeFrames.append(staged, EDGES, batch);
        edges += batch.size();
    }

    /**
     * Appends a vertex, in ascending order.
     *
     * @param isHome whether the shard owns it, in a vertex partitioning
     * @param degree endpoints of edges in the shard, at least 1
     */
    public void addVertex(long vertex, boolean isHome, long degree) throws IOException {
        ShardVertexFile.put(staged.room(VERTICES, ShardVertexFile.ROW_BYTES), vertex, degree, isHome);
        vertices++;
    }

    /** Looks up texts of vertices. */
    @FunctionalInterface
    public interface VertexText {
        /** Returns the text of a vertex in UTF-8. */
        byte[] of(long vertex);
    }

    /** Adds the file with the texts of all vertices; call it before {@link #complete}. */
    public void setTexts(VertexText texts) {
        this.texts = texts;
    }

    /** Looks up vertex data. */
    @FunctionalInterface
    public interface VertexData {
        /** Returns the data of a vertex; null if there is none. */
        @Nullable VertexRecord of(long vertex);
    }

    /**
     * Writes the files and renames the folder to its place.
     *
     * @param data the features of each vertex have {@code featureCount} numbers
     * @param featureCount of each vertex, 0 for none
     * @param summary receives the list of files with their SHA-256, and becomes {@value #SUMMARY}
     */
    public void complete(VertexData data, int featureCount, boolean hasLabels, boolean hasSplit, ObjectNode summary)
            throws IOException {
        staged.flush();
        Path output = place.emptied("output");
        OutputFiles out = new OutputFiles(output, "shard-%05d".formatted(shard));
        // The records of one shard of an edge partitioning do not tell which replica is the master.
        VertexRoles roles = kind == PartitioningKind.VERTEX
                ? VertexRoles.of(PartitioningKind.VERTEX)
                : new VertexRoles("replica", "replica");
        ShardTables tables = format.tables(roles);
        tables.writeEdges(out, shard, new StagedShard(shard, edgesFile, edges, edges, scanFlags()));
        try (ShardVertexFile rows = new ShardVertexFile(verticesFile)) {
            tables.writeVertices(out, shard, rows);
        }
        writeData(out, data, featureCount, hasLabels, hasSplit);
        if (texts != null) {
            writeTexts(out, texts);
        }
        writeSummary(out, summary);
        force(output, out);
        place.moveToPlace(output.resolve(OutputFiles.shard(shard)));
    }

    private int scanFlags() throws IOException {
        int flags = 0;
        try (EdgeFrames frames = new EdgeFrames(edgesFile)) {
            while (frames.next()) {
                flags |= frames.flags() & ~EdgeFrames.OWNERS;
            }
        }
        return flags;
    }

    private void writeData(OutputFiles out, VertexData data, int featureCount, boolean hasLabels, boolean hasSplit)
            throws IOException {
        if (featureCount == 0 && !hasLabels && !hasSplit) {
            return;
        }
        VertexDataRow row = new VertexDataRow(featureCount);
        try (ShardVertexFile rows = new ShardVertexFile(verticesFile);
                VertexArrays arrays =
                        new VertexArrays(out, OutputFiles.shard(shard), vertices, featureCount, hasLabels, hasSplit)) {
            while (rows.next()) {
                VertexRecord known = data.of(rows.vertex());
                arrays.accept(known == null ? row.clear() : row.take(known));
            }
        }
    }

    private void writeTexts(OutputFiles out, VertexText texts) throws IOException {
        try (ShardVertexFile rows = new ShardVertexFile(verticesFile);
                NamesFile names = new NamesFile(out, OutputFiles.shard(shard) + NamesFile.FILE)) {
            while (rows.next()) {
                byte[] text = texts.of(rows.vertex());
                names.add(rows.vertex(), text, 0, text.length);
            }
        }
    }

    private void writeSummary(OutputFiles out, ObjectNode summary) throws IOException {
        summary.put("cutwater", LAYOUT)
                .put("format", format.label())
                .put("edges", edges)
                .put("vertices", vertices);
        ObjectNode files = summary.putObject("files");
        int prefix = OutputFiles.shard(shard).length();
        out.sums().forEach((name, sum) -> files.put(name.substring(prefix), sum));
        try (HashedFile file = out.create(OutputFiles.shard(shard) + SUMMARY)) {
            file.write((WRITER.writeValueAsString(summary) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void force(Path output, OutputFiles out) throws IOException {
        List<Path> paths = new ArrayList<>();
        out.sums().keySet().forEach(name -> paths.add(output.resolve(name)));
        paths.add(output.resolve(OutputFiles.shard(shard)));
        FileOperations.force(paths);
    }

    /** Deletes the working folder and releases the lock; without {@link #complete} nothing remains. */
    @Override
    public void close() throws IOException {
        try (place) {
            staged.close();
        }
    }
}
