package io.cutwater.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The use of a vertex's label. Files and records store the position in this list: 0 none, 1 train, 2 val, 3 test. */
public enum VertexSplit {
    NONE,
    TRAIN,
    VAL,
    TEST;

    private static final VertexSplit[] ALL = values();

    /** The name in files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if the name is unknown; the message lists the known names */
    public static VertexSplit of(String label) {
        for (VertexSplit split : ALL) {
            if (split.label().equals(label)) {
                return split;
            }
        }
        throw new IllegalArgumentException("'%s' is not a split; it must be one of %s"
                .formatted(label, Arrays.stream(ALL).map(VertexSplit::label).collect(Collectors.joining(", "))));
    }

    /** @throws IllegalArgumentException if the position is out of range */
    public static VertexSplit of(int position) {
        if (position < 0 || position >= ALL.length) {
            throw new IllegalArgumentException("split %d is not known; there are 0 to 3".formatted(position));
        }
        return ALL[position];
    }
}
