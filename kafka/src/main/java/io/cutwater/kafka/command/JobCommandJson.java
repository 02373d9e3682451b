package io.cutwater.kafka.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.state.repartition.live.JobCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * Encodes and decodes commands as JSON, the values of topic {@code commands}.
 *
 * <pre>
 *   {"op":"repartition","id":"a","partitions":12,"budget":0.05,"edgesPerSecond":20000,"dryRun":false}
 *   {"op":"abort","id":"a"}
 * </pre>
 *
 * A re-partitioning requires only {@code op} and {@code id}; by default the number of partitions stays, and any edge
 * may move, at any rate.
 */
public final class JobCommandJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REPARTITION = "repartition";
    private static final String ABORT = "abort";
    private static final Set<String> REPARTITION_KEYS =
            Set.of("op", "id", "partitions", "budget", "edgesPerSecond", "dryRun");
    private static final Set<String> ABORT_KEYS = Set.of("op", "id");

    private JobCommandJson() {}

    /** Encodes a command on one line, in UTF-8. */
    public static byte[] toBytes(JobCommand command) {
        ObjectNode tree = JSON.createObjectNode();
        if (command instanceof JobCommand.Repartition repartition) {
            tree.put("op", REPARTITION).put("id", command.id());
            if (repartition.partitions() > 0) {
                tree.put("partitions", repartition.partitions());
            }
            tree.put("budget", repartition.budget());
            if (repartition.edgesPerSecond() < Long.MAX_VALUE) {
                tree.put("edgesPerSecond", repartition.edgesPerSecond());
            }
            tree.put("dryRun", repartition.isDryRun());
        } else {
            tree.put("op", ABORT).put("id", command.id());
        }
        return tree.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the bytes are not a command */
    public static JobCommand read(byte[] bytes) {
        JsonNode tree = tree(bytes);
        String op = text(tree, "op");
        return switch (op) {
            case REPARTITION -> repartition(tree);
            case ABORT -> {
                checkKeys(tree, ABORT_KEYS);
                yield new JobCommand.Abort(text(tree, "id"));
            }
            default -> throw new IllegalArgumentException("op must be repartition or abort: '%s'".formatted(op));
        };
    }

    private static JsonNode tree(byte[] bytes) {
        try {
            JsonNode tree = JSON.readTree(bytes);
            if (tree == null || !tree.isObject()) {
                throw new IllegalArgumentException("the command is not a JSON object");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the command is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the command is not valid JSON: " + e.getMessage(), e);
        }
    }

    private static JobCommand repartition(JsonNode tree) {
        checkKeys(tree, REPARTITION_KEYS);
        JsonNode partitions = tree.get("partitions");
        if (partitions != null && (!partitions.isInt() || partitions.intValue() == 0)) {
            throw new IllegalArgumentException("partitions must be a whole number from 1: " + partitions);
        }
        JsonNode budget = tree.get("budget");
        if (budget != null && !budget.isNumber()) {
            throw new IllegalArgumentException("budget must be a number: " + budget);
        }
        JsonNode rate = tree.get("edgesPerSecond");
        if (rate != null && !(rate.isIntegralNumber() && rate.canConvertToLong())) {
            throw new IllegalArgumentException("edgesPerSecond must be a whole number: " + rate);
        }
        JsonNode dryRun = tree.get("dryRun");
        if (dryRun != null && !dryRun.isBoolean()) {
            throw new IllegalArgumentException("dryRun must be true or false: " + dryRun);
        }
        return new JobCommand.Repartition(
                text(tree, "id"),
                partitions == null ? 0 : partitions.intValue(),
                budget == null ? 1 : budget.doubleValue(),
                rate == null ? Long.MAX_VALUE : rate.longValue(),
                dryRun != null && dryRun.booleanValue());
    }

    private static void checkKeys(JsonNode tree, Set<String> known) {
        Set<String> unknown = new TreeSet<>();
        tree.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(known);
        // A misspelt budget would otherwise be no budget.
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("the command has an unknown key: " + String.join(", ", unknown));
        }
    }

    private static String text(JsonNode tree, String key) {
        JsonNode value = tree.get(key);
        if (value == null || !value.isTextual()) {
            throw new IllegalArgumentException("the command has no %s, or it is not a string".formatted(key));
        }
        return value.textValue();
    }
}
