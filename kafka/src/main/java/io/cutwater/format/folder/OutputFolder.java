package io.cutwater.format.folder;

import io.cutwater.format.file.ParallelTasks;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.json.VertexCoverage;
import io.cutwater.format.text.VertexNames;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.ReplicasByDegree;
import io.cutwater.state.quality.TrainingQuality;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An output folder under construction. All work is done in a hidden folder beside it, {@code .NAME.partial}, which one
 * run at a time locks. The finished folder is renamed at the end, so it appears as a whole or not at all.
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
    private ReplicasByDegree replicas = new ReplicasByDegree();
    private boolean allowsMissingFeatures;

    private OutputFolder(FolderPlace place) {
        this.place = place;
    }

    /**
     * Checks that an output folder may be written: it must be missing, empty or, with {@code overwrite}, a complete
     * output folder of this program. Nothing else is ever replaced.
     *
     * @throws IOException if the folder may not be written; the message is meant for users
     */
    public static void refuseComplete(Path dir, boolean overwrite) throws IOException {
        FolderPlace.refuseComplete(KIND, dir, overwrite);
    }

    /**
     * Creates the working folder and locks it until {@link #close}.
     *
     * @throws IOException if {@link #refuseComplete} refuses, or another run is writing the same folder; the message is
     *     meant for users
     */
    public static OutputFolder open(Path dir, boolean overwrite) throws IOException {
        return new OutputFolder(FolderPlace.open(KIND, dir, overwrite));
    }

    /** Returns the folder for {@link FolderStaging#create}, in which the job stages its output. */
    public Path staging() {
        return place.inWork("staging");
    }

    /**
     * Returns an empty folder for the job's own files, such as state and checkpoints; the next run empties it if this
     * one is killed.
     */
    public Path jobFolder() throws IOException {
        return place.emptied("job");
    }

    /** Sets the names of ids that are text; call it before {@link #complete}. */
    public void setNames(VertexNames names) {
        this.names = names;
    }

    /**
     * Adds features, labels and split to each shard; call it before {@link #complete}.
     *
     * @param shape the result of {@link VertexFiles#measure}
     * @param allowsMissingFeatures whether vertices may lack a row in files with features; otherwise {@link #complete}
     *     fails for such a vertex
     */
    public void setVertexData(VertexFiles files, VertexShape shape, boolean allowsMissingFeatures) {
        this.allowsMissingFeatures = allowsMissingFeatures;
        vertexFiles = files;
        vertexShape = shape;
    }

    /** Returns the summary of the vertex data that {@link #complete} wrote, if any. */
    public Optional<VertexDataSummary> vertexData() {
        return Optional.ofNullable(vertexData);
    }

    /** Returns the distribution of the training vertices, available before {@link #complete} asks for the report. */
    public @Nullable TrainingQuality training() {
        return training;
    }

    /** Returns the number of vertices with data, available before {@link #complete} asks for the report. */
    public @Nullable VertexCoverage coverage() {
        return coverage;
    }

    /** Returns the replicas of the vertices of each degree; no bins before {@link #complete}. */
    public ReplicasByDegree replicas() {
        return replicas;
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

    /** Completes the output folder of an edge partitioning that dropped no duplicates. */
    public Manifest complete(RunDescription run, TableFormat format, byte[] report) throws IOException {
        return complete(PartitioningKind.EDGE, run, format, 0, () -> report);
    }

    /**
     * Completes the output folder from the staging and renames it to its place.
     *
     * @param run the request; its {@code partitions} is the staging's number of shards
     * @param duplicates edges dropped before the staging, for the manifest
     * @param report supplies the bytes of {@value #REPORT}; called after the tables are written, so that it can include
     *     their time
     * @throws IOException if the staging is damaged, the disk is full, or the folder was created meanwhile; then there
     *     is no output folder, and the staging is unchanged
     */
    public Manifest complete(
            PartitioningKind kind, RunDescription run, TableFormat format, long duplicates, Supplier<byte[]> report)
            throws IOException {
        Path output = place.emptied("output");
        Path scratch = place.emptied("scratch");
        try (ParallelTasks parallel = new ParallelTasks(Runtime.getRuntime().availableProcessors())) {
            FolderCompletion completion = new FolderCompletion(staging(), scratch, output, kind, run, format, parallel);
            completion.writeTables(duplicates);
            replicas = completion.replicas();
            if (names != null) {
                completion.writeNames(names);
            }
            if (vertexFiles != null && vertexShape != null) {
                vertexData = completion.writeVertexData(vertexFiles, vertexShape);
                requireFeatures(vertexFiles, vertexData, completion.coverage());
                training = completion.training();
                coverage = completion.coverage();
            }
            completion.writeBeside();
            completion.writeReport(report.get());
            Manifest manifest = completion.writeManifest();
            place.moveToPlace(output);
            return manifest;
        }
    }

    /** Deletes the working folder and releases the lock; without {@link #complete} nothing remains. */
    @Override
    public void close() throws IOException {
        place.close();
    }
}
