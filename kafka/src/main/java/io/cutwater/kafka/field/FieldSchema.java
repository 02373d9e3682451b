package io.cutwater.kafka.field;

import java.util.List;
import java.util.Set;

/** The fields that a schema gives to its records. */
public interface FieldSchema {
    /** What a field may hold. */
    enum Type {
        INTEGER,
        DECIMAL,
        TEXT,
        /** A truth value, bytes, a list, a map or a record. */
        OTHER
    }

    /** Returns what a field may hold apart from null; empty if the schema has no such field. */
    Set<Type> types(FieldPath path);

    /** Returns the fields with values, each with its type, in the order of the schema; at most a few hundred. */
    List<String> fields();
}
