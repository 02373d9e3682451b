package io.cutwater.kafka.training;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Encodes and decodes values of topic {@code training-rounds}: one JSON object; numbers that are NaN are left out. */
public final class TrainingRoundJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TrainingRoundJson() {}

    /** Returns the key of the record: the id of the training. */
    public static byte[] key(TrainingRound round) {
        return round.run().getBytes(StandardCharsets.UTF_8);
    }

    /** Encodes a round on one line, in UTF-8. */
    public static byte[] toBytes(TrainingRound round) {
        ObjectNode tree = JSON.createObjectNode().put("run", round.run()).put("model", round.model());
        if (!round.mode().isEmpty()) {
            tree.put("mode", round.mode());
        }
        tree.put("round", round.round()).put("epochs", round.epochs());
        put(tree, "loss", round.loss());
        put(tree, "validationLoss", round.validationLoss());
        put(tree, "trainAccuracy", round.trainAccuracy());
        put(tree, "validationAccuracy", round.validationAccuracy());
        put(tree, "testAccuracy", round.testAccuracy());
        tree.put("seconds", round.seconds());
        put(tree, "waitingShare", round.waitingShare());
        tree.put("bytesAveraged", round.bytesAveraged())
                .put("bytesExchanged", round.bytesExchanged())
                .put("workers", round.workers())
                .put("missing", round.missing())
                .put("shards", round.shards())
                .put("vertices", round.vertices())
                .put("edges", round.edges());
        return tree.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ObjectNode tree, String key, double number) {
        if (!Double.isNaN(number)) {
            tree.put(key, number);
        }
    }

    /**
     * Decodes a round; unknown keys are skipped.
     *
     * @throws IllegalArgumentException if the bytes are not a round
     */
    public static TrainingRound read(byte[] bytes) {
        JsonNode tree;
        try {
            tree = JSON.readTree(bytes);
        } catch (IOException e) {
            throw new IllegalArgumentException("the round of a training is not valid JSON: " + e.getMessage(), e);
        }
        return new TrainingRound(
                required(tree, "run").asText(),
                required(tree, "model").asText(),
                tree.path("mode").asText(""),
                required(tree, "round").asInt(),
                required(tree, "epochs").asInt(),
                number(tree, "loss"),
                number(tree, "validationLoss"),
                number(tree, "trainAccuracy"),
                number(tree, "validationAccuracy"),
                number(tree, "testAccuracy"),
                required(tree, "seconds").asDouble(),
                number(tree, "waitingShare"),
                required(tree, "bytesAveraged").asLong(),
                tree.path("bytesExchanged").asLong(),
                tree.path("workers").asInt(),
                required(tree, "missing").asInt(),
                required(tree, "shards").asInt(),
                required(tree, "vertices").asLong(),
                required(tree, "edges").asLong());
    }

    private static double number(JsonNode tree, String key) {
        JsonNode value = tree.get(key);
        return value == null || !value.isNumber() ? Double.NaN : value.doubleValue();
    }

    private static JsonNode required(JsonNode tree, String key) {
        JsonNode value = tree == null ? null : tree.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the round of a training has no key " + key);
        }
        return value;
    }
}
