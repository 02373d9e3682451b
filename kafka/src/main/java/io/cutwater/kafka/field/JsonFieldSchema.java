package io.cutwater.kafka.field;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The fields that a JSON Schema declares in {@code properties}, also by {@code allOf}, {@code anyOf}, {@code oneOf} and
 * by references inside the schema. Of an object that declares none, or that is declared elsewhere, any field may exist.
 */
public final class JsonFieldSchema implements FieldSchema {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_FIELDS = 200;
    private static final int MAX_NESTING = 32;

    private final JsonNode root;

    private JsonFieldSchema(JsonNode root) {
        this.root = root;
    }

    /** @throws IllegalArgumentException if the schema is no JSON; the message says what is wrong with it */
    public static JsonFieldSchema parse(String schema) {
        try {
            return new JsonFieldSchema(JSON.readTree(schema));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public Set<Type> types(FieldPath path) {
        Set<Type> types = EnumSet.noneOf(Type.class);
        addTypes(root, path.names(), 0, types);
        return types;
    }

    private void addTypes(JsonNode schema, List<String> names, int nesting, Set<Type> into) {
        List<JsonNode> parts = parts(schema);
        if (nesting > MAX_NESTING || isOpen(parts, names.isEmpty())) {
            into.addAll(EnumSet.allOf(Type.class));
            return;
        }
        for (JsonNode part : parts) {
            if (names.isEmpty()) {
                addTypes(part, into);
            } else if (part.path("properties").has(names.get(0))) {
                JsonNode field = part.path("properties").path(names.get(0));
                addTypes(field, names.subList(1, names.size()), nesting + 1, into);
            }
        }
    }

    /** @param isField whether the value itself is asked for, and not a field inside it */
    private static boolean isOpen(List<JsonNode> parts, boolean isField) {
        return parts.stream().noneMatch(part -> part.has("properties") || part.has("type"))
                || !isField && parts.stream().anyMatch(JsonFieldSchema::isAnyObject);
    }

    /** Returns whether a schema is of objects, and declares none of their fields. */
    private static boolean isAnyObject(JsonNode part) {
        boolean isObject = part.has("$ref") || part.path("type").asText().equals("object");
        return isObject && !part.has("properties") && !part.has("allOf") && !part.has("anyOf") && !part.has("oneOf");
    }

    private static void addTypes(JsonNode part, Set<Type> into) {
        JsonNode type = part.path("type");
        for (JsonNode name : type.isArray() ? type : List.of(type)) {
            switch (name.asText()) {
                case "integer" -> into.add(Type.INTEGER);
                case "number" -> into.addAll(EnumSet.of(Type.INTEGER, Type.DECIMAL));
                case "string" -> into.add(Type.TEXT);
                case "boolean", "array", "object" -> into.add(Type.OTHER);
                default -> {} // null, or none
            }
        }
    }

    /** Returns a schema and those that it combines; a reference to another document stays as it is. */
    private List<JsonNode> parts(JsonNode schema) {
        List<JsonNode> parts = new ArrayList<>();
        Deque<JsonNode> left = new ArrayDeque<>(List.of(schema));
        Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        while (!left.isEmpty() && parts.size() < MAX_FIELDS) {
            JsonNode part = left.pop();
            if (!seen.add(part)) {
                continue; // a schema that refers to itself
            }
            String reference = part.path("$ref").asText();
            if (reference.startsWith("#/") && !root.at(reference.substring(1)).isMissingNode()) {
                left.push(root.at(reference.substring(1)));
            } else {
                parts.add(part);
            }
            for (String combination : List.of("allOf", "anyOf", "oneOf")) {
                part.path(combination).forEach(left::push);
            }
        }
        return parts;
    }

    @Override
    public List<String> fields() {
        List<String> fields = new ArrayList<>();
        list(root, new ArrayDeque<>(), Collections.newSetFromMap(new IdentityHashMap<>()), fields);
        return fields;
    }

    /** @param within the schemas around, whose fields are not listed again in a recursive schema */
    private void list(JsonNode schema, Deque<String> names, Set<JsonNode> within, List<String> into) {
        for (JsonNode part : parts(schema)) {
            if (!within.add(part)) {
                continue;
            }
            part.path("properties").fields().forEachRemaining(field -> {
                names.addLast(field.getKey());
                if (into.size() < MAX_FIELDS && names.size() < MAX_NESTING) {
                    int before = into.size();
                    list(field.getValue(), names, within, into);
                    if (into.size() == before) {
                        into.add("%s (%s)".formatted(new FieldPath(List.copyOf(names)), described(field.getValue())));
                    }
                }
                names.removeLast();
            });
            within.remove(part);
        }
    }

    private String described(JsonNode schema) {
        Set<Type> types = EnumSet.noneOf(Type.class);
        addTypes(schema, List.of(), 0, types);
        List<String> names = new ArrayList<>();
        types.forEach(type -> names.add(type.name().toLowerCase(Locale.ROOT)));
        return String.join(" or ", names);
    }
}
