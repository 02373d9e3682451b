package io.cutwater.kafka.registry;

import java.util.List;

/**
 * A schema as a registry tells it.
 *
 * @param type {@code AVRO}, {@code JSON} or {@code PROTOBUF}; empty if the registry does not tell it
 * @param references schemas whose types it uses itself
 */
record RegisteredSchema(String text, String type, List<Reference> references) {
    /**
     * A schema that another one uses.
     *
     * @param name by which it is used, such as the name in an import
     * @param path where the registry has it
     */
    record Reference(String name, String path) {}
}
