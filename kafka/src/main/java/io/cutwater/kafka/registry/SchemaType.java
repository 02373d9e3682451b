package io.cutwater.kafka.registry;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.JsonFieldReader;
import io.cutwater.kafka.field.JsonFieldSchema;
import io.cutwater.kafka.field.MalformedBytesException;
import io.cutwater.kafka.field.avro.AvroFieldReader;
import io.cutwater.kafka.field.avro.AvroFieldSchema;
import io.cutwater.kafka.field.avro.AvroSchemas;
import io.cutwater.kafka.field.protobuf.ProtobufFiles;
import io.cutwater.kafka.field.protobuf.ProtobufFramedReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** The languages of schemas, by their names in Confluent's API. */
public enum SchemaType {
    /** The records are Avro in binary encoding. */
    AVRO,
    /** JSON Schema; the records are JSON, which is read without the schema. */
    JSON,
    /** The records are messages, each with its type among those of the schema. */
    PROTOBUF;

    private static final int MAX_REFERENCES = 1_000;

    /**
     * Creates a reader of records of a schema.
     *
     * @param message name of the type of Protobuf messages, or its last parts; empty if they may be of any type
     * @throws MalformedBytesException if the schema cannot be used; the message is a reason for its records
     */
    FieldReader reader(RegisteredSchema schema, RegistryClient registry, FieldTree tree, boolean isKey, String message)
            throws RegistryUnavailableException, InterruptedException {
        require(schema);
        return switch (this) {
            case AVRO -> new AvroFieldReader(avro(schema, registry), tree);
            case JSON -> new JsonFieldReader(tree, false);
            case PROTOBUF -> new ProtobufFramedReader(protobuf(schema, registry), tree, isKey, message);
        };
    }

    /**
     * Returns the fields of a schema.
     *
     * @param message as in {@link #reader}, but that the first type of the schema is taken if it is empty
     * @throws MalformedBytesException if the schema cannot be used
     */
    FieldSchema fields(RegisteredSchema schema, RegistryClient registry, String message)
            throws RegistryUnavailableException, InterruptedException {
        require(schema);
        return switch (this) {
            case AVRO -> new AvroFieldSchema(avro(schema, registry));
            case JSON -> json(schema);
            case PROTOBUF -> ProtobufFramedReader.fields(protobuf(schema, registry), message);
        };
    }

    private void require(RegisteredSchema schema) {
        if (!schema.type().isEmpty() && !schema.type().equals(name())) {
            throw new MalformedBytesException(
                    "its schema is %s, and --event-format asks for %s".formatted(schema.type(), name()));
        }
    }

    private static FieldSchema json(RegisteredSchema schema) {
        try {
            return JsonFieldSchema.parse(schema.text());
        } catch (IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private static Schema avro(RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        // Old schemas may have names and defaults that are not allowed any more; neither matters for reading.
        Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
        try {
            for (RegisteredSchema used : used(schema, registry).values()) {
                AvroSchemas.parse(parser, used.text());
            }
            return AvroSchemas.parse(parser, schema.text());
        } catch (IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private static FileDescriptor protobuf(RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        Map<String, String> imports = new LinkedHashMap<>();
        used(schema, registry).forEach((reference, used) -> imports.put(reference.name(), used.text()));
        try {
            return ProtobufFiles.parse(schema.text(), imports);
        } catch (IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private static MalformedBytesException unusable(IllegalArgumentException cause) {
        return new MalformedBytesException("its schema cannot be used: " + cause.getMessage());
    }

    /** Returns the schemas that one uses, each behind those that it uses. */
    private static Map<RegisteredSchema.Reference, RegisteredSchema> used(
            RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        Map<RegisteredSchema.Reference, RegisteredSchema> used = new LinkedHashMap<>();
        addUsed(schema, registry, new HashSet<>(), used);
        return used;
    }

    private static void addUsed(
            RegisteredSchema schema,
            RegistryClient registry,
            Set<RegisteredSchema.Reference> asked,
            Map<RegisteredSchema.Reference, RegisteredSchema> into)
            throws RegistryUnavailableException, InterruptedException {
        for (RegisteredSchema.Reference reference : schema.references()) {
            if (asked.size() == MAX_REFERENCES) {
                throw new MalformedBytesException("its schema uses more than %d others".formatted(MAX_REFERENCES));
            }
            if (asked.add(reference)) {
                RegisteredSchema used = registry.referenced(reference);
                if (used == null) {
                    throw new MalformedBytesException("its schema uses %s, and the registry has no %s"
                            .formatted(reference.name(), reference.path()));
                }
                addUsed(used, registry, asked, into);
                into.put(reference, used);
            }
        }
    }
}
