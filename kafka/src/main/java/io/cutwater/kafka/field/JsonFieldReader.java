package io.cutwater.kafka.field;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of a JSON object in one pass; of duplicate fields the last one counts. Kafka Connect's converter writes
 * {@code null}, or a {@code payload} that is null, for a record without a value whose schema is known.
 */
public final class JsonFieldReader implements FieldReader {
    /** The field in which Kafka Connect's converter nests a record that comes with its schema. */
    private static final String PAYLOAD = "payload";

    private static final JsonFactory JSON = new JsonFactory();

    private final FieldTree tree;
    private final boolean unwraps;

    /**
     * Creates a reader.
     *
     * @param unwraps whether the fields may be in an object {@code payload}, as Kafka Connect writes them with
     *     {@code schemas.enable}
     */
    public JsonFieldReader(FieldTree tree, boolean unwraps) {
        this.tree = tree;
        this.unwraps = unwraps;
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        into.clear();
        try (JsonParser parser = JSON.createParser(record, offset, record.length - offset)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.VALUE_NULL) {
                into.setNothing();
            } else if (first == JsonToken.START_OBJECT) {
                readObject(parser, tree.root(), unwraps, into);
            } else {
                return "it is not a JSON object";
            }
            return parser.nextToken() == null ? null : "it has text after its JSON object";
        } catch (JsonProcessingException e) {
            return "it is not valid JSON: " + firstLine(e.getOriginalMessage());
        } catch (IOException e) {
            return "it is not valid JSON: " + firstLine(e.getMessage());
        }
    }

    private void readObject(JsonParser parser, FieldTree.Node object, boolean unwrapping, FieldValues into)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            FieldTree.Node field = object.child(name);
            if (field != null) {
                into.clear(field);
                readField(parser, token, field, into);
            } else if (unwrapping && token == JsonToken.START_OBJECT && name.equals(PAYLOAD)) {
                readObject(parser, object, false, into);
            } else if (unwrapping && token == JsonToken.VALUE_NULL && name.equals(PAYLOAD)) {
                into.setNothing();
            } else {
                parser.skipChildren();
            }
        }
    }

    private void readField(JsonParser parser, JsonToken token, FieldTree.Node field, FieldValues into)
            throws IOException {
        int index = field.index();
        if (token == JsonToken.START_OBJECT) {
            if (index >= 0) {
                into.setOther(index, "an object");
            }
            readObject(parser, field, false, into);
        } else if (index < 0) {
            parser.skipChildren();
        } else {
            switch (token) {
                case VALUE_NULL -> into.setNull(index);
                case VALUE_STRING ->
                    into.setText(index, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
                case VALUE_NUMBER_INT -> readInteger(parser, index, into);
                case VALUE_NUMBER_FLOAT -> into.setDecimal(index, parser.getDoubleValue(), parser.getText());
                case START_ARRAY -> {
                    into.setOther(index, "a list");
                    parser.skipChildren();
                }
                default -> into.setOther(index, parser.getText());
            }
        }
    }

    private static void readInteger(JsonParser parser, int index, FieldValues into) throws IOException {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            into.setDecimal(index, parser.getDoubleValue(), parser.getText());
        } else {
            into.setInteger(index, parser.getLongValue());
        }
    }

    private static String firstLine(@Nullable String message) {
        return message == null
                ? "it is unreadable"
                : message.lines().findFirst().orElse("it is unreadable");
    }
}
