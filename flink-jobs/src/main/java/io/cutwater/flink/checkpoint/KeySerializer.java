package io.cutwater.flink.checkpoint;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A stateless serializer of keys and namespaces of keyed state, which are records. Subclasses say how a key is written
 * and read; the rest of Flink's interface follows from that.
 */
abstract class KeySerializer<T> extends TypeSerializerSingleton<T> {
    private static final long serialVersionUID = 1;
    private static final int VARIABLE = -1;

    @Override
    public final boolean isImmutableType() {
        return true;
    }

    @Override
    public final T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return VARIABLE;
    }

    @Override
    public final T deserialize(T reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }
}
