package io.cutwater.kafka.registry;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The name of a schema in a registry, which means the same schema for ever.
 *
 * @param number 0 for a GUID
 * @param guid empty unless the name is one
 */
record SchemaId(Kind kind, long number, String guid) {
    enum Kind {
        /** A 32-bit id of Confluent; a content id of Apicurio 3, which answers to Confluent's protocol with it. */
        ID,
        /** A GUID of Confluent. */
        GUID,
        CONTENT_ID,
        GLOBAL_ID
    }

    static SchemaId of(Kind kind, long number) {
        return new SchemaId(kind, number, "");
    }

    /** @param bytes 16, the highest first */
    static SchemaId guid(ByteBuffer bytes) {
        return new SchemaId(Kind.GUID, 0, new UUID(bytes.getLong(), bytes.getLong()).toString());
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ID -> "schema " + number;
            case GUID -> "schema " + guid;
            case CONTENT_ID -> "schema with content id " + number;
            case GLOBAL_ID -> "schema with global id " + number;
        };
    }
}
