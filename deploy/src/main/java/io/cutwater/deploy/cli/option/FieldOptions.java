package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.kafka.field.FieldMapping;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields that make an edge, of records of a topic or of files. */
@Heading("Input")
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class FieldOptions {
    @Option(
            names = "--source",
            paramLabel = "FIELD",
            defaultValue = "",
            description = "Field with the source vertex, such as after.payer, of records or files with named fields.")
    private String source;

    @Option(names = "--target", paramLabel = "FIELD", defaultValue = "", description = "Field with the target vertex.")
    private String target;

    @Option(
            names = "--weight",
            paramLabel = "FIELD",
            defaultValue = "",
            description = "Field with the weight of the edge.")
    private String weight;

    @Option(
            names = "--timestamp",
            paramLabel = "FIELD",
            defaultValue = "",
            description = "Field with the timestamp of the edge.")
    private String timestamp;

    @Option(
            names = "--edge-key",
            paramLabel = "FIELD|:key",
            defaultValue = "",
            description =
                    "Field that names the edge, or :key for the record's key: a record with the same replaces the edge.")
    private String edgeKey;

    String source() {
        return source;
    }

    String target() {
        return target;
    }

    String weight() {
        return weight;
    }

    String timestamp() {
        return timestamp;
    }

    String edgeKey() {
        return edgeKey;
    }

    /**
     * The fields of files; null if none is given.
     *
     * @throws IllegalArgumentException if an end is missing or a path invalid; the message names the option
     */
    public @Nullable FieldMapping mapping() {
        return FieldMapping.parse(source, target, weight, timestamp, edgeKey);
    }

    /** One of the options that is given; null for none. */
    @Nullable String given() {
        return !source.isEmpty()
                ? "--source"
                : !target.isEmpty()
                        ? "--target"
                        : !weight.isEmpty()
                                ? "--weight"
                                : !timestamp.isEmpty() ? "--timestamp" : !edgeKey.isEmpty() ? "--edge-key" : null;
    }
}
