package io.cutwater.kafka.registry;

import java.util.List;

/**
 * A schema as a registry tells it.
 *
 * @param type {@code AVRO}, {@code JSON} or {@code PROTOBUF}; empty if the registry does not tell it
 * @param references schemas whose types it uses
 */
record RegisteredSchema(String text, String type, List<Reference> references) {
    /** A version of a subject. */
    record Reference(String name, String subject, int version) {}
}
