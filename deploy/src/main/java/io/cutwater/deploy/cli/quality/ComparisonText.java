package io.cutwater.deploy.cli.quality;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.compare.Result;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import java.util.List;
import java.util.Locale;

/** Prints a comparison as a table for each kind of partitioning, or as JSON. */
final class ComparisonText {
    private static final double MILLION = 1e6;
    private static final String EDGE_ROW = "%-14s%s%6s%8s%14s%16s%10s%11s%s%n";
    private static final String VERTEX_ROW = "%-14s%s%6s%10s%16s%16s%8s%10s%11s%s%n";

    /** The length of "passes" in the heading. */
    private static final int LEAST_PASSES = 6;

    private static final String TRAINING_CELL = "%18s";

    private ComparisonText() {}

    static String tables(List<Result> results) {
        boolean hasTraining =
                results.stream().anyMatch(result -> result.report().training() != null);
        String trainingTitle = hasTraining ? String.format(TRAINING_CELL, "training balance") : "";
        int width = results.stream()
                .mapToInt(result -> result.candidate().label().length())
                .reduce(LEAST_PASSES, Math::max);
        StringBuilder edges = new StringBuilder();
        StringBuilder vertices = new StringBuilder();
        for (Result result : results) {
            RunReport report = result.report();
            Quality quality = report.quality();
            if (report.kind() == PartitioningKind.EDGE) {
                row(
                        edges,
                        EDGE_ROW,
                        report.algorithm(),
                        passes(result.candidate().label(), width),
                        quality.partitions(),
                        number("%.2f", quality.replicationFactor()),
                        number("%.3f", quality.loadBalance()),
                        number("%.3f", quality.vertexBalance()),
                        number("%.2f", report.seconds()),
                        number("%.2f", report.edgesPerSecond() / MILLION),
                        training(report));
            } else {
                row(
                        vertices,
                        VERTEX_ROW,
                        report.algorithm(),
                        passes(result.candidate().label(), width),
                        quality.partitions(),
                        number("%.3f", quality.edgeCutRatio().orElseThrow()),
                        number("%.3f", quality.vertexBalance()),
                        number("%.3f", quality.loadBalance()),
                        number("%.2f", quality.replicationFactor()),
                        number("%.2f", report.seconds()),
                        number("%.2f", report.edgesPerSecond() / MILLION),
                        training(report));
            }
        }
        StringBuilder text = new StringBuilder();
        if (!edges.isEmpty()) {
            text.append(String.format("edge partitioning: RF is replicas per vertex%n"));
            row(
                    text,
                    EDGE_ROW,
                    "algorithm",
                    passes("passes", width),
                    "k",
                    "RF",
                    "edge balance",
                    "vertex balance",
                    "seconds",
                    "M edges/s",
                    trainingTitle);
            text.append(edges);
        }
        if (!vertices.isEmpty()) {
            text.append(edges.isEmpty() ? "" : System.lineSeparator())
                    .append(String.format(
                            "vertex partitioning: RF is copies per vertex, every owner with all neighbours%n"));
            row(
                    text,
                    VERTEX_ROW,
                    "algorithm",
                    passes("passes", width),
                    "k",
                    "edge cut",
                    "vertex balance",
                    "volume balance",
                    "RF",
                    "seconds",
                    "M edges/s",
                    trainingTitle);
            text.append(vertices);
        }
        return text.toString();
    }

    /**
     * One report for each row, with the keys of {@code deploy/docs/reference/quality.md} and {@code passes}; without
     * the memory of the process, which is that of all rows together.
     */
    static ArrayNode json(List<Result> results) {
        ArrayNode array = JsonText.array();
        for (Result result : results) {
            ObjectNode report = ReportJson.tree(result.report());
            report.remove("peakMemoryBytes");
            report.put("passes", result.candidate().passesLabel());
            Integer buffer = result.candidate().buffer();
            if (buffer != null) {
                report.put("buffer", buffer);
            }
            array.add(report);
        }
        return array;
    }

    private static String passes(String label, int width) {
        return String.format("%-" + (width + 2) + "s", label);
    }

    private static String training(RunReport report) {
        TrainingQuality training = report.training();
        return training == null ? "" : String.format(TRAINING_CELL, number("%.3f", training.balance()));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static void row(StringBuilder text, String format, Object... cells) {
        text.append(String.format(Locale.ROOT, format, cells));
    }
}
