package io.cutwater.state.edges;

import java.util.Locale;

/** Decides which edges are duplicates; weight and timestamp are ignored. */
public enum DuplicateRule {
    /** Same source and same target. */
    DIRECTED,
    /** Same two ends, whichever of them is the source. */
    UNDIRECTED;

    /** The name that users give. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The rule that users call by this name. */
    public static DuplicateRule of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
