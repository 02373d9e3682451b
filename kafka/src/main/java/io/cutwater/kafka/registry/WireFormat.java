package io.cutwater.kafka.registry;

import io.cutwater.kafka.field.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Finds the name of the schema of a key or value: in a header ({@code __value_schema_id} of Confluent's platform 8,
 * {@code apicurio.value.contentId} and {@code .globalId} of Apicurio), or in the first bytes (0, and the id in 4 bytes,
 * big-endian; in 8 bytes from Apicurio 2). What follows the id, such as the type of a Protobuf message, is not looked
 * at.
 */
final class WireFormat {
    private static final int GUID_BYTES = 16;
    private static final byte OF_GLUE = 3;

    private final String idHeader;
    private final String contentHeader;
    private final String globalHeader;
    private final String encodingHeader;
    private final SchemaId.Kind kind;
    private final int idBytes;

    private byte[] lastHeader = {};
    private @Nullable SchemaId ofLastHeader;

    /** Where the record begins behind the name of its schema, after {@link #find}. */
    private int offset;

    WireFormat(RegistryAddress registry, boolean isKey) {
        String part = isKey ? "key" : "value";
        idHeader = "__" + part + "_schema_id";
        contentHeader = "apicurio." + part + ".contentId";
        globalHeader = "apicurio." + part + ".globalId";
        encodingHeader = "apicurio." + part + ".encoding";
        idBytes = registry.hasLongIds() ? Long.BYTES : Integer.BYTES;
        kind = registry.hasLongIds()
                ? SchemaId.Kind.GLOBAL_ID
                : registry.isApicurio() ? SchemaId.Kind.CONTENT_ID : SchemaId.Kind.ID;
    }

    int offset() {
        return offset;
    }

    /**
     * Finds the name, and the first byte behind it.
     *
     * @param last returned again if the record has the same
     * @throws MalformedBytesException if there is none
     */
    SchemaId find(byte[] record, Headers headers, @Nullable SchemaId last) {
        offset = 0;
        SchemaId named = inHeader(headers);
        if (named != null) {
            return named;
        }
        if (record.length > 0 && record[0] == OF_GLUE) {
            throw new MalformedBytesException("it names a schema of AWS Glue, which is not supported");
        }
        offset = 1 + idBytes;
        if (record.length < offset || record[0] != 0) {
            throw new MalformedBytesException(
                    "it names no schema: neither a header does, nor a byte 0 and %d bytes before the record"
                            .formatted(idBytes));
        }
        ByteBuffer id = ByteBuffer.wrap(record, 1, idBytes);
        long number = idBytes == Long.BYTES ? id.getLong() : id.getInt();
        return last != null && last.kind() == kind && last.number() == number ? last : SchemaId.of(kind, number);
    }

    private @Nullable SchemaId inHeader(Headers headers) {
        Header id = headers.lastHeader(idHeader);
        if (id != null) {
            byte[] value = bytes(id);
            SchemaId known = ofLastHeader;
            if (known == null || !Arrays.equals(value, lastHeader)) { // a GUID becomes text
                known = ofConfluent(ByteBuffer.wrap(value));
                lastHeader = value;
                ofLastHeader = known;
            }
            return known;
        }
        Header content = headers.lastHeader(contentHeader);
        Header global = headers.lastHeader(globalHeader);
        if (content == null && global == null) {
            return null;
        }
        Header encoding = headers.lastHeader(encodingHeader);
        if (encoding != null && bytes(encoding).length == "JSON".length()) { // the other one is BINARY
            throw new MalformedBytesException(
                    "it is Avro in JSON; let the producer write it in binary (apicurio.registry.avro.encoding=BINARY)");
        }
        return content != null
                ? SchemaId.of(SchemaId.Kind.CONTENT_ID, number(content))
                : SchemaId.of(SchemaId.Kind.GLOBAL_ID, number(global));
    }

    private SchemaId ofConfluent(ByteBuffer id) {
        int version = id.hasRemaining() ? id.get() : -1;
        if (version == 1 && id.remaining() >= GUID_BYTES) {
            return SchemaId.guid(id);
        }
        if (version == 0 && id.remaining() >= Integer.BYTES) {
            return SchemaId.of(SchemaId.Kind.ID, id.getInt());
        }
        throw new MalformedBytesException("header %s is not 1 and a GUID, or 0 and an id".formatted(idHeader));
    }

    private static long number(Header header) {
        byte[] id = bytes(header);
        if (id.length != Long.BYTES) {
            throw new MalformedBytesException(
                    "header %s must have 8 bytes, and has %d".formatted(header.key(), id.length));
        }
        return ByteBuffer.wrap(id).getLong();
    }

    private static byte[] bytes(Header header) {
        byte[] value = header.value();
        return value == null ? new byte[0] : value;
    }
}
