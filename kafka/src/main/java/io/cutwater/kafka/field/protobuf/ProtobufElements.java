package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.squareup.wire.Syntax;
import com.squareup.wire.schema.Field;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.GroupElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.TypeElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes descriptors of parsed {@code .proto} files: of what reading a message needs, without options, services and
 * extensions.
 */
final class ProtobufElements {
    private static final String MAP = "map<";
    private static final String ENTRY = "Entry";

    private final boolean isProto3;

    private ProtobufElements(boolean isProto3) {
        this.isProto3 = isProto3;
    }

    static FileDescriptorProto file(String name, ProtoFileElement parsed) {
        boolean isProto3 = parsed.getSyntax() == Syntax.PROTO_3;
        ProtobufElements elements = new ProtobufElements(isProto3);
        FileDescriptorProto.Builder file =
                FileDescriptorProto.newBuilder().setName(name).setSyntax(isProto3 ? "proto3" : "proto2");
        if (parsed.getPackageName() != null) {
            file.setPackage(parsed.getPackageName());
        }
        file.addAllDependency(parsed.getImports());
        for (String imported : parsed.getPublicImports()) {
            file.addPublicDependency(file.getDependencyCount()).addDependency(imported);
        }
        for (TypeElement type : parsed.getTypes()) {
            if (type instanceof MessageElement message) {
                file.addMessageType(elements.message(message));
            } else if (type instanceof EnumElement values) {
                file.addEnumType(elements.values(values));
            }
        }
        return file.build();
    }

    private DescriptorProto message(MessageElement parsed) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(parsed.getName());
        for (TypeElement type : parsed.getNestedTypes()) {
            if (type instanceof MessageElement nested) {
                message.addNestedType(message(nested));
            } else if (type instanceof EnumElement values) {
                message.addEnumType(values(values));
            }
        }
        List<FieldElement> optional = new ArrayList<>();
        for (FieldElement field : parsed.getFields()) {
            if (isProto3 && field.getLabel() == Field.Label.OPTIONAL) {
                optional.add(field);
            } else {
                add(field, message);
            }
        }
        parsed.getGroups().forEach(group -> add(group, null, message));
        for (OneOfElement oneOf : parsed.getOneOfs()) {
            int number = message.getOneofDeclCount();
            message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(oneOf.getName()));
            oneOf.getFields().forEach(field -> message.addField(field(field).setOneofIndex(number)));
            oneOf.getGroups().forEach(group -> add(group, number, message));
        }
        for (FieldElement field : optional) { // the form of protoc, behind the others
            message.addField(
                    field(field).setOneofIndex(message.getOneofDeclCount()).setProto3Optional(true));
            message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + field.getName()));
        }
        return message.build();
    }

    private void add(FieldElement parsed, DescriptorProto.Builder message) {
        FieldDescriptorProto.Builder field = field(parsed);
        String type = parsed.getType();
        if (type.startsWith(MAP)) {
            String[] types = type.substring(MAP.length(), type.length() - 1).split(",", 2);
            String name = entryName(parsed.getName());
            DescriptorProto.Builder entry = DescriptorProto.newBuilder().setName(name);
            entry.getOptionsBuilder().setMapEntry(true);
            entry.addField(field("key", 1, types[0].strip())).addField(field("value", 2, types[1].strip()));
            message.addNestedType(entry);
            field.setLabel(Label.LABEL_REPEATED).setTypeName(name).setType(Type.TYPE_MESSAGE);
        }
        message.addField(field);
    }

    /** Returns the name that protoc gives to the type of a map's entries: {@code ByNameEntry} for {@code by_name}. */
    private static String entryName(String field) {
        StringBuilder name = new StringBuilder();
        for (String word : field.split("_")) {
            name.append(word.substring(0, Math.min(1, word.length())).toUpperCase(Locale.ROOT))
                    .append(word.substring(Math.min(1, word.length())));
        }
        return name.append(ENTRY).toString();
    }

    /** Adds a group: a type and a field of it. */
    private void add(GroupElement parsed, @Nullable Integer oneOf, DescriptorProto.Builder message) {
        DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(parsed.getName());
        parsed.getFields().forEach(field -> add(field, type));
        message.addNestedType(type);
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                .setName(parsed.getName().toLowerCase(Locale.ROOT))
                .setNumber(parsed.getTag())
                .setLabel(label(parsed.getLabel()))
                .setType(Type.TYPE_GROUP)
                .setTypeName(parsed.getName());
        if (oneOf != null) {
            field.setOneofIndex(oneOf);
        }
        message.addField(field);
    }

    private static FieldDescriptorProto.Builder field(FieldElement parsed) {
        return field(parsed.getName(), parsed.getTag(), parsed.getType()).setLabel(label(parsed.getLabel()));
    }

    private static FieldDescriptorProto.Builder field(String name, int number, String type) {
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(Label.LABEL_OPTIONAL);
        Type scalar = scalar(type);
        return scalar == null ? field.setTypeName(type) : field.setType(scalar);
    }

    private static Label label(Field.@Nullable Label label) {
        return label == Field.Label.REPEATED
                ? Label.LABEL_REPEATED
                : label == Field.Label.REQUIRED ? Label.LABEL_REQUIRED : Label.LABEL_OPTIONAL;
    }

    /** Returns a type without a name of its own; null for messages and enums. */
    private static @Nullable Type scalar(String name) {
        for (Type type : Type.values()) {
            boolean isNamed = type == Type.TYPE_MESSAGE || type == Type.TYPE_ENUM || type == Type.TYPE_GROUP;
            if (!isNamed && type.name().equals("TYPE_" + name.toUpperCase(Locale.ROOT))) {
                return name.equals(name.toLowerCase(Locale.ROOT)) ? type : null;
            }
        }
        return null;
    }

    private EnumDescriptorProto values(EnumElement parsed) {
        EnumDescriptorProto.Builder values = EnumDescriptorProto.newBuilder().setName(parsed.getName());
        parsed.getConstants()
                .forEach(value ->
                        values.addValueBuilder().setName(value.getName()).setNumber(value.getTag()));
        return values.build();
    }
}
