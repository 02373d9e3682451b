package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The message types of files, the nested ones among them, by full name. */
final class ProtobufTypes {
    private final Map<String, Descriptor> types = new LinkedHashMap<>();

    void add(List<Descriptor> messages) {
        for (Descriptor message : messages) {
            if (!message.getOptions().getMapEntry()) {
                types.put(message.getFullName(), message);
                add(message.getNestedTypes());
            }
        }
    }

    /** Returns whether a type has a full name, or one whose last parts are the given ones. */
    static boolean isNamed(Descriptor type, String name) {
        return type.getFullName().equals(name) || type.getFullName().endsWith("." + name);
    }

    /**
     * Returns the types of a name.
     *
     * @param name full name of the type, or its last parts; empty for all types
     */
    List<Descriptor> named(String name) {
        Descriptor exact = types.get(name);
        return exact != null
                ? List.of(exact)
                : types.values().stream()
                        .filter(type -> name.isEmpty() || isNamed(type, name))
                        .toList();
    }

    /** The full names with commas between, for errors. */
    @Override
    public String toString() {
        return types.isEmpty() ? "none" : String.join(", ", types.keySet());
    }
}
