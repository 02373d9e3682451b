package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The fields of structured records of a topic that make an edge. */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class MappingOptions {
    @Mixin
    private FieldOptions fields;

    @Option(
            names = "--avro-schema",
            paramLabel = "FILE",
            defaultValue = "",
            description = "File with the schema of Avro records, as JSON (.avsc).")
    private String avroSchema;

    @Option(
            names = "--descriptor",
            paramLabel = "FILE",
            defaultValue = "",
            description = "File with the types of Protobuf records, as protoc --descriptor_set_out writes it.")
    private String descriptor;

    @Option(
            names = "--message",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Name of the type of Protobuf records, if their schema has several.")
    private String message;

    @Option(
            names = "--schema-registry",
            paramLabel = "URL",
            defaultValue = "",
            description = "URL of a schema registry (Confluent's API, or Apicurio's), by which records are read.")
    private String schemaRegistry;

    @Option(
            names = "--registry-properties",
            paramLabel = "FILE",
            description = "File with credentials and keys for the registry.")
    private @Nullable Path registryProperties;

    @Option(
            names = "--on-truncate",
            paramLabel = "fail|ignore",
            defaultValue = "fail",
            description = "What to do where Debezium reports a truncated table. Default: ${DEFAULT-VALUE}")
    private String onTruncate;

    @Option(
            names = "--tombstones",
            paramLabel = "reject|ignore|remove",
            defaultValue = "reject",
            description = "Meaning of a record without a value, of rows without envelope. Default: ${DEFAULT-VALUE}")
    private String tombstones;

    @Option(
            names = "--ids-seed",
            paramLabel = "N",
            defaultValue = "",
            description = "With --ids text and --topic: seed of the hashes that are the ids. Default: 0")
    private String idsSeed;

    /**
     * The format of records that do not name theirs.
     *
     * @param areTexts whether the ends of edges are text
     * @throws IllegalArgumentException if the options do not fit; the message names them
     */
    RecordFormat of(String format, boolean areTexts) {
        return RecordFormatOptions.parse(Map.ofEntries(
                Map.entry(RecordFormatOptions.EVENT_FORMAT, format),
                Map.entry(RecordFormatOptions.AVRO_SCHEMA, avroSchema),
                Map.entry(RecordFormatOptions.DESCRIPTOR, descriptor),
                Map.entry(RecordFormatOptions.MESSAGE, message),
                Map.entry(RecordFormatOptions.SCHEMA_REGISTRY, schemaRegistry),
                Map.entry(
                        RecordFormatOptions.REGISTRY_PROPERTIES,
                        registryProperties == null
                                ? ""
                                : registryProperties
                                        .toAbsolutePath()
                                        .normalize()
                                        .toString()),
                Map.entry("source", fields.source()),
                Map.entry("target", fields.target()),
                Map.entry("weight", fields.weight()),
                Map.entry("timestamp", fields.timestamp()),
                Map.entry(RecordFormatOptions.EDGE_KEY, fields.edgeKey()),
                Map.entry(RecordFormatOptions.IDS, areTexts ? "text" : "integer"),
                Map.entry(RecordFormatOptions.IDS_SEED, idsSeed),
                Map.entry("on-truncate", onTruncate),
                Map.entry("tombstones", tombstones)));
    }

    /** One of the options that is given; null for none. */
    @Nullable String given() {
        String field = fields.given();
        if (field != null) {
            return field;
        }
        if (registryProperties != null) {
            return "--registry-properties";
        }
        String[][] others = {
            {"--avro-schema", avroSchema},
            {"--descriptor", descriptor},
            {"--message", message},
            {"--schema-registry", schemaRegistry},
            {"--ids-seed", idsSeed}
        };
        for (String[] option : others) {
            if (!option[1].isEmpty()) {
                return option[0];
            }
        }
        return null;
    }
}
