package io.cutwater.kafka.registry;

import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.JsonFieldReader;
import io.cutwater.kafka.field.MalformedBytesException;
import io.cutwater.kafka.field.avro.AvroFieldReader;
import io.cutwater.kafka.field.avro.AvroFieldSchema;
import io.cutwater.kafka.field.avro.AvroSchemas;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The languages of schemas, by their names in Confluent's API. */
public enum SchemaType {
    /** The records are Avro in binary encoding. */
    AVRO,
    /** JSON Schema; the records are JSON, which is read without the schema. */
    JSON;

    private static final int MAX_REFERENCES = 1_000;

    /**
     * Creates a reader of records of a schema.
     *
     * @throws MalformedBytesException if the schema cannot be used; the message is a reason for its records
     */
    FieldReader reader(RegisteredSchema schema, RegistryClient registry, FieldTree tree)
            throws RegistryUnavailableException, InterruptedException {
        require(schema);
        return this == JSON ? new JsonFieldReader(tree, false) : new AvroFieldReader(avro(schema, registry), tree);
    }

    /**
     * Returns the fields of a schema; null if records may have others.
     *
     * @throws MalformedBytesException if the schema cannot be used
     */
    @Nullable FieldSchema fields(RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        require(schema);
        return this == JSON ? null : new AvroFieldSchema(avro(schema, registry));
    }

    private void require(RegisteredSchema schema) {
        if (!schema.type().isEmpty() && !schema.type().equals(name())) {
            throw new MalformedBytesException(
                    "its schema is %s, and --event-format asks for %s".formatted(schema.type(), name()));
        }
    }

    private static Schema avro(RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        // Old schemas may have names and defaults that are not allowed any more; neither matters for reading.
        Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
        try {
            parseReferences(schema, registry, parser, new HashSet<>());
            return AvroSchemas.parse(parser, schema.text());
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("its schema cannot be used: " + e.getMessage());
        }
    }

    private static void parseReferences(
            RegisteredSchema schema,
            RegistryClient registry,
            Schema.Parser parser,
            Set<RegisteredSchema.Reference> parsed)
            throws RegistryUnavailableException, InterruptedException {
        for (RegisteredSchema.Reference reference : schema.references()) {
            if (parsed.size() == MAX_REFERENCES) {
                throw new MalformedBytesException("its schema uses more than %d others".formatted(MAX_REFERENCES));
            }
            if (parsed.add(reference)) {
                RegisteredSchema used = registry.referenced(reference);
                if (used == null) {
                    throw new MalformedBytesException(
                            "its schema uses version %d of %s, which the registry does not have"
                                    .formatted(reference.version(), reference.subject()));
                }
                parseReferences(used, registry, parser, parsed);
                AvroSchemas.parse(parser, used.text());
            }
        }
    }
}
