package io.cutwater.format.folder;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.file.FileOperations;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.text.VertexNames;
import io.cutwater.format.vertex.ShardVertexData;
import io.cutwater.format.vertex.VertexDataFiles;
import io.cutwater.format.vertex.VertexDataRow;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A reader of a complete output folder. It holds only the manifest in memory; thread-safe. */
public final class ShardFolder {
    private static final int CHECKSUM_BYTES = 8;

    private final Path root;
    private final Manifest manifest;

    private ShardFolder(Path root, Manifest manifest) {
        this.root = root;
        this.manifest = manifest;
    }

    /** Receives the vertex data of a shard, in ascending order of the vertices. */
    @FunctionalInterface
    public interface VertexDataConsumer {
        /**
         * Receives the next vertex of a shard.
         *
         * @param isHome whether the shard holds its master or, in a vertex partitioning, owns it
         * @param features empty for none; valid only until the call returns
         * @param label −1 for none
         */
        void accept(long vertex, boolean isHome, float[] features, int label, VertexSplit split) throws IOException;
    }

    /**
     * Reads the manifest of a folder.
     *
     * @throws IOException if it has no manifest that this version can read, or lacks one of its files; the message is
     *     meant for users
     */
    public static ShardFolder open(Path root) throws IOException {
        Manifest manifest = Manifest.read(root);
        for (String name : manifest.files().keySet()) {
            if (!Files.exists(root.resolve(name))) {
                throw new IOException(
                        "'%s' lacks '%s', which its manifest lists; run the partitioning again".formatted(root, name));
            }
        }
        return new ShardFolder(root, manifest);
    }

    public Manifest manifest() {
        return manifest;
    }

    public PartitioningKind kind() {
        return manifest.partitioningKind();
    }

    public int shardCount() {
        return manifest.run().partitions();
    }

    /**
     * Reads every file and compares its SHA-256 with the manifest.
     *
     * @throws IOException if a file differs; the message names it
     */
    public void verify() throws IOException {
        for (Map.Entry<String, String> file : manifest.files().entrySet()) {
            String sum = FileOperations.sha256(root.resolve(file.getKey()));
            if (!sum.equals(file.getValue())) {
                throw new IOException(
                        "'%s' in '%s' was changed after it was written: its SHA-256 is %s, and the manifest says %s"
                                .formatted(file.getKey(), root, sum, file.getValue()));
            }
        }
    }

    /** Returns 16 hexadecimal digits that two folders have in common if their files but the reports are equal. */
    public String checksum() {
        MessageDigest digest = Hashing.sha256();
        manifest.files().forEach((name, sum) -> {
            if (!name.equals(OutputFolder.REPORT)) {
                digest.update("%s %s\n".formatted(name, sum).getBytes(StandardCharsets.UTF_8));
            }
        });
        return HexFormat.of().formatHex(digest.digest(), 0, CHECKSUM_BYTES);
    }

    /** Reads the edges of all shards, one shard after the other. */
    public void readEdges(ShardTables.EdgeConsumer consumer) throws IOException {
        for (int shard = 0; shard < shardCount(); shard++) {
            readEdges(shard, consumer);
        }
    }

    /** Reads the edges of one shard, 0 to k − 1. */
    public void readEdges(int shard, ShardTables.EdgeConsumer consumer) throws IOException {
        tables().readEdges(root, checked(shard), consumer);
    }

    /** Reads the vertices of one shard, 0 to k − 1. */
    public void readVertices(int shard, ShardTables.VertexConsumer consumer) throws IOException {
        tables().readVertices(root, checked(shard), consumer);
    }

    /** Reads the partition book. */
    public void readBook(ShardTables.BookConsumer consumer) throws IOException {
        tables().readBook(root, consumer);
    }

    /** Returns the summary of the vertex data, if the folder has any. */
    public Optional<VertexDataSummary> vertexData() throws IOException {
        return manifest.files().containsKey(VertexDataFiles.SUMMARY)
                ? Optional.of(VertexDataFiles.readSummary(root))
                : Optional.empty();
    }

    /**
     * Reads the vertex data of one shard, 0 to k − 1.
     *
     * @throws IOException if the folder has no vertex data, or not what {@link #vertexData} describes; the message is
     *     meant for users
     */
    public void readVertexData(int shard, VertexDataConsumer consumer) throws IOException {
        VertexDataSummary summary = vertexData()
                .orElseThrow(() ->
                        new IOException("'%s' has no vertex data; partition again with --features, --labels or --split"
                                .formatted(root)));
        long vertices = manifest.counts().shards().get(checked(shard)).vertices();
        VertexDataRow row = new VertexDataRow(summary.features());
        try (ShardVertexData data = new ShardVertexData(root, shard, summary, vertices)) {
            readVertices(shard, (of, vertex, isHome, degree) -> {
                data.next(row);
                consumer.accept(vertex, isHome, row.features, row.label, VertexSplit.of(row.split));
            });
        }
    }

    public Path root() {
        return root;
    }

    /** Returns the seed of the hashes that are the ids, if the vertices are the texts of a topic. */
    public OptionalLong idsSeed() {
        String seed = manifest.run().parameters().get(RunDescription.IDS_SEED);
        return seed == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(seed));
    }

    /** Reads the names of the ids into memory; empty if ids are integers. */
    public Optional<VertexNames> readNames() throws IOException {
        boolean areNumbers = idsSeed().isEmpty();
        return manifest.files().containsKey(NamesFile.FILE)
                ? Optional.of(NamesFile.read(root, areNumbers))
                : Optional.empty();
    }

    private ShardTables tables() {
        return manifest.format().tables(VertexRoles.of(kind()));
    }

    private int checked(int shard) {
        if (shard < 0 || shard >= shardCount()) {
            throw new IllegalArgumentException("shard must be in [0, %d]: %d".formatted(shardCount() - 1, shard));
        }
        return shard;
    }
}
