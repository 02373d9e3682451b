package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The fields of a Protobuf type; what is inside repeated fields is not among them. */
final class ProtobufFieldSchema implements FieldSchema {
    private static final int MAX_FIELDS = 200;

    private final Descriptor root;

    ProtobufFieldSchema(Descriptor root) {
        this.root = root;
    }

    @Override
    public Set<Type> types(FieldPath path) {
        Descriptor message = root;
        FieldDescriptor field = null;
        for (String name : path.names()) {
            if (field != null) {
                if (field.isRepeated() || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                    return EnumSet.noneOf(Type.class);
                }
                message = field.getMessageType();
            }
            field = message.findFieldByName(name);
            if (field == null) {
                return EnumSet.noneOf(Type.class);
            }
        }
        return field == null ? EnumSet.noneOf(Type.class) : EnumSet.of(type(field));
    }

    private static Type type(FieldDescriptor field) {
        if (field.isRepeated()) {
            return Type.OTHER;
        }
        return switch (field.getJavaType()) {
            case INT, LONG -> Type.INTEGER;
            case FLOAT, DOUBLE -> Type.DECIMAL;
            case STRING, ENUM -> Type.TEXT;
            case BOOLEAN, BYTE_STRING, MESSAGE -> Type.OTHER;
        };
    }

    @Override
    public List<String> fields() {
        List<String> fields = new ArrayList<>();
        list(root, new ArrayDeque<>(), new HashSet<>(), fields);
        return fields;
    }

    /** @param within the types around, whose fields are not listed again in a recursive type */
    private static void list(Descriptor message, Deque<String> names, Set<String> within, List<String> into) {
        if (names.size() >= FieldPath.MAX_DEPTH || !within.add(message.getFullName())) {
            return;
        }
        for (FieldDescriptor field : message.getFields()) {
            names.addLast(field.getName());
            if (!field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                list(field.getMessageType(), names, within, into);
            } else if (into.size() < MAX_FIELDS) {
                String type = field.getType().name().toLowerCase(java.util.Locale.ROOT);
                into.add("%s (%s%s)"
                        .formatted(new FieldPath(List.copyOf(names)), field.isRepeated() ? "repeated " : "", type));
            }
            names.removeLast();
        }
        within.remove(message.getFullName());
    }
}
