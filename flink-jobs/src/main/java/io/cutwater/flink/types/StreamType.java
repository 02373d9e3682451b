package io.cutwater.flink.types;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Type information of a stream whose elements have a serializer of their own, so that Flink never uses Kryo. */
public final class StreamType<T> extends TypeInformation<T> {
    private final Class<T> type;
    private final TypeSerializer<T> serializer;

    public StreamType(Class<T> type, TypeSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

    public TypeSerializer<T> serializer() {
        return serializer;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof StreamType;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamType<?> that && that.type.equals(type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
