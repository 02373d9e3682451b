package io.cutwater.kafka.field.avro;

import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** Parses Avro schemas of others. */
public final class AvroSchemas {
    private AvroSchemas() {}

    /**
     * Parses a schema.
     *
     * @param parser may have parsed schemas before, whose types this one uses
     * @throws IllegalArgumentException if it is none; the message says what is wrong with it
     */
    public static Schema parse(Schema.Parser parser, String json) {
        try {
            return parser.parse(json);
        } catch (AvroRuntimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (NullPointerException e) { // the way in which the library reports an unknown type
            throw new IllegalArgumentException("it uses a type that it does not define", e);
        }
    }
}
