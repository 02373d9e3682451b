package io.cutwater.format.folder;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contents and origin of an output folder: the file {@value #FILE}. It is written last, so a folder that has it is
 * complete. It contains no time: the same run writes the same manifest, except for the checksum of the report.
 *
 * @param cutwater version of this layout, {@value #LAYOUT}; its presence marks a folder of this program
 * @param runId 16 hexadecimal digits that depend only on {@code kind} and {@code run}
 * @param kind {@code edge} or {@code vertex}
 * @param edgeColumns columns of the edge tables: {@code src}, {@code dst}, and {@code weight} and {@code timestamp} if
 *     any edge of the run has one
 * @param files SHA-256 in hexadecimal digits of every other file, by its path with slashes
 */
@JsonPropertyOrder({"cutwater", "runId", "kind", "run", "format", "edgeColumns", "counts", "files"})
public record Manifest(
        int cutwater,
        String runId,
        String kind,
        RunDescription run,
        TableFormat format,
        List<String> edgeColumns,
        Counts counts,
        SortedMap<String, String> files) {
    public static final String FILE = "manifest.json";
    static final int LAYOUT = 1;

    private static final int RUN_ID_BYTES = 8;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    // A platform's line ends would make the bytes depend on it.
    private static final ObjectWriter WRITER = JSON.writer(new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n")));

    /**
     * The counts of a folder, taken from the files as they were written.
     *
     * @param vertices with at least one edge
     * @param edges of the input that are in the shards, each counted once; in a vertex partitioning the shards add up
     *     to more, because a cut edge is in two
     * @param deadLetters malformed records of the input
     * @param duplicates edges of the input that were dropped as duplicates
     * @param shards one entry per shard, in order
     */
    @JsonPropertyOrder({"vertices", "edges", "deadLetters", "duplicates", "shards"})
    public record Counts(long vertices, long edges, long deadLetters, long duplicates, List<ShardCounts> shards) {
        public Counts {
            shards = List.copyOf(shards);
        }
    }

    /**
     * The counts of one shard.
     *
     * @param vertices with a replica in the shard, owned by it or in its halo
     * @param edges rows of its table
     */
    @JsonPropertyOrder({"vertices", "edges"})
    public record ShardCounts(long vertices, long edges) {}

    public Manifest {
        if (counts.shards().size() != run.partitions()) {
            throw new IllegalArgumentException("%d partitions have %d shards"
                    .formatted(run.partitions(), counts.shards().size()));
        }
        if (Arrays.stream(PartitioningKind.values())
                .noneMatch(known -> known.label().equals(kind))) {
            throw new IllegalArgumentException("kind must be edge or vertex: " + kind);
        }
        edgeColumns = List.copyOf(edgeColumns);
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    static String runId(PartitioningKind kind, RunDescription run) throws IOException {
        MessageDigest digest = Hashing.sha256();
        if (kind != PartitioningKind.EDGE) {
            digest.update(kind.label().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest(JSON.writeValueAsBytes(run)), 0, RUN_ID_BYTES);
    }

    PartitioningKind partitioningKind() {
        return kind.equals(PartitioningKind.VERTEX.label()) ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
    }

    byte[] toBytes() throws IOException {
        return (WRITER.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether a folder holds a manifest of this program, of any version. */
    static boolean isIn(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            JsonNode root = Files.isRegularFile(file) ? JSON.readTree(file.toFile()) : JSON.missingNode();
            return root.path("cutwater").isInt() && root.path("files").isObject();
        } catch (IOException e) {
            return false; // not JSON, so not ours
        }
    }

    /**
     * @throws IOException if there is no manifest, or none that this version can read; the message is meant for users
     */
    static Manifest read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            throw new IOException("'%s' is not a complete output folder: it has no %s; run the partitioning to its end"
                    .formatted(folder, FILE));
        }
        JsonNode root;
        try {
            root = JSON.readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IOException("%s is not JSON: %s".formatted(file, e.getOriginalMessage()), e);
        }
        int layout = root.path("cutwater").asInt(-1);
        if (layout != LAYOUT) {
            throw new IOException(
                    "%s is of layout %s, and this version reads layout %d; run the partitioning again, or use the version that wrote it"
                            .formatted(file, layout < 0 ? "unknown" : layout, LAYOUT));
        }
        try {
            return JSON.treeToValue(root, Manifest.class);
        } catch (JsonProcessingException e) {
            throw new IOException("%s is damaged: %s".formatted(file, e.getOriginalMessage()), e);
        }
    }
}
