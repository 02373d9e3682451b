package io.cutwater.deploy.cli;

import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.record.VertexRunReport;
import io.cutwater.state.quality.QualityReport;
import io.cutwater.state.quality.QualityReport.PartitionQuality;
import io.cutwater.state.quality.VertexQuality;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A report on standard output: for people, or as JSON. */
final class ReportText {
    private ReportText() {}

    static void print(PrintWriter out, RunReport report, boolean json) {
        if (json) {
            out.println(ReportJson.toPrettyString(report));
        } else {
            out.print(table(report));
        }
        out.flush();
    }

    static void print(PrintWriter out, VertexRunReport report, boolean json) {
        if (json) {
            out.println(report.toPrettyString());
        } else {
            out.print(table(report));
        }
        out.flush();
    }

    private static String table(VertexRunReport report) {
        VertexQuality quality = report.quality();
        StringBuilder text = new StringBuilder();
        row(text, "algorithm", "%s (%s partitioning)", report.algorithm(), VertexRunReport.VERTEX);
        row(text, "partitions", "%,d", quality.partitions());
        row(text, "vertices", "%,d", quality.vertices());
        row(text, "edges", "%,d", quality.edges());
        row(text, "dead letters", "%,d", report.deadLetters());
        row(text, "edge-cut ratio", "%.4f  edges between partitions", quality.edgeCutRatio());
        row(text, "vertex balance", "%.4f  fullest partition over the average", quality.vertexBalance());
        row(text, "volume balance", "%.4f  the same of degrees", quality.volumeBalance());
        row(
                text,
                "replication factor",
                "%.4f  copies per vertex, every owner with all neighbours",
                quality.replicationFactorFullNeighbours());
        row(text, "time", "%.1f s, %,.0f edges/s", report.seconds(), report.edgesPerSecond());
        row(text, "peak memory", "%,d MiB", report.peakMemoryBytes() >> 20);
        return text.toString();
    }

    static String table(RunReport report) {
        QualityReport quality = report.quality();
        StringBuilder text = new StringBuilder();
        row(text, "algorithm", "%s (%s partitioning), seed %d", report.algorithm(), report.kind(), report.seed());
        row(text, "partitions", "%,d", quality.partitions());
        row(text, "vertices", "%,d", quality.vertices());
        row(text, "edges", "%,d", quality.edges());
        row(text, "dead letters", "%,d", quality.deadLetters());
        row(text, "replication factor", "%.4f  replicas per vertex", quality.replicationFactor());
        row(text, "edge balance", "%.4f  fullest partition over the average", quality.edgeBalance());
        row(text, "vertex balance", "%.4f  the same of replicas", quality.vertexBalance());
        row(text, "edges each", "%s", range(quality, PartitionQuality::edges));
        row(text, "vertices each", "%s", range(quality, PartitionQuality::vertices));
        row(text, "time", "%.1f s, %,.0f edges/s", report.seconds(), report.edgesPerSecond());
        row(text, "peak memory", "%,d MiB", report.peakMemoryBytes() >> 20);
        return text.toString();
    }

    private static String range(QualityReport quality, ToLongFunction<PartitionQuality> count) {
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
