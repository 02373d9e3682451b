package io.cutwater.kafka.field.avro;

import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** The fields of an Avro schema; those of a union are those of all its branches. */
public final class AvroFieldSchema implements FieldSchema {
    private static final int MAX_FIELDS = 200;

    private final Schema schema;

    public AvroFieldSchema(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Set<Type> types(FieldPath path) {
        Set<Type> types = EnumSet.noneOf(Type.class);
        find(schema, path.names(), types);
        return types;
    }

    private static void find(Schema schema, List<String> names, Set<Type> into) {
        if (schema.isUnion()) {
            schema.getTypes().forEach(branch -> find(branch, names, into));
        } else if (names.isEmpty()) {
            if (schema.getType() != Schema.Type.NULL) {
                into.add(type(schema));
            }
        } else if (schema.getType() == Schema.Type.RECORD) {
            Schema.Field field = schema.getField(names.get(0));
            if (field != null) {
                find(field.schema(), names.subList(1, names.size()), into);
            }
        }
    }

    private static Type type(Schema schema) {
        return switch (schema.getType()) {
            case INT, LONG -> Type.INTEGER;
            case FLOAT, DOUBLE -> Type.DECIMAL;
            case STRING, ENUM -> Type.TEXT;
            case BYTES, FIXED ->
                !(schema.getLogicalType() instanceof LogicalTypes.Decimal decimal)
                        ? Type.OTHER
                        : decimal.getScale() == 0 ? Type.INTEGER : Type.DECIMAL;
            case ARRAY, BOOLEAN, MAP, NULL, RECORD, UNION -> Type.OTHER;
        };
    }

    @Override
    public List<String> fields() {
        List<String> fields = new ArrayList<>();
        list(schema, new ArrayDeque<>(), new HashSet<>(), fields);
        return fields;
    }

    /** @param within the records around, whose fields are not listed again in a recursive schema */
    private static void list(Schema schema, Deque<String> names, Set<String> within, List<String> into) {
        if (schema.isUnion()) {
            schema.getTypes().forEach(branch -> list(branch, names, within, into));
        } else if (schema.getType() == Schema.Type.RECORD) {
            if (names.size() < FieldPath.MAX_DEPTH && within.add(schema.getFullName())) {
                for (Schema.Field field : schema.getFields()) {
                    names.addLast(field.name());
                    list(field.schema(), names, within, into);
                    names.removeLast();
                }
                within.remove(schema.getFullName());
            }
        } else if (schema.getType() != Schema.Type.NULL && !names.isEmpty() && into.size() < MAX_FIELDS) {
            String type = schema.getLogicalType() == null
                    ? schema.getType().getName()
                    : schema.getLogicalType().getName();
            into.add("%s (%s)".formatted(new FieldPath(List.copyOf(names)), type));
        }
    }
}
