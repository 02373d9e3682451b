package io.cutwater.format.folder;

import io.cutwater.format.file.ParallelTasks;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.json.VertexCoverage;
import io.cutwater.format.text.VertexNames;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.TrainingQuality;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
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

    private static final FolderPlace.Kind KIND = new FolderPlace.Kind("output folder", Manifest::isIn);

    private final FolderPlace place;
    private @Nullable VertexNames names;
    private @Nullable VertexFiles vertexFiles;
    private @Nullable VertexShape vertexShape;
    private @Nullable VertexDataSummary vertexData;
    private @Nullable TrainingQuality training;
    private @Nullable VertexCoverage coverage;
    private boolean allowsMissingFeatures;

    private OutputFolder(FolderPlace place) {
        this.place = place;
    }

    /**
     * Checks that an output folder may be written: that there is nothing, an empty folder, or, if {@code overwrite}, a
     * complete output folder of this program, which is the only thing that is ever replaced.
     *
     * @throws IOException with a sentence, if not
     */
    public static void refuseComplete(Path dir, boolean overwrite) throws IOException {
        FolderPlace.refuseComplete(KIND, dir, overwrite);
    }

    /**
     * Makes the working folder and locks it until {@link #close}.
     *
     * @throws IOException with a sentence, if {@link #refuseComplete} refuses, or another run is writing the same
     *     folder
     */
    public static OutputFolder open(Path dir, boolean overwrite) throws IOException {
        return new OutputFolder(FolderPlace.open(KIND, dir, overwrite));
    }

    /** Where the job stages its output: the folder for {@link FolderStaging#create}. */
    public Path staging() {
        return place.inWork("staging");
    }

    /**
     * An empty folder for the job's own files, such as state and checkpoints; the next run empties it if this one dies.
     */
    public Path jobFolder() throws IOException {
        return place.emptied("job");
    }

    /** Has the folder tell which name each id stands for; before {@link #complete}. */
    public void setNames(VertexNames names) {
        this.names = names;
    }

    /**
     * Has each shard tell features, labels and split of its vertices; before {@link #complete}.
     *
     * @param shape as {@link VertexFiles#measure} has found it
     * @param allowsMissingFeatures whether vertices may have no row in files with features; else {@link #complete}
     *     fails then
     */
    public void setVertexData(VertexFiles files, VertexShape shape, boolean allowsMissingFeatures) {
        this.allowsMissingFeatures = allowsMissingFeatures;
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

    /** How many vertices have what {@link #complete} has written of them, before it asks for the report. */
    public @Nullable VertexCoverage coverage() {
        return coverage;
    }

    private void requireFeatures(VertexFiles files, VertexDataSummary summary, @Nullable VertexCoverage coverage)
            throws IOException {
        if (!allowsMissingFeatures && summary.features() > 0 && summary.verticesWithoutRow() > 0 && coverage != null) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%,d of %,d vertices have no row of features in %s; give a row for each vertex of this graph, or"
                            + " --allow-missing-features, with which their features are 0",
                    summary.verticesWithoutRow(),
                    coverage.vertices(),
                    files.paths()));
        }
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
        Path output = place.emptied("output");
        Path scratch = place.emptied("scratch");
        try (ParallelTasks parallel = new ParallelTasks(Runtime.getRuntime().availableProcessors())) {
            FolderCompletion completion = new FolderCompletion(staging(), scratch, output, kind, run, format, parallel);
            completion.writeTables(duplicates);
            if (names != null) {
                completion.writeNames(names);
            }
            if (vertexFiles != null && vertexShape != null) {
                vertexData = completion.writeVertexData(vertexFiles, vertexShape);
                requireFeatures(vertexFiles, vertexData, completion.coverage());
                training = completion.training();
                coverage = completion.coverage();
            }
            completion.writeReport(report.get());
            Manifest manifest = completion.writeManifest();
            place.moveToPlace(output);
            return manifest;
        }
    }

    /** Deletes the working folder and gives the lock back; without {@link #complete} nothing remains. */
    @Override
    public void close() throws IOException {
        place.close();
    }
}
