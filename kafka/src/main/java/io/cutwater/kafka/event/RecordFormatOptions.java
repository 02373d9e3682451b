package io.cutwater.kafka.event;

import io.cutwater.kafka.event.mapped.OnTruncate;
import io.cutwater.kafka.event.mapped.Tombstones;
import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.JsonEncoding;
import io.cutwater.kafka.field.avro.AvroEncoding;
import io.cutwater.kafka.field.protobuf.ProtobufEncoding;
import io.cutwater.kafka.registry.RegistryAddress;
import io.cutwater.kafka.registry.RegistryEncoding;
import io.cutwater.kafka.registry.SchemaType;
import io.cutwater.kafka.textid.TextIds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options that say how the records of a topic hold edges, by name without dashes, and their values. */
public final class RecordFormatOptions {
    /** The format of records that do not name theirs. */
    public static final String EVENT_FORMAT = "event-format";

    /** A file with the schema of Avro records; or the schema itself, as JSON. */
    public static final String AVRO_SCHEMA = "avro-schema";

    /** The URL of a registry with the schemas of the records. */
    public static final String SCHEMA_REGISTRY = "schema-registry";

    /** The absolute path of a file with credentials and keys for the registry. */
    public static final String REGISTRY_PROPERTIES = "registry-properties";

    /** A file with the types of Protobuf records; or the types themselves. */
    public static final String DESCRIPTOR = "descriptor";

    /** The field that names an edge, or {@code :key}. */
    public static final String EDGE_KEY = "edge-key";

    /** What the ends of edges are: {@code integer} or {@code text}. */
    public static final String IDS = "ids";

    /** The seed of the hashes that are the ids of texts. */
    public static final String IDS_SEED = "ids-seed";

    /** The name of the type of Protobuf records. */
    public static final String MESSAGE = "message";

    /** The key of an edge in the formats of our own that hold one. */
    private static final String OWN_KEY = "key";

    private static final String PROTOBUF = "protobuf";
    private static final String JSON = "json";
    private static final String AVRO = "avro";
    private static final String DEBEZIUM_JSON = "debezium-json";
    private static final String DEBEZIUM_AVRO = "debezium-avro";

    private final Map<String, String> given;
    private final String format;

    private RecordFormatOptions(Map<String, String> given) {
        this.given = given;
        format = value(EVENT_FORMAT, "csv");
    }

    /**
     * Parses the options.
     *
     * @param given values of the options that are given, which may be empty for none; others are not looked at
     * @throws IllegalArgumentException if a value is unknown or does not fit the others, or if a schema lacks a mapped
     *     field; the message names the option
     */
    public static RecordFormat parse(Map<String, String> given) {
        RecordFormatOptions options = new RecordFormatOptions(given);
        RecordFormat format = options.withTexts(options.format());
        if (options.isGiven(AVRO_SCHEMA) || options.isGiven(DESCRIPTOR)) {
            format.check(""); // the same for every topic
        }
        return format;
    }

    /**
     * Returns the options with what their files hold, so that another process needs no file.
     *
     * @param given options that {@link #parse} accepts
     */
    public static Map<String, String> embedded(Map<String, String> given) {
        RecordFormatOptions options = new RecordFormatOptions(given);
        String descriptor = options.value(DESCRIPTOR, "");
        if (!descriptor.isEmpty()) {
            return Map.of(
                    DESCRIPTOR,
                    ProtobufEncoding.of(descriptor, options.value(MESSAGE, "")).embedded());
        }
        String schema = options.value(AVRO_SCHEMA, "");
        return schema.isEmpty()
                ? Map.of()
                : Map.of(AVRO_SCHEMA, AvroEncoding.of(schema).schema());
    }

    private String value(String option, String otherwise) {
        String value = given.getOrDefault(option, "").strip();
        return value.isEmpty() ? otherwise : value;
    }

    private RecordFormat withTexts(RecordFormat format) {
        String ids = value(IDS, "integer");
        String seed = value(IDS_SEED, "0");
        try {
            if (ids.equals("text")) {
                return new RecordFormat.Texts(format, new TextIds(Long.parseLong(seed)));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--ids-seed must be a 64-bit integer: '%s'".formatted(seed), e);
        }
        if (!ids.equals("integer")) {
            throw new IllegalArgumentException("--ids must be integer or text: '%s'".formatted(ids));
        }
        if (!seed.equals("0")) {
            throw new IllegalArgumentException("--ids-seed needs --ids text, with which ids are hashes of text");
        }
        return format;
    }

    private RecordFormat format() {
        FieldMapping mapping = hasOwnKeys() ? null : mapping();
        OnTruncate onTruncate = OnTruncate.of(value("on-truncate", "fail"));
        Tombstones tombstones = Tombstones.of(value("tombstones", "reject"));
        if (format.equals(DEBEZIUM_JSON) || format.equals(DEBEZIUM_AVRO)) {
            return changes(required(mapping), onTruncate, tombstones);
        }
        if (onTruncate != OnTruncate.FAIL || tombstones != Tombstones.REJECT) {
            throw new IllegalArgumentException("%s is for --event-format %s or %s; leave it out"
                    .formatted(
                            onTruncate != OnTruncate.FAIL ? "--on-truncate" : "--tombstones",
                            DEBEZIUM_JSON,
                            DEBEZIUM_AVRO));
        }
        if (format.equals(AVRO)
                || format.equals(PROTOBUF)
                || format.equals(JSON) && (mapping != null || isGiven(SCHEMA_REGISTRY))) {
            return new RecordFormat.Fields(required(mapping), encoding());
        }
        refuse(AVRO_SCHEMA, SCHEMA_REGISTRY, REGISTRY_PROPERTIES, DESCRIPTOR, MESSAGE);
        return hasOwnKeys() ? ownWithKeys() : own(mapping);
    }

    private @Nullable FieldMapping mapping() {
        return FieldMapping.parse(
                value("source", ""),
                value("target", ""),
                value("weight", ""),
                value("timestamp", ""),
                value(EDGE_KEY, ""));
    }

    private RecordFormat changes(FieldMapping mapping, OnTruncate onTruncate, Tombstones tombstones) {
        RecordFormat changes = new RecordFormat.Changes(mapping, encoding(), onTruncate, tombstones);
        if (tombstones == Tombstones.REMOVE && isGiven(AVRO_SCHEMA)) {
            throw new IllegalArgumentException(
                    "--tombstones remove takes the edge from the record's key, of which --avro-schema tells no fields; give --schema-registry, or let the transformation keep deleted rows (delete.tombstone.handling.mode=rewrite)");
        }
        return changes;
    }

    private FieldMapping required(@Nullable FieldMapping mapping) {
        if (mapping == null) {
            throw new IllegalArgumentException(
                    "--event-format %s needs --source and --target, the fields with the ends of an edge, such as after.payer"
                            .formatted(format));
        }
        return mapping;
    }

    private FieldEncoding encoding() {
        if (format.equals(PROTOBUF)) {
            refuse(AVRO_SCHEMA);
        } else {
            refuse(DESCRIPTOR, MESSAGE);
        }
        boolean isJson = format.equals(JSON) || format.equals(DEBEZIUM_JSON);
        if (isJson) {
            refuse(AVRO_SCHEMA);
        }
        if (isGiven(SCHEMA_REGISTRY)) {
            if (isGiven(AVRO_SCHEMA) || isGiven(DESCRIPTOR)) {
                throw new IllegalArgumentException(
                        "--%s is for records without a registry; leave it or --schema-registry out"
                                .formatted(isGiven(DESCRIPTOR) ? DESCRIPTOR : AVRO_SCHEMA));
            }
            SchemaType type =
                    isJson ? SchemaType.JSON : format.equals(PROTOBUF) ? SchemaType.PROTOBUF : SchemaType.AVRO;
            return new RegistryEncoding(registry(), type, value(MESSAGE, ""));
        }
        if (isGiven(REGISTRY_PROPERTIES)) {
            throw new IllegalArgumentException(
                    "--registry-properties needs --schema-registry, the URL of the registry");
        }
        if (isJson) {
            return new JsonEncoding(format.equals(DEBEZIUM_JSON));
        }
        if (format.equals(PROTOBUF)) {
            if (!isGiven(DESCRIPTOR)) {
                throw new IllegalArgumentException(
                        "--event-format protobuf needs --schema-registry, the URL of the registry with the schemas of the records, or --descriptor, a file that protoc --include_imports --descriptor_set_out writes");
            }
            return ProtobufEncoding.of(value(DESCRIPTOR, ""), value(MESSAGE, ""));
        }
        if (!isGiven(AVRO_SCHEMA)) {
            throw new IllegalArgumentException(
                    "--event-format %s needs --schema-registry, the URL of the registry with the schemas of the records, or --avro-schema, a file with their schema"
                            .formatted(format));
        }
        try {
            return AvroEncoding.of(value(AVRO_SCHEMA, ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--%s: %s".formatted(AVRO_SCHEMA, e.getMessage()), e);
        }
    }

    private RegistryAddress registry() {
        String file = value(REGISTRY_PROPERTIES, "");
        if (!file.isEmpty() && !Path.of(file).isAbsolute()) {
            throw new IllegalArgumentException(
                    "--registry-properties must be an absolute path, at which every process of the Flink cluster has the file: '%s'"
                            .formatted(file));
        }
        return RegistryAddress.of(value(SCHEMA_REGISTRY, ""), file);
    }

    private boolean isGiven(String option) {
        return !value(option, "").isEmpty();
    }

    private void refuse(String... options) {
        for (String option : options) {
            if (isGiven(option)) {
                String formats = option.equals(DESCRIPTOR) || option.equals(MESSAGE)
                        ? PROTOBUF
                        : option.equals(AVRO_SCHEMA)
                                ? "avro or debezium-avro"
                                : "json with --source, debezium-json, avro, debezium-avro or protobuf";
                throw new IllegalArgumentException(
                        "--%s is for --event-format %s, not %s; leave it out".formatted(option, formats, format));
            }
        }
    }

    /** Returns whether edges in a format of our own have keys: no field is named but that of the key. */
    private boolean hasOwnKeys() {
        return isGiven(EDGE_KEY)
                && Stream.of("source", "target", "weight", "timestamp", SCHEMA_REGISTRY)
                        .noneMatch(this::isGiven)
                && Arrays.stream(EdgeEventFormat.values())
                        .anyMatch(own -> own.toString().equals(format));
    }

    private RecordFormat ownWithKeys() {
        RecordFormat keyed = new RecordFormat.Own(EdgeEventFormat.of(format), true);
        if (!value(EDGE_KEY, "").equals(OWN_KEY)) {
            throw new IllegalArgumentException(
                    "--edge-key of --event-format %s is %s, where its records have the key: '%s'; write --edge-key %s, or name the fields of other records with --source and --target"
                            .formatted(format, OWN_KEY, value(EDGE_KEY, ""), OWN_KEY));
        }
        return keyed;
    }

    private RecordFormat own(@Nullable FieldMapping mapping) {
        EdgeEventFormat own;
        try {
            own = EdgeEventFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--event-format must be csv, json, binary, batch, avro, protobuf, debezium-json or debezium-avro: '%s'"
                            .formatted(format),
                    e);
        }
        if (mapping != null) {
            throw new IllegalArgumentException(
                    "--source and --target are for --event-format json, avro, protobuf, debezium-json or debezium-avro, not %s; leave them out"
                            .formatted(own));
        }
        return new RecordFormat.Own(own);
    }
}
