package io.cutwater.deploy.cdc;

import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of Kafka Connect in Avro, by the serializer of Apicurio's registry, with the schemas that the Avro
 * converters of Confluent and Apicurio make: a structure is a record of its name, and what may be missing a union with
 * null first. Neither converter is in the repository that this build uses.
 */
public final class RegistryAvroConverter implements Converter {
    private final AvroKafkaSerializer<Object> serializer = new AvroKafkaSerializer<>();
    private final Map<org.apache.kafka.connect.data.Schema, Schema> schemas = new HashMap<>();

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        Map<String, Object> settings = new HashMap<>(configs);
        settings.put("apicurio.registry.auto-register", "true");
        settings.put("apicurio.registry.auto-register.if-exists", "FIND_OR_CREATE_VERSION");
        serializer.configure(settings, isKey);
    }

    @Override
    public byte @Nullable [] fromConnectData(
            String topic, org.apache.kafka.connect.data.@Nullable Schema schema, @Nullable Object value) {
        if (schema == null || value == null) {
            return null;
        }
        Schema avro = schemas.computeIfAbsent(schema, key -> required(key));
        return serializer.serialize(topic, value(schema, avro, value));
    }

    private static Schema schema(org.apache.kafka.connect.data.Schema schema) {
        Schema type = required(schema);
        return schema.isOptional() ? Schema.createUnion(Schema.create(Schema.Type.NULL), type) : type;
    }

    private static Schema required(org.apache.kafka.connect.data.Schema schema) {
        return switch (schema.type()) {
            case INT8, INT16, INT32 -> Schema.create(Schema.Type.INT);
            case INT64 -> Schema.create(Schema.Type.LONG);
            case FLOAT32 -> Schema.create(Schema.Type.FLOAT);
            case FLOAT64 -> Schema.create(Schema.Type.DOUBLE);
            case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
            case STRING -> Schema.create(Schema.Type.STRING);
            case BYTES -> Schema.create(Schema.Type.BYTES);
            case ARRAY -> Schema.createArray(schema(schema.valueSchema()));
            case MAP -> Schema.createMap(schema(schema.valueSchema()));
            case STRUCT -> {
                Schema record = Schema.createRecord(schema.name(), null, null, false);
                record.setFields(schema.fields().stream()
                        .map(field -> new Schema.Field(
                                field.name(),
                                schema(field.schema()),
                                null,
                                field.schema().isOptional() ? JsonProperties.NULL_VALUE : null))
                        .toList());
                yield record;
            }
        };
    }

    private static @Nullable Object value(
            org.apache.kafka.connect.data.Schema schema, Schema avro, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        Schema type = avro.isUnion() ? avro.getTypes().get(1) : avro;
        return switch (schema.type()) {
            case INT8, INT16 -> ((Number) value).intValue();
            case INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING -> value;
            case BYTES -> value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
            case ARRAY ->
                ((List<?>) value)
                        .stream()
                                .map(item -> value(schema.valueSchema(), type.getElementType(), item))
                                .collect(Collectors.toList());
            case MAP -> {
                Map<Object, Object> entries = new HashMap<>();
                ((Map<?, ?>) value)
                        .forEach((key, item) ->
                                entries.put(key, value(schema.valueSchema(), type.getValueType(), item)));
                yield entries;
            }
            case STRUCT -> {
                GenericData.Record record = new GenericData.Record(type);
                for (Field field : schema.fields()) {
                    Object content = ((Struct) value).get(field);
                    record.put(
                            field.name(),
                            value(field.schema(), type.getField(field.name()).schema(), content));
                }
                yield record;
            }
        };
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        throw new DataException("records are only written");
    }
}
