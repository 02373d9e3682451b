package io.cutwater.kafka.event.mapped;

import java.util.Locale;

/** Meanings of a record without a value. */
public enum Tombstones {
    /** Not known: it becomes a dead letter. */
    REJECT,
    /** It follows a record that removed the edge. */
    IGNORE,
    /** It removes the edge in its key. */
    REMOVE;

    /** @throws IllegalArgumentException if the name is unknown; the message names the option */
    public static Tombstones of(String name) {
        for (Tombstones tombstones : values()) {
            if (tombstones.toString().equals(name)) {
                return tombstones;
            }
        }
        throw new IllegalArgumentException("--tombstones must be reject, ignore or remove: '%s'".formatted(name));
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
