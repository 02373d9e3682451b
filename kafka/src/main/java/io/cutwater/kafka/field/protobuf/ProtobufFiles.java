package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes descriptors of the files of Protobuf schemas, as registries hold them: the text of a {@code .proto} file or,
 * from producers that are not written in Java, a {@code FileDescriptorProto} in Base64. Types of files that are not
 * known, which registries build in for options, have no fields.
 */
public final class ProtobufFiles {
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/\\s]++={0,2}\\s*+");
    private static final Pattern WELL_KNOWN = Pattern.compile("google/protobuf/[a-z_]+\\.proto");

    private final Map<String, String> schemas;
    private final Map<String, @Nullable FileDescriptor> built = new HashMap<>();

    private ProtobufFiles(Map<String, String> schemas) {
        this.schemas = schemas;
    }

    /**
     * Parses a schema.
     *
     * @param imports the schemas that it may import, by the names in its import statements
     * @throws IllegalArgumentException if it is none; the message says what is wrong with it
     */
    public static FileDescriptor parse(String schema, Map<String, String> imports) {
        return new ProtobufFiles(imports).build("the schema", schema);
    }

    private FileDescriptor build(String name, String schema) {
        FileDescriptorProto file = file(name, schema);
        built.put(name, null); // while it is built
        List<FileDescriptor> imports = new ArrayList<>();
        for (String imported : file.getDependencyList()) {
            FileDescriptor descriptor = imported(name, imported);
            if (descriptor != null) {
                imports.add(descriptor);
            }
        }
        try {
            FileDescriptor descriptor = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new), true);
            built.put(name, descriptor);
            return descriptor;
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private @Nullable FileDescriptor imported(String by, String name) {
        if (built.containsKey(name)) {
            FileDescriptor known = built.get(name);
            if (known == null) {
                throw new IllegalArgumentException("%s imports %s, which imports it".formatted(by, name));
            }
            return known;
        }
        String schema = schemas.containsKey(name) ? schemas.get(name) : wellKnown(name);
        return schema == null ? null : build(name, schema);
    }

    /** Returns a file that comes with Protobuf; null if it is none of them. */
    private static @Nullable String wellKnown(String name) {
        if (!WELL_KNOWN.matcher(name).matches()) {
            return null;
        }
        try (InputStream file = FileDescriptor.class.getResourceAsStream("/" + name)) {
            return file == null ? null : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileDescriptorProto file(String name, String schema) {
        if (!BASE64.matcher(schema).matches()) {
            return parsed(name, schema);
        }
        try {
            return FileDescriptorProto.parseFrom(Base64.getMimeDecoder().decode(schema));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is neither the text of a .proto file nor one of protoc", e);
        }
    }

    private static FileDescriptorProto parsed(String name, String schema) {
        try {
            return ProtobufElements.file(name, ProtoParser.Companion.parse(Location.get(name), schema));
        } catch (RuntimeException
                | StackOverflowError e) { // the library names no exceptions, and nests as the text does
            throw new IllegalArgumentException(
                    e.getMessage() == null
                            ? "it is nested too deep"
                            : e.getMessage().replace('\n', ' '),
                    e);
        }
    }
}
