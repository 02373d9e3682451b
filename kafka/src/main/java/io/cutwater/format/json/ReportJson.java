package io.cutwater.format.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes a report as JSON, with the keys of {@code deploy/docs/reference/quality.md} that apply. Ratios
 * and rates are written for readers, and computed again from the counts when a report is read. Unknown keys are
 * skipped.
 */
public final class ReportJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String START_UP = "startUpSeconds";
    private static final String UNKNOWN_REMOVALS = "unknownRemovals";
    private static final String SHARD_TOPIC_PARTITIONS = "shardTopicPartitions";
    private static final String WITH_FEATURES = "verticesWithFeatures";
    private static final String WITH_LABELS = "verticesWithLabels";

    private ReportJson() {}

    /** Encodes the report on one line, in UTF-8. */
    public static byte[] toBytes(RunReport report) {
        return tree(report).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Encodes the part of the report about the whole graph, without its partitions; on one line, in UTF-8. */
    public static byte[] toShortBytes(RunReport report) {
        return withTimes(summary(report), report).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether these are bytes of {@link #toShortBytes}, which {@link #read} does not accept. */
    public static boolean isShort(byte[] bytes) {
        try {
            JsonNode report = JSON.readTree(bytes);
            return report.has("edges") && !report.has("perPartition");
        } catch (IOException e) {
            return false;
        }
    }

    private static ObjectNode withTimes(ObjectNode tree, RunReport report) {
        tree.put("seconds", report.seconds());
        if (report.startUpSeconds() > 0) {
            tree.put(START_UP, report.startUpSeconds());
        }
        return tree.put("edgesPerSecond", report.edgesPerSecond()).put("peakMemoryBytes", report.peakMemoryBytes());
    }

    /** Formats the report on several lines, without a last line end. */
    public static String toPrettyString(RunReport report) {
        return tree(report).toPrettyString();
    }

    /** Returns the report as a new tree that may be extended. */
    public static ObjectNode tree(RunReport report) {
        ObjectNode tree = withTimes(summary(report), report);
        ArrayNode perPartition = tree.putArray("perPartition");
        boolean isOfVertices = report.kind().hasOwners();
        for (PartitionQuality partition : report.quality().perPartition()) {
            ObjectNode entry = perPartition
                    .addObject()
                    .put("partition", partition.partition())
                    .put("vertices", partition.vertices());
            if (isOfVertices) {
                entry.put("haloVertices", partition.halo());
            }
            entry.put("edges", partition.edges());
            if (isOfVertices) {
                entry.put("volume", partition.volume());
            }
        }
        TrainingQuality training = report.training();
        for (int p = 0; training != null && p < perPartition.size(); p++) {
            ((ObjectNode) perPartition.get(p))
                    .put("trainingVertices", training.perPartition().get(p));
        }
        return tree;
    }

    /** Returns the request and the quality of the whole graph, without time, memory and partitions. */
    public static ObjectNode summary(RunReport report) {
        Quality quality = report.quality();
        ObjectNode tree = JSON.createObjectNode();
        tree.put("algorithm", report.algorithm());
        tree.put("kind", report.kind().label());
        tree.put("partitions", quality.partitions());
        tree.put("seed", report.seed());
        tree.put("vertices", quality.vertices());
        tree.put("edges", quality.edges());
        tree.put("deadLetters", quality.deadLetters());
        if (report.unknownRemovals() > 0) {
            tree.put(UNKNOWN_REMOVALS, report.unknownRemovals());
        }
        if (report.shardTopicPartitions() > 0) {
            tree.put(SHARD_TOPIC_PARTITIONS, report.shardTopicPartitions());
        }
        quality.ratios().forEach(tree::put);
        if (report.training() != null) {
            tree.put("trainingBalance", report.training().balance());
        }
        VertexCoverage coverage = report.coverage();
        if (coverage != null) {
            tree.put("featureShare", coverage.featureShare());
            tree.put("labelShare", coverage.labelShare());
            tree.put(WITH_FEATURES, coverage.withFeatures());
            tree.put(WITH_LABELS, coverage.withLabels());
        }
        return tree;
    }

    /**
     * Decodes a report.
     *
     * @throws IllegalArgumentException if the bytes are not a report
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
        Quality quality = quality(report, kind(report));
        return new RunReport(
                text(report, "algorithm"),
                integer(report, "seed"),
                quality,
                number(report, "seconds"),
                report.has(START_UP) ? number(report, START_UP) : 0,
                integer(report, "peakMemoryBytes"),
                report.has(UNKNOWN_REMOVALS) ? integer(report, UNKNOWN_REMOVALS) : 0,
                report.has(SHARD_TOPIC_PARTITIONS) ? smallInteger(report, SHARD_TOPIC_PARTITIONS) : 0,
                training(report),
                coverage(report, quality));
    }

    private static @Nullable VertexCoverage coverage(JsonNode report, Quality quality) {
        return report.has(WITH_FEATURES)
                ? new VertexCoverage(quality.vertices(), integer(report, WITH_FEATURES), integer(report, WITH_LABELS))
                : null;
    }

    private static @Nullable TrainingQuality training(JsonNode report) {
        if (!report.has("trainingBalance")) {
            return null;
        }
        List<Long> perPartition = new ArrayList<>();
        for (JsonNode entry : required(report, "perPartition")) {
            perPartition.add(integer(entry, "trainingVertices"));
        }
        return new TrainingQuality(perPartition);
    }

    private static PartitioningKind kind(JsonNode report) {
        String label = text(report, "kind");
        for (PartitioningKind kind : PartitioningKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("key kind of the report must be edge or vertex: " + label);
    }

    private static Quality quality(JsonNode report, PartitioningKind kind) {
        boolean isOfVertices = kind.hasOwners();
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (JsonNode entry : required(report, "perPartition")) {
            perPartition.add(new PartitionQuality(
                    smallInteger(entry, "partition"),
                    integer(entry, "vertices"),
                    isOfVertices ? integer(entry, "volume") : 0,
                    isOfVertices ? integer(entry, "haloVertices") : 0,
                    integer(entry, "edges")));
        }
        return new Quality(
                kind,
                smallInteger(report, "partitions"),
                integer(report, "vertices"),
                integer(report, "edges"),
                integer(report, "deadLetters"),
                perPartition);
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
