package io.cutwater.format.vertex;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.text.Excerpt;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decodes the JSON form of a vertex record, written by producers without our codec; unknown fields are skipped. */
final class VertexRecordJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Decodes a record from a JSON object.
     *
     * @param ofKey the id of the key, null if there is no key
     */
    VertexRecord decode(@Nullable Long ofKey, byte[] value) {
        JsonNode root;
        try {
            root = JSON.readTree(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the value is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the value is not valid JSON: " + e.getMessage(), e);
        }
        return new VertexRecord(vertex(ofKey, root), features(root), label(root), split(root));
    }

    private static long vertex(@Nullable Long ofKey, JsonNode root) {
        JsonNode id = root.path("id");
        if (id.isMissingNode() || id.isNull()) {
            if (ofKey == null) {
                throw new IllegalArgumentException("neither the key nor the value has an id");
            }
            return ofKey;
        }
        if (!id.isIntegralNumber() || !id.canConvertToLong()) {
            throw new IllegalArgumentException("id is not a 64-bit integer: " + Excerpt.of(id.toString()));
        }
        if (ofKey != null && ofKey != id.longValue()) {
            throw new IllegalArgumentException(
                    "the key is of vertex %d, and the value of vertex %d; a topic that keeps the"
                                    .formatted(ofKey, id.longValue())
                            + " last record of each key would lose one");
        }
        return id.longValue();
    }

    private static float[] features(JsonNode root) {
        JsonNode array = root.path("features");
        if (array.isMissingNode() || array.isNull()) {
            return new float[0];
        }
        if (!array.isArray()) {
            throw new IllegalArgumentException("features is not an array of numbers: " + Excerpt.of(array.toString()));
        }
        float[] features = new float[array.size()];
        for (int i = 0; i < features.length; i++) {
            JsonNode feature = array.get(i);
            features[i] = feature.floatValue();
            if (!feature.isNumber() || !Float.isFinite(features[i])) {
                throw new IllegalArgumentException(
                        "feature %d is not a finite 32-bit number: %s".formatted(i, Excerpt.of(feature.toString())));
            }
        }
        return features;
    }

    private static int label(JsonNode root) {
        JsonNode label = root.path("label");
        if (label.isMissingNode() || label.isNull()) {
            return VertexRecord.NO_LABEL;
        }
        if (!label.isIntegralNumber() || !label.canConvertToInt() || label.intValue() < VertexRecord.NO_LABEL) {
            throw new IllegalArgumentException(
                    "label is not an integer from 0, or -1: " + Excerpt.of(label.toString()));
        }
        return label.intValue();
    }

    private static VertexSplit split(JsonNode root) {
        JsonNode split = root.path("split");
        if (split.isMissingNode() || split.isNull()) {
            return VertexSplit.NONE;
        }
        if (!split.isTextual()) {
            throw new IllegalArgumentException("split is not a word: " + Excerpt.of(split.toString()));
        }
        return VertexSplit.of(split.textValue());
    }
}
