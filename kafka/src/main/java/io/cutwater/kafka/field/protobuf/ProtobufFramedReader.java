package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.cutwater.format.text.Excerpt;
import io.cutwater.kafka.field.ByteCursor;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.MalformedBytesException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of a schema in a registry, each of which tells its type.
 *
 * <p>Confluent writes the way to the type before the message, or behind the GUID or id in the header: the number of
 * indexes, and the indexes among the types of the file, of its nested types, and so on, as zigzag varints; a single 0
 * is the first type. Apicurio writes the name of the type: in header {@code apicurio.protobuf.type}, or before the
 * message as a message whose field 1 it is, with its length before; or indexes, if it is told to.
 */
public final class ProtobufFramedReader implements FieldReader {
    private static final int MAX_INDEXES = 100;
    private static final int GUID_BYTES = 16;
    private static final int FIRST_TAG = 1 << 3;
    private static final int NAME_TAG = FIRST_TAG | 2;

    private final List<Descriptor> ofFile;
    private final ProtobufTypes types;
    private final FieldTree tree;
    private final String idHeader;
    private final String typeHeader;
    private final String message;
    private final ByteCursor frame = new ByteCursor();
    private final Map<Descriptor, ProtobufFieldReader> readers = new IdentityHashMap<>();

    private @Nullable Descriptor last;
    private @Nullable ProtobufFieldReader ofLast;

    /**
     * Creates a reader.
     *
     * @param message name of the type of all messages, or its last parts; empty if they may be of any type
     */
    public ProtobufFramedReader(FileDescriptor file, FieldTree tree, boolean isKey, String message) {
        ofFile = file.getMessageTypes();
        types = new ProtobufTypes();
        types.add(ofFile);
        this.tree = tree;
        this.message = message;
        idHeader = isKey ? "__key_schema_id" : "__value_schema_id";
        typeHeader = isKey ? "apicurio.protobuf.type.key" : "apicurio.protobuf.type";
    }

    /**
     * Returns the fields of a type of a file.
     *
     * @param message name of the type, or its last parts; empty for the first one
     * @throws MalformedBytesException if there is no such type, or several
     */
    public static FieldSchema fields(FileDescriptor file, String message) {
        ProtobufTypes types = new ProtobufTypes();
        types.add(file.getMessageTypes());
        List<Descriptor> found = types.named(message);
        if (found.isEmpty() || !message.isEmpty() && found.size() > 1) {
            throw new MalformedBytesException("its schema has %s type %s; the types are %s"
                    .formatted(found.isEmpty() ? "no" : "more than one", message, types));
        }
        return new ProtobufFieldSchema(found.get(0));
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        try {
            frame.open(record, offset);
            Descriptor type = offset == 0 ? inHeader(record, headers) : beforeMessage(record, offset);
            int from = record.length - frame.left();
            return reader(type).read(record, from, headers, into);
        } catch (MalformedBytesException e) {
            into.clear();
            return e.getMessage();
        }
    }

    private ProtobufFieldReader reader(Descriptor type) {
        ProtobufFieldReader reader = ofLast;
        if (reader == null || type != last) {
            if (!message.isEmpty() && !ProtobufTypes.isNamed(type, message)) {
                throw new MalformedBytesException(
                        "it is a %s, and --message asks for %s".formatted(type.getFullName(), message));
            }
            reader = readers.computeIfAbsent(type, created -> new ProtobufFieldReader(created, tree));
            ofLast = reader;
            last = type;
        }
        return reader;
    }

    /** Leaves {@link #frame} at the first byte of the message. */
    private Descriptor inHeader(byte[] record, Headers headers) {
        Header id = headers.lastHeader(idHeader);
        if (id != null) {
            byte[] bytes = id.value(); // which the schema was found by, so there are a version and a GUID or an id
            frame.open(bytes, 1 + (bytes[0] == 1 ? GUID_BYTES : Integer.BYTES));
            Descriptor type = frame.left() == 0 ? first() : byIndexes();
            frame.open(record, 0);
            return type;
        }
        Header named = headers.lastHeader(typeHeader);
        Descriptor type = named == null || named.value() == null ? null : byHeader(named.value());
        Descriptor inFront = inFront(record, 0);
        if (inFront != null && type != null && inFront != type) { // it is a message, and only looks like a name
            frame.open(record, 0);
        }
        Descriptor indexed = beginsWithIndexes(record) ? byIndexes() : null;
        return type != null ? type : inFront != null ? inFront : indexed != null ? indexed : first();
    }

    private Descriptor byHeader(byte[] value) {
        String name = new String(value, StandardCharsets.UTF_8);
        Descriptor type = byName(name);
        if (type == null) {
            throw new MalformedBytesException("its header %s names type %s, and those of its schema are %s"
                    .formatted(typeHeader, Excerpt.of(name), types));
        }
        return type;
    }

    /** Returns whether up to three indexes follow: as the first field of a message their number would be field 0. */
    private boolean beginsWithIndexes(byte[] record) {
        return frame.left() > 0 && (record[record.length - frame.left()] & 0xff) < FIRST_TAG;
    }

    private Descriptor beforeMessage(byte[] record, int offset) {
        if (frame.left() > 0 && record[offset] == 0) {
            frame.skip(1);
            return first();
        }
        Descriptor named = inFront(record, offset);
        if (named == null) {
            return byIndexes();
        }
        if (beginsWithIndexes(record)) {
            byIndexes(); // Apicurio writes both if it is told to
        }
        return named;
    }

    /** Returns the type whose name is before the message, which the frame passes; null if there is none. */
    private @Nullable Descriptor inFront(byte[] record, int offset) {
        // Names have less than 126 bytes, so their lengths and that of the name's message are single bytes.
        int length = frame.left() > 2 ? record[offset] : 0;
        if (length <= 2
                || length >= frame.left()
                || record[offset + 1] != NAME_TAG
                || record[offset + 2] != length - 2) {
            return null;
        }
        Descriptor type = byName(new String(record, offset + 3, length - 2, StandardCharsets.UTF_8));
        if (type != null) {
            frame.skip(1 + length);
        }
        return type;
    }

    private Descriptor first() {
        if (ofFile.isEmpty()) {
            throw new MalformedBytesException("its schema has no message type");
        }
        return ofFile.get(0);
    }

    private @Nullable Descriptor byName(String name) {
        Descriptor known = last;
        if (known != null && known.getName().equals(name) && ofFile.contains(known)) {
            return known;
        }
        for (Descriptor type : ofFile) {
            if (type.getName().equals(name)) {
                return type;
            }
        }
        List<Descriptor> found = name.isEmpty() ? List.of() : types.named(name);
        return found.size() == 1 ? found.get(0) : null;
    }

    private Descriptor byIndexes() {
        long count = frame.zigzag();
        if (count == 0) {
            return first();
        }
        if (count < 0 || count > MAX_INDEXES) {
            throw new MalformedBytesException("it names no type of its schema: %d message indexes".formatted(count));
        }
        List<Descriptor> among = ofFile;
        Descriptor type = null;
        for (int i = 0; i < count; i++) {
            type = nested(among, frame.zigzag());
            among = type.getNestedTypes();
        }
        return type == null ? first() : type;
    }

    private static Descriptor nested(List<Descriptor> among, long index) {
        long at = 0;
        for (Descriptor type : among) {
            if (!type.getOptions().getMapEntry() && at++ == index) {
                return type;
            }
        }
        throw new MalformedBytesException(
                "it names no type of its schema: message index %d of %d".formatted(index, at));
    }
}
