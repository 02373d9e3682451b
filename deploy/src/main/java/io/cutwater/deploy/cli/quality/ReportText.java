package io.cutwater.deploy.cli.quality;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Prints a report to standard output, as a table or as JSON. */
public final class ReportText {
    private ReportText() {}

    public static void print(PrintWriter out, RunReport report, boolean json) {
        if (json) {
            out.println(ReportJson.toPrettyString(report));
        } else {
            out.print(table(report));
        }
        out.flush();
    }

    static String table(RunReport report) {
        Quality quality = report.quality();
        StringBuilder text = new StringBuilder();
        row(
                text,
                "algorithm",
                "%s (%s partitioning), seed %d",
                report.algorithm(),
                report.kind().label(),
                report.seed());
        row(text, "partitions", "%,d", quality.partitions());
        row(text, "vertices", "%,d", quality.vertices());
        row(text, "edges", "%,d", quality.edges());
        row(text, "dead letters", "%,d", quality.deadLetters());
        if (report.unknownRemovals() > 0) {
            row(text, "unknown removals", "%,d  of edges that were not there", report.unknownRemovals());
        }
        if (report.kind() == PartitioningKind.EDGE) {
            edgeRows(text, quality);
        } else {
            vertexRows(text, quality);
        }
        double startUp = report.startUpSeconds();
        row(
                text,
                "time",
                startUp > 0 ? "%.1f s, %,.0f edges/s after %.1f s of start-up" : "%.1f s, %,.0f edges/s",
                report.seconds(),
                report.edgesPerSecond(),
                startUp);
        row(text, "peak memory", "%,d MiB", report.peakMemoryBytes() >> 20);
        return text.toString();
    }

    private static void edgeRows(StringBuilder text, Quality quality) {
        row(text, "replication factor", "%.4f  replicas per vertex", quality.replicationFactor());
        row(text, "edge balance", "%.4f  fullest partition over the average", quality.loadBalance());
        row(text, "vertex balance", "%.4f  most replicas of a partition over the average", quality.vertexBalance());
        row(text, "edges each", "%s", range(quality, PartitionQuality::edges));
        row(text, "vertices each", "%s", range(quality, PartitionQuality::vertices));
    }

    private static void vertexRows(StringBuilder text, Quality quality) {
        double cut = quality.edgeCutRatio().orElseThrow();
        row(text, "edge-cut ratio", "%.4f  edges between partitions", cut);
        row(text, "vertex balance", "%.4f  fullest partition over the average", quality.vertexBalance());
        row(text, "volume balance", "%.4f  largest sum of degrees over the average", quality.loadBalance());
        row(
                text,
                "replication factor",
                "%.4f  copies per vertex, every owner with all neighbours",
                quality.replicationFactor());
        row(text, "vertices each", "%s", range(quality, PartitionQuality::vertices));
        row(text, "halo vertices each", "%s", range(quality, PartitionQuality::halo));
        row(text, "edges each", "%s", range(quality, PartitionQuality::edges));
    }

    private static String range(Quality quality, ToLongFunction<PartitionQuality> count) {
        long min = quality.perPartition().stream().mapToLong(count).min().orElse(0);
        long max = quality.perPartition().stream().mapToLong(count).max().orElse(0);
        return String.format(Locale.ROOT, "%,d to %,d", min, max);
    }

    private static void row(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-20s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append(System.lineSeparator());
    }
}
