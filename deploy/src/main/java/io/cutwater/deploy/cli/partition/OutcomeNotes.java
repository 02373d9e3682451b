package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.PartitionRun;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.text.Counted;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** Notes about a bounded run that its report does not contain. */
record OutcomeNotes(RunRequest request, PartitionRun.Outcome outcome, PrintWriter err) {
    void print() {
        if (request.input().dedupe() != null) {
            note(
                    "dropped %s of %s",
                    Counted.of(outcome.duplicates(), "duplicate"),
                    Counted.of(outcome.duplicates() + outcome.report().quality().edges(), "edge"));
        }
        if (outcome.takenAway() > 0) {
            note(
                    "%s %s removed again",
                    Counted.of(outcome.takenAway(), "edge"), outcome.takenAway() == 1 ? "was" : "were");
        }
        if (outcome.hasFolder()) {
            outcome.vertexData()
                    .filter(data -> data.rowsWithoutEdge() > 0 || data.verticesWithoutRow() > 0)
                    .ifPresent(data -> note(
                            "left out %,d of %s of vertex data, whose vertices have no edge; vertices without a row: %,d",
                            data.rowsWithoutEdge(), Counted.of(data.rows(), "row"), data.verticesWithoutRow()));
            if (outcome.records() == 0) {
                note("note: there is no edge in the input; the shards are empty");
            }
            printBalance();
            printFolder();
        } else {
            note(
                    "%,d of %s %s malformed, more than --max-malformed %s allows, so there is no output"
                            + " folder; check the input%s, or allow more",
                    outcome.report().quality().deadLetters(),
                    Counted.of(outcome.records(), "record"),
                    Counted.are(outcome.report().quality().deadLetters()),
                    request.input().maxMalformed(),
                    mayHaveNames() ? ", give --ids text if its vertices have names" : "");
        }
    }

    private boolean mayHaveNames() {
        return outcome.report().quality().edges() == 0
                && request.input().ids() == IdKind.INTEGER
                && request.input().from() instanceof InputRequest.Files;
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
                Suggestion.quoted(folder.toString()));
    }

    /** Returns the files as {@code --edges} takes them. */
    private String files() {
        return request.input().from() instanceof InputRequest.Files named
                ? named.paths().stream()
                        .map(path -> Suggestion.quoted(path.toString()))
                        .collect(Collectors.joining(" "))
                : "FILE";
    }

    private void note(String format, Object... values) {
        err.println("cutwater: " + String.format(Locale.ROOT, format, values));
    }
}
