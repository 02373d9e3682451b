package io.cutwater.format.folder;

import io.cutwater.format.binary.StagedFiles;
import io.cutwater.format.file.FileOperations;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.file.ParallelTasks;
import io.cutwater.format.folder.Manifest.Counts;
import io.cutwater.format.folder.Manifest.ShardCounts;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.json.VertexCoverage;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.ShardVertexFile;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.table.VertexRows;
import io.cutwater.format.table.VertexSort;
import io.cutwater.format.text.VertexNames;
import io.cutwater.format.vertex.VertexDataFiles;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.ReplicasByDegree;
import io.cutwater.state.quality.TrainingQuality;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a staging into the files of an output folder, one task per shard; the bytes do not depend on the number of
 * concurrent tasks. The manifest is written last, by a separate step.
 */
final class FolderCompletion {
    private static final int BUFFERED_BYTES = 64 << 20;
    private static final int MIN_BUFFER_BYTES = 4 << 10;
    private static final int MAX_BUFFER_BYTES = 1 << 20;

    private final Path staging;
    private final Path scratch;
    private final Path output;
    private final PartitioningKind kind;
    private final RunDescription run;
    private final TableFormat format;
    private final ShardTables tables;
    private final ParallelTasks parallel;
    private final OutputFiles out;
    private final int shardCount;
    private int edgeFlags;
    private List<StagedShard> staged = List.of();
    private List<Long> shardVertices = List.of();
    private Counts counts = new Counts(0, 0, 0, 0, List.of());
    private final ReplicasByDegree replicas = new ReplicasByDegree();
    private @Nullable VertexShape shape;
    private @Nullable TrainingQuality training;
    private @Nullable VertexCoverage coverage;

    /**
     * @param staging the folder of a flushed {@link FolderStaging}
     * @param scratch an empty folder for temporary files
     * @param output an empty folder
     */
    FolderCompletion(
            Path staging,
            Path scratch,
            Path output,
            PartitioningKind kind,
            RunDescription run,
            TableFormat format,
            ParallelTasks parallel)
            throws IOException {
        this.staging = staging;
        this.scratch = scratch;
        this.output = output;
        this.kind = kind;
        this.run = run;
        this.format = format;
        this.parallel = parallel;
        tables = format.tables(VertexRoles.of(kind));
        out = new OutputFiles(output, Manifest.runId(kind, run));
        shardCount = run.partitions();
    }

    /**
     * Writes the shards, the partition book and the dead letters.
     *
     * @param duplicates dropped edges, for the manifest
     */
    void writeTables(long duplicates) throws IOException {
        List<StagedShard> scanned = parallel.run(shardTasks(this::scan));
        edgeFlags = scanned.stream().mapToInt(StagedShard::flags).reduce(0, (a, b) -> a | b);
        staged = scanned.stream()
                .map(shard ->
                        new StagedShard(shard.shard(), shard.file(), shard.edges(), shard.firstEdges(), edgeFlags))
                .toList();
        List<Callable<Long>> tasks = new ArrayList<>();
        tasks.add(this::writeBook); // the longest begins first
        for (int shard = 0; shard < shardCount; shard++) {
            int number = shard;
            StagedShard edges = staged.get(shard);
            tasks.add(() -> {
                tables.writeEdges(out, number, edges);
                return edges.edges();
            });
        }
        List<Long> sizes = parallel.run(tasks);
        shardVertices = parallel.run(shardTasks(this::writeVertices));
        long deadLetters = DeadLetterTable.write(out, FolderStaging.deadLetters(staging));
        counts = new Counts(
                sizes.get(0),
                staged.stream().mapToLong(StagedShard::firstEdges).sum(),
                deadLetters,
                duplicates,
                IntStream.range(0, shardCount)
                        .mapToObj(shard -> new ShardCounts(shardVertices.get(shard), sizes.get(shard + 1)))
                        .toList());
    }

    /** Writes the vertex data of each shard; call it after the tables are written. */
    VertexDataSummary writeVertexData(VertexFiles files, VertexShape shape) throws IOException {
        VertexDataFiles data = new VertexDataFiles(out, output, tables, shardVertices, scratch);
        VertexDataSummary summary;
        try (VertexDataFiles.RowConsumer all = format.nodeData(out, shardCount, counts.vertices(), shape)) {
            summary = data.write(files, shape, parallel, all);
        }
        this.shape = shape;
        training = shape.hasSplit() ? data.training() : null;
        coverage = data.coverage(shape);
        return summary;
    }

    /** Returns the distribution of training vertices, if {@link #writeVertexData} found their split. */
    @Nullable TrainingQuality training() {
        return training;
    }

    /** Returns the replicas of the vertices that {@link #writeTables} wrote. */
    ReplicasByDegree replicas() {
        return replicas;
    }

    /** Returns the number of vertices with data that {@link #writeVertexData} wrote, if any. */
    @Nullable VertexCoverage coverage() {
        return coverage;
    }

    /** Writes the files of the format beside the tables; call it after {@link #writeVertexData}, if at all. */
    void writeBeside() throws IOException {
        format.writeBeside(out, staged, counts.vertices(), shape, scratch);
    }

    /** Writes the name of each id, if ids are text. */
    void writeNames(VertexNames names) throws IOException {
        NamesFile.write(out, names);
    }

    /** Writes the given bytes of the report. */
    void writeReport(byte[] report) throws IOException {
        try (HashedFile file = out.create(OutputFolder.REPORT)) {
            file.write(report);
        }
    }

    /** Writes the manifest: from here on the folder counts as complete. */
    Manifest writeManifest() throws IOException {
        List<String> columns = new ArrayList<>(List.of("src", "dst"));
        if ((edgeFlags & EdgeFrames.WEIGHTS) != 0) {
            columns.add("weight");
        }
        if ((edgeFlags & EdgeFrames.TIMESTAMPS) != 0) {
            columns.add("timestamp");
        }
        if ((edgeFlags & EdgeFrames.KEYS) != 0) {
            columns.add("key");
        }
        Manifest manifest =
                new Manifest(Manifest.LAYOUT, out.runId(), kind.label(), run, format, columns, counts, out.sums());
        forceAll();
        try (HashedFile file = out.create(Manifest.FILE)) {
            file.write(manifest.toBytes());
        }
        FileOperations.force(List.of(output.resolve(Manifest.FILE), output));
        return manifest;
    }

    /** Forces all files to the disk before the manifest, which declares them complete. */
    private void forceAll() throws IOException {
        Set<Path> paths = new LinkedHashSet<>();
        for (String name : out.sums().keySet()) {
            for (Path path = output.resolve(name); !path.equals(output); path = FileOperations.parent(path)) {
                paths.add(path);
            }
        }
        FileOperations.force(List.copyOf(paths));
    }

    /** Counts the edges of a shard, because the headers of the output come before the edges. */
    private StagedShard scan(int shard) throws IOException {
        Path file = FolderStaging.edges(staging, shard);
        long edges = 0;
        long seconds = 0;
        int flags = 0;
        boolean hasOwners = kind.hasOwners();
        try (EdgeFrames frames = new EdgeFrames(file)) {
            while (frames.next()) {
                if (((frames.flags() & EdgeFrames.OWNERS) != 0) != hasOwners) {
                    throw new IOException("%s has edges that are not of a partitioning of kind %s; please report this"
                                    .formatted(file, kind.label())
                            + " as a defect");
                }
                for (int i = 0; i < frames.size() && hasOwners; i++) {
                    seconds += frames.isSecond(shard, i) ? 1 : 0;
                }
                edges += frames.size();
                flags |= frames.flags() & ~EdgeFrames.OWNERS;
            }
        }
        return new StagedShard(shard, file, edges, edges - seconds, flags);
    }

    /** Writes the partition book in order, and the vertices of each shard to its scratch file. */
    private long writeBook() throws IOException {
        List<Path> files =
                IntStream.range(0, shardCount).mapToObj(this::scratchVertices).toList();
        int bufferBytes = Math.min(MAX_BUFFER_BYTES, Math.max(MIN_BUFFER_BYTES, BUFFERED_BYTES / shardCount));
        Path spill = scratch.resolve("sorted-runs.bin");
        try (VertexSort sorted = new VertexSort(FolderStaging.vertices(staging), spill, VertexSort.RUN_BYTES);
                StagedFiles shards = new StagedFiles(files, new long[shardCount], bufferBytes);
                ShardTables.BookWriter book = tables.openBook(out, sorted.vertexCount(), sorted.replicaTotal())) {
            while (sorted.next()) {
                book.add(sorted);
                ByteBuffer row = sorted.rows();
                int at = sorted.at();
                int master = VertexRows.master(row, at);
                int replicaCount = VertexRows.replicaCount(row, at);
                replicas.add(VertexRows.degree(row, at), replicaCount);
                for (int i = 0; i < replicaCount; i++) {
                    int shard = VertexRows.replica(row, at, i);
                    ShardVertexFile.put(
                            shards.room(shard, ShardVertexFile.ROW_BYTES),
                            sorted.vertex(),
                            VertexRows.degree(row, at),
                            shard == master);
                }
            }
            shards.flush();
            return sorted.vertexCount();
        }
    }

    private long writeVertices(int shard) throws IOException {
        Path file = scratchVertices(shard);
        try (ShardVertexFile vertices = new ShardVertexFile(file)) {
            tables.writeVertices(out, shard, vertices);
            Files.deleteIfExists(file);
            return vertices.size();
        }
    }

    private Path scratchVertices(int shard) {
        return scratch.resolve("vertices-%05d.bin".formatted(shard));
    }

    private interface ShardTask<T> {
        T run(int shard) throws IOException;
    }

    private <T> List<Callable<T>> shardTasks(ShardTask<T> task) {
        List<Callable<T>> tasks = new ArrayList<>(shardCount);
        for (int shard = 0; shard < shardCount; shard++) {
            int number = shard;
            tasks.add(() -> task.run(number));
        }
        return tasks;
    }
}
