package io.cutwater.kafka.event.mapped;

import java.util.Locale;

/** What happens to the edges of a table that was truncated. */
public enum OnTruncate {
    /** The job ends with an error. */
    FAIL,
    /** They stay. */
    IGNORE,
    /** They leave: all edges that have keys. */
    REMOVE;

    /** @throws IllegalArgumentException if the name is unknown; the message names the option */
    public static OnTruncate of(String name) {
        for (OnTruncate policy : values()) {
            if (policy.toString().equals(name)) {
                return policy;
            }
        }
        throw new IllegalArgumentException("--on-truncate must be fail, ignore or remove: '%s'".formatted(name));
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
