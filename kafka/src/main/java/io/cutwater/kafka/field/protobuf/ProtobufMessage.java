package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.cutwater.kafka.field.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wanted fields of a message, by their numbers. */
final class ProtobufMessage {
    /** A wanted field. */
    static final class Field {
        final FieldDescriptor.Type type;
        final FieldDescriptor descriptor;

        /** Its number in the field tree; -1 if only fields inside it are wanted. */
        final int index;

        /** The wanted fields inside it; null if there are none. */
        final @Nullable ProtobufMessage inside;

        private Field(FieldDescriptor descriptor, FieldTree.Node wanted) {
            this.descriptor = descriptor;
            type = descriptor.getType();
            index = wanted.index();
            inside = descriptor.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !descriptor.isRepeated()
                    ? new ProtobufMessage(descriptor.getMessageType(), wanted)
                    : null;
        }
    }

    private final Field[] fields;

    ProtobufMessage(Descriptor message, FieldTree.Node wanted) {
        List<Field> found = new ArrayList<>();
        for (FieldDescriptor field : message.getFields()) {
            FieldTree.Node node = wanted.child(field.getName());
            if (node != null) {
                found.add(new Field(field, node));
            }
        }
        fields = found.toArray(Field[]::new);
    }

    Field[] fields() {
        return fields;
    }

    /** Returns the wanted field with a number; null if it is not wanted. */
    @Nullable Field field(int number) {
        for (Field field : fields) { // a few
            if (field.descriptor.getNumber() == number) {
                return field;
            }
        }
        return null;
    }
}
