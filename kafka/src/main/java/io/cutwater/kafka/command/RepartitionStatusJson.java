package io.cutwater.kafka.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes and decodes the status of a re-partitioning as JSON: the values of topic {@code plans}, whose keys are the
 * ids in UTF-8.
 */
public final class RepartitionStatusJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RepartitionStatusJson() {}

    /** Returns the key of the record. */
    public static byte[] key(RepartitionStatus status) {
        return status.id().getBytes(StandardCharsets.UTF_8);
    }

    /** Encodes a status on one line, in UTF-8. */
    public static byte[] toBytes(RepartitionStatus status) {
        return tree(status).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the status as a new tree that may be extended. */
    public static ObjectNode tree(RepartitionStatus status) {
        ObjectNode tree = JSON.createObjectNode()
                .put("id", status.id())
                .put("generation", status.generation())
                .put("state", status.state().label())
                .put("partitionsBefore", status.partitionsBefore())
                .put("partitions", status.partitions())
                .put("edges", status.edges())
                .put("edgesToMove", status.edgesToMove())
                .put("edgesMoved", status.edgesMoved());
        if (status.budget() > 0) { // earlier builds wrote none
            tree.put("budget", status.budget());
        }
        putRatios(tree, "before", status.before());
        putRatios(tree, "expected", status.expected());
        putRatios(tree, "after", status.after());
        if (!status.reason().isEmpty()) {
            tree.put("reason", status.reason());
        }
        return tree.put("seconds", status.seconds());
    }

    private static void putRatios(ObjectNode tree, String key, Map<String, Double> ratios) {
        if (!ratios.isEmpty()) {
            ObjectNode object = tree.putObject(key);
            ratios.forEach(object::put);
        }
    }

    /** @throws IllegalArgumentException if the bytes are not a status */
    public static RepartitionStatus read(byte[] bytes) {
        JsonNode tree;
        try {
            tree = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the plan's status is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the plan's status is not valid JSON: " + e.getMessage(), e);
        }
        return new RepartitionStatus(
                required(tree, "id").asText(),
                required(tree, "generation").asLong(),
                PlanState.of(required(tree, "state").asText()),
                required(tree, "partitionsBefore").asInt(),
                required(tree, "partitions").asInt(),
                required(tree, "edges").asLong(),
                required(tree, "edgesToMove").asLong(),
                required(tree, "edgesMoved").asLong(),
                tree.path("budget").asDouble(),
                ratios(tree, "before"),
                ratios(tree, "expected"),
                ratios(tree, "after"),
                tree.path("reason").asText(),
                required(tree, "seconds").asDouble());
    }

    private static Map<String, Double> ratios(JsonNode tree, String key) {
        Map<String, Double> ratios = new TreeMap<>();
        tree.path(key)
                .properties()
                .forEach(ratio -> ratios.put(ratio.getKey(), ratio.getValue().asDouble()));
        return ratios;
    }

    private static JsonNode required(JsonNode tree, String key) {
        JsonNode value = tree == null ? null : tree.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the plan's status has no key " + key);
        }
        return value;
    }
}
