package io.cutwater.deploy.cli.partition;

import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.VertexQuality;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A report on standard output: for people, or as JSON. */
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
        if (quality instanceof EdgeQuality edge) {
            rows(text, edge);
        } else if (quality instanceof VertexQuality vertex) {
            rows(text, vertex);
        }
        row(text, "time", "%.1f s, %,.0f edges/s", report.seconds(), report.edgesPerSecond());
        row(text, "peak memory", "%,d MiB", report.peakMemoryBytes() >> 20);
        return text.toString();
    }

    private static void rows(StringBuilder text, EdgeQuality quality) {
        List<EdgeQuality.PartitionQuality> each = quality.perPartition();
        row(text, "replication factor", "%.4f  replicas per vertex", quality.replicationFactor());
        row(text, "edge balance", "%.4f  fullest partition over the average", quality.edgeBalance());
        row(text, "vertex balance", "%.4f  the same of replicas", quality.vertexBalance());
        row(text, "edges each", "%s", range(each, EdgeQuality.PartitionQuality::edges));
        row(text, "vertices each", "%s", range(each, EdgeQuality.PartitionQuality::vertices));
    }

    private static void rows(StringBuilder text, VertexQuality quality) {
        List<VertexQuality.PartitionQuality> each = quality.perPartition();
        row(text, "edge-cut ratio", "%.4f  edges between partitions", quality.edgeCutRatio());
        row(text, "vertex balance", "%.4f  fullest partition over the average", quality.vertexBalance());
        row(text, "volume balance", "%.4f  the same of degrees", quality.volumeBalance());
        row(
                text,
                "replication factor",
                "%.4f  copies per vertex, every owner with all neighbours",
                quality.replicationFactorFullNeighbours());
        row(text, "vertices each", "%s", range(each, VertexQuality.PartitionQuality::owned));
        row(text, "halo vertices each", "%s", range(each, VertexQuality.PartitionQuality::halo));
        row(text, "edges each", "%s", range(each, VertexQuality.PartitionQuality::edges));
    }

    private static <T> String range(List<T> each, ToLongFunction<T> count) {
        long min = each.stream().mapToLong(count).min().orElse(0);
        long max = each.stream().mapToLong(count).max().orElse(0);
        return String.format(Locale.ROOT, "%,d to %,d", min, max);
    }

    private static void row(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-20s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append(System.lineSeparator());
    }
}
