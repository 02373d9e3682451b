package io.cutwater.kafka.field.avro;

import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Values are Avro records of one schema, in binary encoding, with nothing before them. Keys are not read.
 *
 * @param schema as JSON
 */
public record AvroEncoding(String schema) implements FieldEncoding {
    /**
     * Reads a schema.
     *
     * @param fileOrSchema the path of a file of JSON; or the schema as a JSON object or list
     * @throws IllegalArgumentException if it cannot be read or is no schema of a record; the message is meant for users
     */
    public static AvroEncoding of(String fileOrSchema) {
        boolean isSchema = fileOrSchema.startsWith("{") || fileOrSchema.startsWith("[");
        String name = isSchema ? "the schema" : fileOrSchema;
        String json;
        try {
            json = isSchema ? fileOrSchema : Files.readString(Path.of(fileOrSchema));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "%s cannot be read; give a file with an Avro schema as JSON (.avsc)".formatted(name), e);
        }
        Schema schema;
        try {
            schema = AvroSchemas.parse(new Schema.Parser(), json);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s is no Avro schema: %s".formatted(name, e.getMessage()), e);
        }
        if (!holdsRecord(schema)) {
            throw new IllegalArgumentException("%s is the schema of a %s; give one of a record"
                    .formatted(name, schema.getType().getName()));
        }
        return new AvroEncoding(schema.toString());
    }

    private static boolean holdsRecord(Schema schema) {
        return schema.isUnion()
                ? schema.getTypes().stream().anyMatch(AvroEncoding::holdsRecord)
                : schema.getType() == Schema.Type.RECORD;
    }

    @Override
    public FieldSchema schema(String topic) {
        return new AvroFieldSchema(parsed());
    }

    @Override
    public FieldReader values(FieldTree tree) {
        return new AvroFieldReader(parsed(), tree);
    }

    @Override
    public @Nullable FieldReader keys(FieldTree tree) {
        return null;
    }

    private Schema parsed() {
        return new Schema.Parser().parse(schema);
    }
}
