package io.cutwater.kafka.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.cutwater.format.text.Excerpt;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one JSON object: an edge, a removal of one, or a removal of a vertex. Unknown fields are skipped, and the
 * last of duplicate fields counts.
 */
final class JsonEdgeDecoder implements EdgeEventDecoders.ValueDecoder {
    private static final JsonFactory JSON = new JsonFactory();

    private final @Nullable String refusalOfRemovals;
    private final @Nullable TextEnds texts;
    private final boolean hasKeys;
    private boolean isRemoval;
    private boolean isVertexRemoval;
    private boolean hasSource;
    private boolean hasTarget;
    private boolean hasKey;
    private long vertex;
    private long source;
    private long target;
    private double weight;
    private long timestamp;
    private long key;
    private long integer;

    /**
     * @param refusalOfRemovals why a removal is rejected; null to accept removals
     * @param texts turns the texts of ends into ids; null for ends that are integers
     * @param hasKeys whether each edge must have a key; else keys are skipped
     */
    JsonEdgeDecoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts, boolean hasKeys) {
        this.refusalOfRemovals = refusalOfRemovals;
        this.texts = texts;
        this.hasKeys = hasKeys;
    }

    @Override
    public @Nullable String decode(byte[] value, EdgeBatch into) {
        isRemoval = false;
        isVertexRemoval = false;
        hasSource = false;
        hasTarget = false;
        hasKey = false;
        weight = Double.NaN;
        timestamp = EdgeBatch.NO_TIMESTAMP;
        String reason;
        try (JsonParser parser = JSON.createParser(value)) {
            reason = readObject(parser);
        } catch (JsonProcessingException e) {
            return "the value is not valid JSON: " + firstLine(e.getOriginalMessage());
        } catch (IOException e) {
            return "the value is not valid JSON: " + firstLine(e.getMessage());
        }
        if (reason != null) {
            return reason;
        }
        if (isRemoval && refusalOfRemovals != null) {
            return refusalOfRemovals;
        }
        if (isVertexRemoval && texts != null) {
            texts.addRemoval(into);
            return null;
        }
        if (hasKeys && isRemoval && !isVertexRemoval) {
            into.add(0, 0);
            into.setRemoval(into.size() - 1);
            into.setKey(into.size() - 1, key);
            return null;
        }
        into.add(source, target, weight, timestamp);
        if (isVertexRemoval) {
            into.setVertexRemoval(into.size() - 1);
            return null;
        }
        if (texts != null) {
            texts.set(into);
        }
        if (isRemoval) {
            into.setRemoval(into.size() - 1);
        }
        if (hasKeys) {
            into.setKey(into.size() - 1, key);
        }
        return null;
    }

    private @Nullable String readObject(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return "the value is not a JSON object";
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            String reason = readField(name, parser.nextToken(), parser);
            if (reason != null) {
                return reason;
            }
        }
        if (parser.nextToken() != null) {
            return "the value has text after its JSON object";
        }
        if (isVertexRemoval) {
            source = vertex;
            target = vertex;
            return isRemoval && !hasSource && !hasTarget
                    ? null
                    : "vertex is for the removal of a vertex, which has op remove, and neither src nor dst";
        }
        if (hasKeys && !hasKey) {
            return "key is missing; the job has --edge-key, so an edge needs a 64-bit key, as a removal does";
        }
        if (hasKeys && isRemoval) {
            return null;
        }
        if (!hasSource || !hasTarget) {
            return (hasSource ? "dst" : "src") + " is missing; an edge needs src and dst";
        }
        return null;
    }

    private @Nullable String readField(String name, JsonToken token, JsonParser parser) throws IOException {
        return switch (name) {
            case "src" -> readSource(name, token, parser);
            case "vertex" -> readVertex(name, token, parser);
            case "dst" -> readTarget(name, token, parser);
            case "key" -> {
                if (hasKeys) {
                    yield readKey(name, token, parser);
                }
                parser.skipChildren();
                yield null;
            }
            case "op" -> token == JsonToken.VALUE_NULL ? null : readOperation(parser.getText());
            case "weight" -> token == JsonToken.VALUE_NULL ? null : readWeight(token, parser);
            case "timestamp" -> token == JsonToken.VALUE_NULL ? null : readTimestamp(name, token, parser);
            default -> {
                parser.skipChildren();
                yield null;
            }
        };
    }

    private @Nullable String readSource(String name, JsonToken token, JsonParser parser) throws IOException {
        hasSource = true;
        if (texts != null) {
            return readText(name, token, parser, texts);
        }
        String reason = readInteger(name, token, parser);
        source = integer;
        return reason;
    }

    private @Nullable String readVertex(String name, JsonToken token, JsonParser parser) throws IOException {
        isVertexRemoval = true;
        if (texts != null) {
            return readText(name, token, parser, texts);
        }
        String reason = readInteger(name, token, parser);
        vertex = integer;
        return reason;
    }

    private @Nullable String readTarget(String name, JsonToken token, JsonParser parser) throws IOException {
        hasTarget = true;
        if (texts != null) {
            return isText(token)
                    ? named(
                            name,
                            texts.readTarget(
                                    parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()))
                    : notText(name, parser);
        }
        String reason = readInteger(name, token, parser);
        target = integer;
        return reason;
    }

    /** Reads the text of the source, or of the vertex that is removed. */
    private static @Nullable String readText(String name, JsonToken token, JsonParser parser, TextEnds texts)
            throws IOException {
        return isText(token)
                ? named(
                        name,
                        texts.readSource(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength()))
                : notText(name, parser);
    }

    private static boolean isText(JsonToken token) {
        return token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
    }

    private static String notText(String name, JsonParser parser) throws IOException {
        return name + " is neither text nor an integer: " + Excerpt.of(parser.getText());
    }

    private static @Nullable String named(String name, @Nullable String reason) {
        return reason == null ? null : name + " " + reason;
    }

    private @Nullable String readOperation(String operation) {
        isRemoval = operation.equals("remove");
        return isRemoval || operation.equals("add") ? null : "op must be add or remove: " + Excerpt.of(operation);
    }

    private @Nullable String readWeight(JsonToken token, JsonParser parser) throws IOException {
        weight = token.isNumeric() ? parser.getDoubleValue() : Double.NaN;
        return Double.isFinite(weight) ? null : "weight is not a finite number: " + Excerpt.of(parser.getText());
    }

    private @Nullable String readTimestamp(String name, JsonToken token, JsonParser parser) throws IOException {
        String reason = readInteger(name, token, parser);
        timestamp = integer;
        return reason == null && timestamp == EdgeBatch.NO_TIMESTAMP
                ? "timestamp " + timestamp + " is reserved for edges without one"
                : reason;
    }

    private @Nullable String readKey(String name, JsonToken token, JsonParser parser) throws IOException {
        hasKey = true;
        String reason = readInteger(name, token, parser);
        key = integer;
        return reason == null && key == EdgeBatch.NO_KEY
                ? "key %d stands for none; use another one".formatted(key)
                : reason;
    }

    private @Nullable String readInteger(String name, JsonToken token, JsonParser parser) throws IOException {
        if (token != JsonToken.VALUE_NUMBER_INT) {
            return name + " is not an integer: " + Excerpt.of(parser.getText());
        }
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            return name + " does not fit in 64 bits: " + Excerpt.of(parser.getText());
        }
        integer = parser.getLongValue();
        return null;
    }

    private static String firstLine(@Nullable String message) {
        return message == null
                ? "it is unreadable"
                : message.lines().findFirst().orElse("it is unreadable");
    }
}
