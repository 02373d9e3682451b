package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values are Protobuf messages of one type, with nothing before them. Keys are not read.
 *
 * @param descriptor a {@code FileDescriptorSet} in Base64
 * @param message full name of the type
 */
public record ProtobufEncoding(String descriptor, String message) implements FieldEncoding {
    private static final String PREFIX = "base64:";

    /**
     * Reads a descriptor.
     *
     * @param fileOrDescriptor the path of a file that {@code protoc --include_imports --descriptor_set_out} writes, or
     *     what {@link #embedded} returns
     * @param message full name of the type, or its last part; empty if there is one only
     * @throws IllegalArgumentException if it cannot be read or has no such type; the message is meant for users
     */
    public static ProtobufEncoding of(String fileOrDescriptor, String message) {
        String descriptor;
        if (fileOrDescriptor.startsWith(PREFIX)) {
            descriptor = fileOrDescriptor.substring(PREFIX.length());
        } else {
            try {
                descriptor = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(fileOrDescriptor)));
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "--descriptor: %s cannot be read; give a file that protoc --include_imports --descriptor_set_out writes"
                                .formatted(fileOrDescriptor),
                        e);
            }
        }
        ProtobufTypes types = types(descriptor);
        List<Descriptor> found = types.named(message);
        if (found.size() != 1) {
            throw new IllegalArgumentException("--message %s: the descriptor has %s"
                    .formatted(
                            message.isEmpty() ? "must name the type of the records" : message + " names no single type",
                            types));
        }
        return new ProtobufEncoding(descriptor, found.get(0).getFullName());
    }

    /** Returns what {@link #of} takes instead of the file. */
    public String embedded() {
        return PREFIX + descriptor;
    }

    private static ProtobufTypes types(String descriptor) {
        ProtobufTypes types = new ProtobufTypes();
        try {
            FileDescriptorSet set =
                    FileDescriptorSet.parseFrom(Base64.getDecoder().decode(descriptor));
            Map<String, FileDescriptor> built = new LinkedHashMap<>();
            for (FileDescriptorProto file : set.getFileList()) { // each after those that it imports
                List<FileDescriptor> imports = new ArrayList<>();
                for (String name : file.getDependencyList()) {
                    FileDescriptor imported = built.get(name);
                    if (imported == null) {
                        throw new IllegalArgumentException(
                                "--descriptor: %s imports %s, which the file does not have; write it with --include_imports"
                                        .formatted(file.getName(), name));
                    }
                    imports.add(imported);
                }
                FileDescriptor whole = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
                built.put(file.getName(), whole);
                types.add(whole.getMessageTypes());
            }
        } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
            throw new IllegalArgumentException(
                    "--descriptor: it is no file that protoc --descriptor_set_out writes: " + e.getMessage(), e);
        }
        return types;
    }

    private Descriptor type() {
        return types(descriptor).named(message).get(0);
    }

    @Override
    public FieldReader values(FieldTree tree) {
        return new ProtobufFieldReader(type(), tree);
    }

    @Override
    public @Nullable FieldReader keys(FieldTree tree) {
        return null;
    }

    @Override
    public FieldSchema schema(String topic) {
        return new ProtobufFieldSchema(type());
    }
}
