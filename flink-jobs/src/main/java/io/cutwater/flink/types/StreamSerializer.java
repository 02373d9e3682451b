package io.cutwater.flink.types;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A stateless serializer of elements of variable length. Subclasses implement three methods; the rest of Flink's
 * interface follows from them.
 */
public abstract class StreamSerializer<T> extends TypeSerializer<T> {
    @Override
    public final boolean isImmutableType() {
        return false;
    }

    @Override
    public final TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public final T copy(T from, T reuse) {
        return copy(from);
    }

    @Override
    public final void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public final T deserialize(DataInputView in) throws IOException {
        return deserialize(createInstance(), in);
    }

    @Override
    public final int getLength() {
        return -1;
    }

    @Override
    @SuppressWarnings("EqualsGetClass") // serializers of one class are equal
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass();
    }

    @Override
    public final int hashCode() {
        return getClass().hashCode();
    }
}
