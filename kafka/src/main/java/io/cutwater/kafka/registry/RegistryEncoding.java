package io.cutwater.kafka.registry;

import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.MalformedBytesException;
import org.jspecify.annotations.Nullable;

/**
 * Each record names its schema in a registry.
 *
 * @param message name of the type of Protobuf messages, or its last parts; empty if they may be of any type
 */
public record RegistryEncoding(RegistryAddress registry, SchemaType type, String message) implements FieldEncoding {
    @Override
    public FieldReader values(FieldTree tree) {
        return new RegistryFieldReader(this, false, tree);
    }

    @Override
    public FieldReader keys(FieldTree tree) {
        return new RegistryFieldReader(this, true, tree);
    }

    /**
     * Returns the fields of the newest schema that is registered for the values of a topic, by its name and
     * {@code -value}; null if there is none.
     *
     * @throws IllegalStateException if the registry does not answer; the message is meant for users
     * @throws IllegalArgumentException if the file of its credentials, or the schema, cannot be used
     */
    @Override
    public @Nullable FieldSchema schema(String topic) {
        String subject = topic + "-value";
        try {
            RegistryClient client = new RegistryClient(registry);
            RegisteredSchema newest = client.newest(subject);
            return newest == null ? null : type.fields(newest, client, message);
        } catch (MalformedBytesException e) {
            throw new IllegalArgumentException(
                    "--schema-registry: subject %s: %s".formatted(subject, e.getMessage()), e);
        } catch (RegistryUnavailableException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + registry, e);
        }
    }
}
