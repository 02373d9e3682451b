package io.cutwater.deploy.evaluation;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.format.audit.VertexAssignmentAudit;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.metis.PartFileReader;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Counts the quality of another tool's vertex partitioning: a file with the owner of vertex i in line i, from 0. */
public final class VertexEvaluation {
    private static final double NANOS = 1e9;

    private final InputRequest.Files input;
    private final Path assignment;
    private final Progress.Display display;

    public VertexEvaluation(InputRequest.Files input, Path assignment, Progress.Display display) {
        this.input = input;
        this.assignment = assignment;
        this.display = display;
    }

    /**
     * Reads owners and edges.
     *
     * @throws IOException if something cannot be read, or an end of an edge has no owner; the message is meant for
     *     users
     */
    public RunReport run() throws IOException {
        long startedAt = display.nanoTime().getAsLong();
        int[] owners = PartFileReader.readAll(assignment);
        VertexAssignmentAudit recount =
                new VertexAssignmentAudit(owners, Arrays.stream(owners).max().orElse(0) + 1);
        long edgesRead = 0;
        long rejected = 0;
        try (Progress progress = display.begin("evaluate");
                EdgeFileSupplier edges = new EdgeFileSupplier(input)) {
            for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                try {
                    recount.add(batch);
                } catch (IllegalArgumentException e) {
                    throw new IOException("%s: %s".formatted(assignment, e.getMessage()), e);
                }
                edgesRead += batch.size();
                rejected += batch.rejected().size();
                progress.update(edgesRead, edges.share(), "");
            }
        }
        double seconds = (display.nanoTime().getAsLong() - startedAt) / NANOS;
        return new RunReport(Evaluation.OTHER_TOOL, 0, recount.report(rejected), seconds, PeakMemory.bytes());
    }
}
