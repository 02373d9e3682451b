package io.cutwater.kafka.event;

import io.cutwater.kafka.event.mapped.ChangeEventDecoder;
import io.cutwater.kafka.event.mapped.ChangedRowDecoder;
import io.cutwater.kafka.event.mapped.Tombstones;
import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.JsonEncoding;
import io.cutwater.kafka.field.avro.AvroEncoding;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that say how the records of a topic hold edges, by name without dashes, and their values. */
public final class RecordFormatOptions {
    /** The format of records that do not name theirs. */
    public static final String EVENT_FORMAT = "event-format";

    /** A file with the schema of Avro records; or the schema itself, as JSON. */
    public static final String AVRO_SCHEMA = "avro-schema";

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
        return new RecordFormatOptions(given).format();
    }

    /**
     * Returns the options with what their files hold, so that another process needs no file.
     *
     * @param given options that {@link #parse} accepts
     */
    public static Map<String, String> embedded(Map<String, String> given) {
        String file = given.getOrDefault(AVRO_SCHEMA, "").strip();
        return file.isEmpty()
                ? Map.of()
                : Map.of(AVRO_SCHEMA, AvroEncoding.of(file).schema());
    }

    private String value(String option, String otherwise) {
        String value = given.getOrDefault(option, "").strip();
        return value.isEmpty() ? otherwise : value;
    }

    private RecordFormat format() {
        FieldMapping mapping = FieldMapping.parse(
                value("source", ""), value("target", ""), value("weight", ""), value("timestamp", ""));
        String onTruncate = value("on-truncate", "fail");
        if (!onTruncate.equals("fail") && !onTruncate.equals("ignore")) {
            throw new IllegalArgumentException("--on-truncate must be fail or ignore: '%s'".formatted(onTruncate));
        }
        Tombstones tombstones = Tombstones.of(value("tombstones", "reject"));
        boolean ignoresTruncate = onTruncate.equals("ignore");
        if (format.equals(DEBEZIUM_JSON) || format.equals(DEBEZIUM_AVRO)) {
            return changes(required(mapping), ignoresTruncate, tombstones);
        }
        if (ignoresTruncate || tombstones != Tombstones.REJECT) {
            throw new IllegalArgumentException("%s is for --event-format %s or %s; leave it out"
                    .formatted(ignoresTruncate ? "--on-truncate" : "--tombstones", DEBEZIUM_JSON, DEBEZIUM_AVRO));
        }
        if (format.equals(AVRO) || format.equals(JSON) && mapping != null) {
            FieldMapping fields = required(mapping);
            return new RecordFormat.Fields(fields, encoding(fields, List.of()));
        }
        refuseSchema();
        return own(mapping);
    }

    private RecordFormat changes(FieldMapping mapping, boolean ignoresTruncate, Tombstones tombstones) {
        boolean isEnvelope = mapping.source().isIn(ChangeEventDecoder.AFTER);
        List<FieldPath> needed = List.of(FieldPath.parse(isEnvelope ? ChangeEventDecoder.OP : ChangedRowDecoder.OP));
        RecordFormat changes =
                new RecordFormat.Changes(mapping, encoding(mapping, needed), ignoresTruncate, tombstones);
        if (tombstones == Tombstones.REMOVE && format.equals(DEBEZIUM_AVRO)) {
            throw new IllegalArgumentException(
                    "--tombstones remove takes the edge from the record's key, of which --avro-schema tells no fields;"
                            + " let the transformation keep deleted rows (delete.tombstone.handling.mode=rewrite)");
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

    /** @param needed fields that the decoder reads besides the mapped ones */
    private FieldEncoding encoding(FieldMapping mapping, List<FieldPath> needed) {
        if (format.equals(JSON) || format.equals(DEBEZIUM_JSON)) {
            refuseSchema();
            return new JsonEncoding(format.equals(DEBEZIUM_JSON));
        }
        String schema = value(AVRO_SCHEMA, "");
        if (schema.isEmpty()) {
            throw new IllegalArgumentException(
                    "--event-format %s needs --avro-schema, the file with the schema of the records".formatted(format));
        }
        AvroEncoding encoding;
        try {
            encoding = AvroEncoding.of(schema);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--%s: %s".formatted(AVRO_SCHEMA, e.getMessage()), e);
        }
        FieldSchema fields = encoding.fields();
        mapping.check(fields);
        for (FieldPath field : needed) {
            if (fields.types(field).isEmpty()) {
                throw new IllegalArgumentException(
                        "--%s has no field %s, so its records are no changes that Debezium writes; read them with --event-format %s"
                                .formatted(AVRO_SCHEMA, field, AVRO));
            }
        }
        return encoding;
    }

    private void refuseSchema() {
        if (!value(AVRO_SCHEMA, "").isEmpty()) {
            throw new IllegalArgumentException("--%s is for --event-format %s or %s, not %s; leave it out"
                    .formatted(AVRO_SCHEMA, AVRO, DEBEZIUM_AVRO, format));
        }
    }

    private RecordFormat own(@Nullable FieldMapping mapping) {
        EdgeEventFormat own;
        try {
            own = EdgeEventFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--event-format must be csv, json, binary, batch, avro, debezium-json or debezium-avro: '%s'"
                            .formatted(format),
                    e);
        }
        if (mapping != null) {
            throw new IllegalArgumentException(
                    "--source and --target are for --event-format json, avro, debezium-json or debezium-avro, not %s; leave them out"
                            .formatted(own));
        }
        return new RecordFormat.Own(own);
    }
}
