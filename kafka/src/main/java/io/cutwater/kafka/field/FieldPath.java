package io.cutwater.kafka.field;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The way to a field of a record: names of nested objects, and last of the field, such as {@code after.payer}.
 *
 * @param names at least one; none is empty
 */
public record FieldPath(List<String> names) implements Serializable {
    /** The deepest nesting of a field that is read. */
    public static final int MAX_DEPTH = 32;

    /** @throws IllegalArgumentException if there is no name, an empty one, or more than {@value #MAX_DEPTH} */
    public FieldPath {
        names = List.copyOf(names);
        if (names.isEmpty() || names.size() > MAX_DEPTH || names.contains("")) {
            throw new IllegalArgumentException("a field is 1 to %d names with dots between, such as after.payer: '%s'"
                    .formatted(MAX_DEPTH, String.join(".", names)));
        }
    }

    /**
     * Parses names with dots between. A backslash before a dot makes it a part of the name.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static FieldPath parse(String text) {
        List<String> names = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                name.append(text.charAt(++i));
            } else if (c == '.') {
                names.add(name.toString());
                name.setLength(0);
            } else {
                name.append(c);
            }
        }
        names.add(name.toString());
        return new FieldPath(names);
    }

    /** Returns whether the field is inside the object of this name. */
    public boolean isIn(String object) {
        return names.size() > 1 && names.get(0).equals(object);
    }

    /** Returns the field of the same name in another outermost object. */
    public FieldPath in(String object) {
        List<String> other = new ArrayList<>(names);
        other.set(0, object);
        return new FieldPath(other);
    }

    /** Returns the path inside the outermost object; the path must have one. */
    public FieldPath within() {
        return new FieldPath(names.subList(1, names.size()));
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        List<String> escaped = new ArrayList<>();
        for (String name : names) {
            escaped.add(name.replace("\\", "\\\\").replace(".", "\\."));
        }
        return String.join(".", escaped);
    }
}
