package io.cutwater.format.folder;

import io.cutwater.format.binary.StagedFiles;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.RejectedRows;
import io.cutwater.format.table.VertexRows;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The output of a running job so far, in its own folder: an append-only file of edges per shard, one of the partition
 * book's rows and one of dead letters. {@link OutputFolder#complete} turns it into the output folder.
 *
 * <p>A job stores the lengths that {@link #flush} returns in each checkpoint, and returns to them with
 * {@link #restore}. The output does not depend on how edges were cut into batches, nor on how often the job was
 * restored. Not thread-safe.
 */
public final class FolderStaging implements Closeable {
    private static final int BUFFERED_BYTES = 64 << 20;
    private static final int MIN_BUFFER_BYTES = 4 << 10;
    private static final int MAX_BUFFER_BYTES = 1 << 20;
    private static final Pattern OUR_FILES = Pattern.compile("edges-\\d{5}\\.bin|vertices\\.bin|dead-letters\\.bin");

    private final int shardCount;
    private final StagedFiles files;

    private FolderStaging(int shardCount, StagedFiles files) {
        this.shardCount = shardCount;
        this.files = files;
    }

    /**
     * Starts in an empty folder: creates it, or deletes what an earlier run staged there.
     *
     * @param shardCount k, 1 to {@value VertexLayout#MAX_PARTITIONS}
     * @throws IOException if the folder holds anything else, or cannot be written
     */
    public static FolderStaging create(Path folder, int shardCount) throws IOException {
        return restore(folder, shardCount, new long[checked(shardCount) + 2]);
    }

    /**
     * Returns to the state in which {@link #flush} returned {@code lengths}, by truncating every file to that length.
     *
     * @param lengths as {@link #flush} returned them for the same folder and number of shards
     * @throws IOException if a file is shorter than recorded, or the folder cannot be written
     */
    public static FolderStaging restore(Path folder, int shardCount, long[] lengths) throws IOException {
        if (lengths.length != checked(shardCount) + 2) {
            throw new IllegalArgumentException(
                    "%d shards have %d lengths: %d".formatted(shardCount, shardCount + 2, lengths.length));
        }
        Files.createDirectories(folder);
        List<Path> paths = paths(folder, shardCount);
        for (int i = 0; i < lengths.length; i++) {
            cut(paths.get(i), lengths[i]);
        }
        deleteOthers(folder, lengths, paths);
        int bufferBytes = Math.min(MAX_BUFFER_BYTES, Math.max(MIN_BUFFER_BYTES, BUFFERED_BYTES / shardCount));
        return new FolderStaging(shardCount, new StagedFiles(paths, lengths, bufferBytes));
    }

    /** Opens a staging to append after everything that was flushed. */
    public static FolderStaging reopen(Path folder, int shardCount) throws IOException {
        List<Path> paths = paths(folder, checked(shardCount));
        long[] lengths = new long[paths.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Files.exists(paths.get(i)) ? Files.size(paths.get(i)) : 0;
        }
        return restore(folder, shardCount, lengths);
    }

    private static int checked(int shardCount) {
        if (shardCount < 1 || shardCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "shardCount must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, shardCount));
        }
        return shardCount;
    }

    private static List<Path> paths(Path folder, int shardCount) {
        List<Path> paths = new ArrayList<>(shardCount + 2);
        for (int shard = 0; shard < shardCount; shard++) {
            paths.add(edges(folder, shard));
        }
        paths.add(vertices(folder));
        paths.add(deadLetters(folder));
        return paths;
    }

    private static void cut(Path file, long length) throws IOException {
        long actual = Files.exists(file) ? Files.size(file) : 0;
        if (actual < length) {
            throw new IOException("%s has %d bytes, but the checkpoint recorded %d; the folder was changed or lost"
                            .formatted(file, actual, length)
                    + " since, so start the run again without that checkpoint");
        }
        if (length > 0 && actual > length) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
        }
    }

    private static void deleteOthers(Path folder, long[] lengths, List<Path> paths) throws IOException {
        Set<Path> kept = new HashSet<>();
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] > 0) {
                kept.add(paths.get(i).getFileName());
            }
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (!OUR_FILES.matcher(name.toString()).matches()) {
                    throw new IOException(
                            "%s is no staging folder: it holds '%s'; choose another folder".formatted(folder, name));
                }
                if (!kept.contains(name)) {
                    Files.delete(entry);
                }
            }
        }
    }

    static Path edges(Path folder, int shard) {
        return folder.resolve("edges-%05d.bin".formatted(shard));
    }

    public static Path vertices(Path folder) {
        return folder.resolve("vertices.bin");
    }

    static Path deadLetters(Path folder) {
        return folder.resolve("dead-letters.bin");
    }

    /**
     * Appends edges of one shard, in order; rejected records of the batch are ignored.
     *
     * @param edges in a vertex partitioning, and only there, each has the owners of its endpoints as its place and is
     *     appended once to the shard of each
     * @throws IllegalArgumentException if the shard owns neither endpoint of an edge with owners
     */
    public void append(int shard, EdgeBatch edges) throws IOException {
        if (shard < 0 || shard >= shardCount) {
            throw new IllegalArgumentException("shard must be in [0, %d]: %d".formatted(shardCount - 1, shard));
        }
        checkOwners(shard, edges);
        EdgeFrames.append(files, shard, edges);
    }

    private static void checkOwners(int shard, EdgeBatch edges) {
        for (int i = 0; i < edges.size() && edges.hasPlaces(); i++) {
            int owners = edges.place(i);
            if (owners < 0 || Place.ofSource(owners) != shard && Place.ofTarget(owners) != shard) {
                throw new IllegalArgumentException("edge (%d, %d) is not of shard %d, which owns neither end: %d, %d"
                        .formatted(
                                edges.source(i),
                                edges.target(i),
                                shard,
                                Place.ofSource(owners),
                                Place.ofTarget(owners)));
            }
        }
    }

    /**
     * Appends rows of the partition book, in any order. A vertex comes once in the whole run, with its final degree. In
     * a vertex partitioning its master is its owner, and its replicas are all shards that have an edge of it.
     *
     * @throws IllegalArgumentException if replicas do not ascend, or the master is not among them
     */
    public void append(VertexBatch vertices) throws IOException {
        VertexRows.check(vertices, shardCount);
        VertexRows.append(files, shardCount, vertices);
    }

    /** Appends a dead letter. */
    public void append(RejectedRecord rejected) throws IOException {
        RejectedRows.append(files, shardCount + 1, rejected);
    }

    /**
     * Writes everything that was appended and forces it to the disk.
     *
     * @return the length of each shard's file, then of the file of vertices and that of dead letters, in bytes
     */
    public long[] flush() throws IOException {
        long[] lengths = files.flush();
        files.force();
        return lengths;
    }

    /** Closes the files; data appended after the last {@link #flush} is discarded. */
    @Override
    public void close() throws IOException {
        files.close();
    }
}
