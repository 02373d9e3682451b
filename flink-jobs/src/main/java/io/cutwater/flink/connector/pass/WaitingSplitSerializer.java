package io.cutwater.flink.connector.pass;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Serializes the state of a {@link OneSplitEnumerator} in a checkpoint: the split while it is unassigned, or nothing.
 */
public final class WaitingSplitSerializer<SplitT extends SourceSplit>
        implements SimpleVersionedSerializer<List<SplitT>> {
    private final SimpleVersionedSerializer<SplitT> one;

    /** @param one serializer of the split, whose version is that of the whole */
    public WaitingSplitSerializer(SimpleVersionedSerializer<SplitT> one) {
        this.one = one;
    }

    @Override
    public int getVersion() {
        return one.getVersion();
    }

    @Override
    public byte[] serialize(List<SplitT> waiting) throws IOException {
        return waiting.isEmpty() ? new byte[0] : one.serialize(waiting.get(0));
    }

    @Override
    public List<SplitT> deserialize(int version, byte[] bytes) throws IOException {
        if (version != getVersion()) {
            throw new IOException(
                    "a source's waiting split of version %d; this build reads %d".formatted(version, getVersion()));
        }
        return bytes.length == 0 ? List.of() : List.of(one.deserialize(version, bytes));
    }
}
