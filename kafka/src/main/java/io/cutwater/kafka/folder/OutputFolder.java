package io.cutwater.kafka.folder;

import io.cutwater.kafka.file.VertexFiles;
import io.cutwater.kafka.file.VertexShape;
import io.cutwater.kafka.record.VertexNames;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.TrainingQuality;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An output folder in the making. All work is done in a hidden folder beside it, {@code .NAME.partial}, which one run
 * at a time holds locked; the finished folder is moved to its place at the very end, so it is there whole or not at
 * all.
 *
 * <pre>{@code
 * try (OutputFolder folder = OutputFolder.open(dir, overwrite)) {
 *     … the job writes a FolderStaging in folder.staging() …
 *     folder.complete(run, format, report);
 * }
 * }</pre>
 */
public final class OutputFolder implements Closeable {
    public static final String REPORT = "report.json";

    private static final String LOCK = "cutwater.lock";

    private final Path dir;
    private final boolean overwrite;
    private final Path work;
    private final FileChannel lockFile;
    private @Nullable VertexNames names;
    private @Nullable VertexFiles vertexFiles;
    private @Nullable VertexShape vertexShape;
    private @Nullable VertexDataSummary vertexData;
    private @Nullable TrainingQuality training;

    private OutputFolder(Path dir, boolean overwrite, Path work, FileChannel lockFile) {
        this.dir = dir;
        this.overwrite = overwrite;
        this.work = work;
        this.lockFile = lockFile;
    }

    /**
     * Checks that an output folder may be written: that there is nothing, an empty folder, or, if {@code overwrite}, a
     * complete output folder of this program, which is the only thing that is ever replaced.
     *
     * @throws IOException with a sentence, if not
     */
    public static void refuseComplete(Path dir, boolean overwrite) throws IOException {
        if (!Files.exists(dir)) {
            return;
        }
        if (!Files.isDirectory(dir)) {
            throw new IOException("'%s' is a file; choose another output folder".formatted(dir));
        }
        if (Manifest.isIn(dir)) {
            if (!overwrite) {
                throw new IOException(
                        "'%s' holds a complete output folder already; choose another one, or replace it with --overwrite"
                                .formatted(dir));
            }
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                throw new IOException(
                        "'%s' is not empty and no output folder of cutwater (it holds '%s'), so it is not replaced, with or without --overwrite; choose another folder"
                                .formatted(dir, entry.getFileName()));
            }
        }
    }

    /**
     * Makes the working folder and locks it until {@link #close}.
     *
     * @throws IOException with a sentence, if {@link #refuseComplete} refuses, or another run is writing the same
     *     folder
     */
    public static OutputFolder open(Path dir, boolean overwrite) throws IOException {
        Path absolute =
                Files.exists(dir) ? dir.toRealPath() : dir.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        if (name == null) {
            throw new IOException("'%s' cannot be an output folder; choose one below it".formatted(dir));
        }
        Path work = absolute.resolveSibling("." + name + ".partial");
        refuseComplete(absolute, overwrite);
        boolean isOurs = !Files.exists(work) || Files.exists(work.resolve(LOCK)) || isEmpty(work);
        if (!isOurs) {
            throw new IOException(
                    "'%s' is needed as working folder and holds something else; move it away".formatted(work));
        }
        Files.createDirectories(work);
        OutputFolder folder = new OutputFolder(absolute, overwrite, work, lock(dir, work.resolve(LOCK)));
        boolean isFree = false;
        try {
            takeBackReplaced(absolute, work);
            refuseComplete(absolute, overwrite);
            isFree = true;
            return folder;
        } finally {
            if (!isFree) {
                folder.close();
            }
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    private static FileChannel lock(Path dir, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null; // held by this process
        }
        // The run before may have deleted the file between our opening and locking it.
        if (lock == null || !Files.exists(file)) {
            channel.close();
            throw new IOException("another run is writing '%s'; wait for it, or choose another folder".formatted(dir));
        }
        return channel;
    }

    /** Where the job stages its output: the folder for {@link FolderStaging#create}. */
    public Path staging() {
        return work.resolve("staging");
    }

    /**
     * An empty folder for the job's own files, such as state and checkpoints; the next run empties it if this one dies.
     */
    public Path jobFolder() throws IOException {
        return emptied("job");
    }

    /** Has the folder tell which name each id stands for; before {@link #complete}. */
    public void setNames(VertexNames names) {
        this.names = names;
    }

    /**
     * Has each shard tell features, labels and split of its vertices; before {@link #complete}.
     *
     * @param shape as {@link VertexFiles#measure} has found it
     */
    public void setVertexData(VertexFiles files, VertexShape shape) {
        vertexFiles = files;
        vertexShape = shape;
    }

    /** What {@link #complete} has written of the vertices, if there was anything. */
    public Optional<VertexDataSummary> vertexData() {
        return Optional.ofNullable(vertexData);
    }

    /** How the training vertices are spread that {@link #complete} has written, before it asks for the report. */
    public @Nullable TrainingQuality training() {
        return training;
    }

    /** Makes the output folder of an edge partitioning that dropped no duplicates. */
    public Manifest complete(RunDescription run, TableFormat format, byte[] report) throws IOException {
        return complete(PartitioningKind.EDGE, run, format, 0, () -> report);
    }

    /**
     * Makes the output folder of what was staged and moves it to its place.
     *
     * @param run what was asked; its {@code partitions} is the staging's number of shards
     * @param duplicates edges that were dropped before the staging, for the manifest
     * @param report the bytes of {@value #REPORT}; asked when the tables are written, so that it can tell how long that
     *     took
     * @throws IOException if the staging is damaged, the disk is full, or the folder has come into being meanwhile;
     *     then there is no output folder, and the staging is as it was
     */
    public Manifest complete(
            PartitioningKind kind, RunDescription run, TableFormat format, long duplicates, Supplier<byte[]> report)
            throws IOException {
        Path output = emptied("output");
        Path scratch = emptied("scratch");
        try (ParallelTasks parallel = new ParallelTasks(Runtime.getRuntime().availableProcessors())) {
            FolderCompletion completion = new FolderCompletion(staging(), scratch, output, kind, run, format, parallel);
            completion.writeTables(duplicates);
            if (names != null) {
                completion.writeNames(names);
            }
            if (vertexFiles != null && vertexShape != null) {
                vertexData = completion.writeVertexData(vertexFiles, vertexShape);
                training = completion.training();
            }
            completion.writeReport(report.get());
            Manifest manifest = completion.writeManifest();
            moveToPlace(output);
            return manifest;
        }
    }

    private Path emptied(String name) throws IOException {
        Path folder = work.resolve(name);
        Disk.deleteFolder(folder);
        return Files.createDirectories(folder);
    }

    private void moveToPlace(Path output) throws IOException {
        refuseComplete(dir, overwrite);
        Path replaced = work.resolve("replaced");
        if (Files.exists(dir)) {
            Disk.deleteFolder(replaced);
            move(dir, replaced);
        }
        move(output, dir);
        Disk.force(List.of(Disk.parent(dir)));
        Disk.deleteFolder(replaced);
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IOException(
                    "'%s' cannot be moved to '%s' (%s); if the output folder is a mount point, choose a folder below it"
                            .formatted(from, to, e.getMessage()),
                    e);
        }
    }

    /** Puts the old folder back that a run had moved aside when it was killed before the new one was in place. */
    private static void takeBackReplaced(Path dir, Path work) throws IOException {
        Path replaced = work.resolve("replaced");
        if (!Files.exists(dir) && Manifest.isIn(replaced)) {
            Files.move(replaced, dir, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Deletes the working folder and gives the lock back; without {@link #complete} nothing remains. */
    @Override
    public void close() throws IOException {
        try (lockFile) {
            if (lockFile.isOpen()) {
                takeBackReplaced(dir, work);
                Disk.deleteFolder(work);
            }
        }
    }
}
