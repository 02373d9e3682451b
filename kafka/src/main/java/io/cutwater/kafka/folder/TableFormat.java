package io.cutwater.kafka.folder;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The formats that the tables of an output folder come in. */
public enum TableFormat {
    CSV,
    PARQUET,
    /** NumPy arrays. */
    NPY;

    /**
     * The format that users call by this name.
     *
     * @throws IllegalArgumentException with the formats that there are, if there is none of that name
     */
    public static TableFormat of(String name) {
        for (TableFormat format : values()) {
            if (format.label().equals(name)) {
                return format;
            }
        }
        String others = Arrays.stream(values()).map(TableFormat::label).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                name.equals("metis") || name.equals("dgl")
                        ? "the format '%s' is one of vertex partitionings; an edge partitioning is written as one of %s"
                                .formatted(name, others)
                        : "there is no output format '%s'; there are %s".formatted(name, others));
    }

    /** The name that users give. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    ShardTables tables() {
        return switch (this) {
            case CSV -> new CsvTables();
            case PARQUET -> new ParquetTables();
            case NPY -> new NpyTables();
        };
    }
}
