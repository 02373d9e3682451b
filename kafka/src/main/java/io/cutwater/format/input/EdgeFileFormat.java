package io.cutwater.format.input;

import io.cutwater.format.file.Compression;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The formats of edge files; {@code deploy/docs/reference/edge-files.md} describes them. */
public enum EdgeFileFormat {
    /** Lines {@code u v [weight] [timestamp]}, plain, {@code .gz} or {@code .zst}. */
    TEXT,
    /** METIS adjacency lists, plain, {@code .gz} or {@code .zst}. */
    METIS,
    /** One NumPy array of shape [2, m] or [m, 2]. */
    NPY,
    /** Parquet with the columns {@code src} and {@code dst}. */
    PARQUET,
    /** Lines that are JSON objects, whose fields are mapped; plain, {@code .gz} or {@code .zst}. */
    JSON;

    /** Determines the format from the name of a file; {@link #TEXT} if the name does not show it. */
    public static EdgeFileFormat ofName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        String suffix = Compression.ofName(file).suffix();
        String plain = name.substring(0, name.length() - suffix.length());
        if (plain.endsWith(".graph") || plain.endsWith(".metis")) {
            return METIS;
        }
        if (plain.endsWith(".npy")) {
            return NPY;
        }
        if (plain.endsWith(".json") || plain.endsWith(".jsonl") || plain.endsWith(".ndjson")) {
            return JSON;
        }
        return plain.endsWith(".parquet") ? PARQUET : TEXT;
    }

    /**
     * Parses the value of {@code --input-format}.
     *
     * @throws IllegalArgumentException if the name is unknown; the message lists the names
     */
    public static EdgeFileFormat of(String option) {
        for (EdgeFileFormat format : values()) {
            if (format.optionName().equalsIgnoreCase(option)) {
                return format;
            }
        }
        String names = Arrays.stream(values()).map(EdgeFileFormat::optionName).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("--input-format must be one of %s: '%s'".formatted(names, option));
    }

    private String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
