package io.cutwater.state.graph;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The lines of {@code reference/real-graphs.csv}: the quality that others reached on real graphs. */
public final class ReferenceTable {
    private static final String TABLE = "/reference/real-graphs.csv";

    private ReferenceTable() {}

    /** The lines with the head, without line ends. */
    public static List<String> lines() throws IOException {
        try (InputStream table = Objects.requireNonNull(ReferenceTable.class.getResourceAsStream(TABLE), TABLE)) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }
}
