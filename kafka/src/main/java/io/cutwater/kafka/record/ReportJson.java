package io.cutwater.kafka.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.state.quality.QualityReport;
import io.cutwater.state.quality.QualityReport.PartitionQuality;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The report as JSON, with the keys that the README promises: ratios are written for readers, and computed again from
 * the counts when the report is read. Keys that this program does not know are skipped.
 */
public final class ReportJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReportJson() {}

    /** On one line, UTF-8. */
    public static byte[] toBytes(RunReport report) {
        return tree(report).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Over several lines, without a last line end. */
    public static String toPrettyString(RunReport report) {
        return tree(report).toPrettyString();
    }

    /**
     * The report that the bytes hold.
     *
     * @throws IllegalArgumentException with one sentence if the bytes are not a report
     */
    public static RunReport read(byte[] bytes) {
        JsonNode report;
        try {
            report = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the report is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the report is not valid JSON: " + e.getMessage(), e);
        }
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (JsonNode entry : required(report, "perPartition")) {
            perPartition.add(new PartitionQuality(
                    smallInteger(entry, "partition"), integer(entry, "vertices"), integer(entry, "edges")));
        }
        QualityReport quality = new QualityReport(
                smallInteger(report, "partitions"),
                integer(report, "vertices"),
                integer(report, "edges"),
                integer(report, "deadLetters"),
                perPartition);
        return new RunReport(
                text(report, "algorithm"),
                text(report, "kind"),
                integer(report, "seed"),
                quality,
                number(report, "seconds"),
                number(report, "edgesPerSecond"),
                integer(report, "peakMemoryBytes"));
    }

    /** As a tree of its own, which may be added to. */
    public static ObjectNode tree(RunReport report) {
        QualityReport quality = report.quality();
        ObjectNode tree = JSON.createObjectNode();
        tree.put("algorithm", report.algorithm());
        tree.put("kind", report.kind());
        tree.put("partitions", quality.partitions());
        tree.put("seed", report.seed());
        tree.put("vertices", quality.vertices());
        tree.put("edges", quality.edges());
        tree.put("deadLetters", quality.deadLetters());
        tree.put("replicationFactor", quality.replicationFactor());
        tree.put("edgeBalance", quality.edgeBalance());
        tree.put("vertexBalance", quality.vertexBalance());
        tree.put("seconds", report.seconds());
        tree.put("edgesPerSecond", report.edgesPerSecond());
        tree.put("peakMemoryBytes", report.peakMemoryBytes());
        ArrayNode perPartition = tree.putArray("perPartition");
        for (PartitionQuality partition : quality.perPartition()) {
            perPartition
                    .addObject()
                    .put("partition", partition.partition())
                    .put("vertices", partition.vertices())
                    .put("edges", partition.edges());
        }
        return tree;
    }

    private static long integer(JsonNode object, String key) {
        JsonNode value = required(object, key);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("key %s of the report is not a 64-bit integer".formatted(key));
        }
        return value.longValue();
    }

    private static int smallInteger(JsonNode object, String key) {
        long value = integer(object, key);
        if (value != (int) value) {
            throw new IllegalArgumentException("key %s of the report is out of range: %d".formatted(key, value));
        }
        return (int) value;
    }

    private static double number(JsonNode object, String key) {
        JsonNode value = required(object, key);
        if (!value.isNumber()) {
            throw new IllegalArgumentException("key %s of the report is not a number".formatted(key));
        }
        return value.doubleValue();
    }

    private static String text(JsonNode object, String key) {
        JsonNode value = required(object, key);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("key %s of the report is not a string".formatted(key));
        }
        return value.textValue();
    }

    private static JsonNode required(JsonNode object, String key) {
        JsonNode value = object.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the report has no key " + key);
        }
        return value;
    }
}
