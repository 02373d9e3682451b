package io.cutwater.deploy.evaluation;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.format.audit.VertexDataCheck;
import io.cutwater.format.folder.Manifest.ShardCounts;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.metis.PartFileReader;
import io.cutwater.format.text.EdgeAssignmentReader;
import io.cutwater.format.text.VertexNames;
import io.cutwater.state.edges.DistinctEdges;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the quality of an assignment from the files on disk, and checks it against its input and its own report. */
public final class Evaluation {
    static final String OTHER_TOOL = "external";
    private static final double NANOS = 1e9;

    private final InputRequest.@Nullable Files input;
    private final @Nullable VertexFiles vertexFiles;
    private final Path assignment;
    private final Progress.Display display;

    /**
     * Creates the evaluation of one assignment.
     *
     * @param input the edges that were assigned; null not to compare them, which a file of partitions alone does not
     *     allow
     * @param vertexFiles vertex data to compare with an output folder's; null not to compare them
     */
    public Evaluation(
            InputRequest.@Nullable Files input,
            @Nullable VertexFiles vertexFiles,
            Path assignment,
            Progress.Display display) {
        this.input = input;
        this.vertexFiles = vertexFiles;
        this.assignment = assignment;
        this.display = display;
    }

    /**
     * Reads the whole assignment, and the input if there is one.
     *
     * @throws IOException if something cannot be read or is inconsistent; the message is meant for users
     */
    public RunReport run() throws IOException {
        long startedAt = display.nanoTime().getAsLong();
        RunReport report;
        try (Progress progress = display.begin("evaluate")) {
            if (Files.isDirectory(assignment)) {
                report = ofFolder(progress);
            } else if (isPartFile()) {
                report = ofOtherTool(ofPartFile(progress));
            } else {
                report = ofOtherTool(ofTriples(progress));
            }
        }
        double seconds = (display.nanoTime().getAsLong() - startedAt) / NANOS;
        return new RunReport(report.algorithm(), report.seed(), report.quality(), seconds, PeakMemory.bytes());
    }

    private RunReport ofFolder(Progress progress) throws IOException {
        ShardFolder folder = ShardFolder.open(assignment);
        folder.verify();
        RunReport told;
        try {
            told = ReportJson.read(Files.readAllBytes(assignment.resolve(OutputFolder.REPORT)));
        } catch (IllegalArgumentException e) {
            throw new IOException("%s: %s".formatted(assignment, e.getMessage()), e);
        }
        PartitionAudit recount = PartitionAudit.begin(folder);
        long expected = folder.manifest().counts().shards().stream()
                .mapToLong(ShardCounts::edges)
                .sum();
        long[] counted = {0};
        folder.readEdges((shard, edges) -> {
            recount.add(shard, edges);
            counted[0] += edges.size();
            progress.update(counted[0], expected == 0 ? 1 : (double) counted[0] / expected, "");
        });
        refuse(recount.firstDifference(folder));
        refuse(VertexDataCheck.firstDifference(folder, vertexFiles));
        Quality quality = recount.report(told.quality().deadLetters());
        if (folder.manifest().counts().edges() != quality.edges()) {
            throw new IOException("%s counts %d edges, and its shards have %d"
                    .formatted(assignment, folder.manifest().counts().edges(), quality.edges()));
        }
        if (!quality.equals(told.quality())) {
            throw new IOException("%s reports another quality than its shards have: %s, but counted %s"
                    .formatted(OutputFolder.REPORT, summary(told.quality()), summary(quality)));
        }
        if (input != null) {
            String dedupe = folder.manifest().run().parameters().get(RunDescription.DEDUPE);
            VertexNames names = folder.readNames().orElse(null);
            compareWithInput(recount.fingerprint(), true, names, dedupe, progress);
        }
        return new RunReport(told.algorithm(), told.seed(), quality, 0, 0);
    }

    private void refuse(Optional<String> difference) throws IOException {
        if (difference.isPresent()) {
            throw new IOException("%s: %s".formatted(assignment, difference.get()));
        }
    }

    private static String summary(Quality quality) {
        return "%d edges, %d vertices and %d replicas".formatted(quality.edges(), quality.vertices(), quality.copies());
    }

    /**
     * Returns what the lines of a file of partitions stand for, told from their number; anything else is an assignment
     * of edges.
     *
     * @throws IOException if the number of lines fits neither edges nor vertices, or both; the message is meant for
     *     users
     */
    public LineKind kind() throws IOException {
        if (input == null || Files.isDirectory(assignment) || !isPartFile()) {
            return LineKind.EDGE;
        }
        try (Progress progress = display.begin("count edges")) {
            return LineKind.tell(assignment, input, progress);
        }
    }

    /** Returns whether each line is one number. */
    public boolean isPartFile() throws IOException {
        try (PartFileReader reader = PartFileReader.open(assignment)) {
            reader.read(new int[1], 0, 1);
            return true;
        } catch (IOException e) {
            return Files.notExists(assignment); // its first line is more than one number
        }
    }

    private Quality ofPartFile(Progress progress) throws IOException {
        if (input == null) {
            throw new IOException(
                    "%s has a partition for each edge, but no edges; name them with --edges".formatted(assignment));
        }
        int[] partitions = PartFileReader.readAll(assignment);
        EdgePartitionAudit recount =
                new EdgePartitionAudit(Arrays.stream(partitions).max().orElse(0) + 1);
        long rejected = 0;
        int used = 0;
        try (EdgeFileSupplier edges = new EdgeFileSupplier(input)) {
            for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                if (used + batch.size() > partitions.length) {
                    throw otherLength(partitions.length, "more");
                }
                recount.add(batch, Arrays.copyOfRange(partitions, used, used + batch.size()));
                used += batch.size();
                rejected += batch.rejected().size();
                progress.update(used, edges.share(), "");
            }
        }
        if (used < partitions.length) {
            throw otherLength(partitions.length, Integer.toString(used));
        }
        return recount.report(rejected);
    }

    private IOException otherLength(int lines, String edges) {
        return new IOException(
                "%s has %d lines, but --edges has %s edges; it must have the partition of the i-th edge in line i"
                        .formatted(assignment, lines, edges));
    }

    private Quality ofTriples(Progress progress) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        int[] partitions = new int[EdgeBatch.DEFAULT_CAPACITY];
        int highest = 0;
        try (EdgeAssignmentReader reader = EdgeAssignmentReader.open(assignment)) {
            for (int count; (count = reader.read(batch, partitions)) > 0; ) {
                highest = Math.max(
                        highest, Arrays.stream(partitions, 0, count).max().orElse(0));
            }
        }
        EdgePartitionAudit recount = new EdgePartitionAudit(highest + 1);
        long counted = 0;
        try (EdgeAssignmentReader reader = EdgeAssignmentReader.open(assignment)) {
            for (int count; (count = reader.read(batch, partitions)) > 0; ) {
                recount.add(batch, partitions);
                counted += count;
                progress.update(counted, Double.NaN, "");
            }
        }
        long rejected = input == null ? 0 : compareWithInput(recount.fingerprint(), false, null, null, progress);
        return recount.report(rejected);
    }

    /**
     * Returns the number of malformed records of the input.
     *
     * @param names the numbers of text ids, null where ids are integers
     * @param dedupe the rule by which duplicates were dropped, null for none
     */
    private long compareWithInput(
            Fingerprint assigned,
            boolean withAttributes,
            @Nullable VertexNames names,
            @Nullable String dedupe,
            Progress progress)
            throws IOException {
        if (input == null) {
            throw new IllegalStateException("there is no input to compare with");
        }
        Fingerprint given = Fingerprint.NONE;
        long rejected = 0;
        DistinctEdges distinct = dedupe == null ? null : DistinctEdges.inMemory(DuplicateRule.of(dedupe));
        try (EdgeFileSupplier edges = new EdgeFileSupplier(input, names)) {
            for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                EdgeBatch assignable = distinct == null ? batch : distinct.of(batch);
                given = given.plus(withAttributes ? assignable : endsOf(assignable));
                rejected += batch.rejected().size();
                progress.update(given.edges(), edges.share(), "");
            }
        }
        if (given.edges() != assigned.edges()) {
            throw new IOException("%s assigns %s, but --edges has %,d"
                    .formatted(assignment, Counted.of(assigned.edges(), "edge"), given.edges()));
        }
        if (!given.equals(assigned)) {
            throw new IOException("%s assigns as many edges as --edges has, %d, but not the same ones"
                    .formatted(assignment, given.edges()));
        }
        return rejected;
    }

    private static EdgeBatch endsOf(EdgeBatch batch) {
        EdgeBatch ends = new EdgeBatch(Math.max(1, batch.size()));
        for (int i = 0; i < batch.size(); i++) {
            ends.add(batch.source(i), batch.target(i));
        }
        return ends;
    }

    private static RunReport ofOtherTool(Quality quality) {
        return new RunReport(OTHER_TOOL, 0, quality, 0, 0);
    }
}
