package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.PartitionRun;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.quality.Quality;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** Notes about a bounded run that its report does not contain. */
record OutcomeNotes(RunRequest request, PartitionRun.Outcome outcome, PrintWriter err) {
    void print() {
        if (request.input().dedupe() != null) {
            note(
                    "dropped %,d duplicates of %,d edges",
                    outcome.duplicates(),
                    outcome.duplicates() + outcome.report().quality().edges());
        }
        if (outcome.takenAway() > 0) {
            note("%,d edges were removed again", outcome.takenAway());
        }
        if (outcome.hasFolder()) {
            outcome.vertexData()
                    .filter(data -> data.rowsWithoutEdge() > 0 || data.verticesWithoutRow() > 0)
                    .ifPresent(data -> note(
                            "%,d of %,d rows of vertex data belong to vertices without an edge and were left out;"
                                    + " %,d vertices have no row",
                            data.rowsWithoutEdge(), data.rows(), data.verticesWithoutRow()));
            if (outcome.records() == 0) {
                note("note: there is no edge in the input; the shards are empty");
            }
            printStartUp();
            printBalance();
            printFolder();
        } else {
            note(
                    "%,d of %,d records are malformed, more than --max-malformed %s allows, so there is no output"
                            + " folder; check the input%s, or allow more",
                    outcome.report().quality().deadLetters(),
                    outcome.records(),
                    request.input().maxMalformed(),
                    mayHaveNames() ? ", give --ids text if its vertices have names" : "");
        }
    }

    private boolean mayHaveNames() {
        return outcome.report().quality().edges() == 0
                && request.input().ids() == IdKind.INTEGER
                && request.input().from() instanceof InputRequest.Files;
    }

    private void printStartUp() {
        double seconds = outcome.report().seconds();
        double working = seconds - outcome.startUpSeconds();
        if (outcome.startUpSeconds() > seconds / 10 && working > 0) {
            note(
                    "Flink took %.1f of the %.1f s to start; without that the rate is %,.0f edges/s",
                    outcome.startUpSeconds(),
                    seconds,
                    outcome.report().quality().edges() / working);
        }
    }

    private void printBalance() {
        RunReport report = outcome.report();
        Quality quality = report.quality();
        double limit = 1 + request.algorithm().imbalance();
        double balance = quality.edgeBalance().orElse(quality.vertexBalance());
        if (balance > limit) {
            boolean isBounded = Algorithms.get(report.kind(), report.algorithm())
                    .boundsBalance(request.algorithm().partitioner().passMode());
            note(
                    "note: %s balance %.4f is above the %.4f of --imbalance; %s %s",
                    report.kind().label(),
                    balance,
                    limit,
                    report.algorithm(),
                    isBounded
                            ? "exceeds its bound by a few of each partition, which shows on a small input"
                            : "does not bound it here");
        }
    }

    private void printFolder() {
        Path folder = request.output().folder();
        boolean hasLabels =
                outcome.vertexData().filter(VertexDataSummary::labels).isPresent();
        note(
                "the shards are in %s; next: ./cutwater %s %s",
                folder,
                hasLabels ? "train --out model --shards" : "evaluate --edges %s --assignment".formatted(files()),
                folder);
    }

    /** Returns the files as {@code --edges} takes them. */
    private String files() {
        return request.input().from() instanceof InputRequest.Files named
                ? named.paths().stream().map(Path::toString).collect(Collectors.joining(" "))
                : "FILE";
    }

    private void note(String format, Object... values) {
        err.println("cutwater: " + String.format(Locale.ROOT, format, values));
    }
}
