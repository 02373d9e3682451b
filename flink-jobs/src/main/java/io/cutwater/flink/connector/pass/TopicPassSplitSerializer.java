package io.cutwater.flink.connector.pass;

import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.format.EdgeFilePosition;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Serializes the split in a checkpoint.
 *
 * <pre>
 *   pass 4 bytes, number of the topic partition among those that are read 4, offset 8; all big-endian
 * </pre>
 */
final class TopicPassSplitSerializer implements SimpleVersionedSerializer<TopicPassSplit> {
    private static final int VERSION = 1;
    private static final int BYTES = 2 * Integer.BYTES + Long.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(TopicPassSplit split) {
        return ByteBuffer.allocate(BYTES)
                .putInt(split.pass())
                .putInt(split.next().part())
                .putLong(split.next().within().offset())
                .array();
    }

    @Override
    public TopicPassSplit deserialize(int version, byte[] bytes) throws IOException {
        checkVersion(version);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            int pass = in.getInt();
            int part = in.getInt();
            return new TopicPassSplit(pass, new InputPosition(part, new EdgeFilePosition(in.getLong(), 0, 0)));
        } catch (BufferUnderflowException e) {
            throw new IOException("%d bytes are no split of passes over a topic".formatted(bytes.length), e);
        }
    }

    private static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "the split of passes over a topic of version %d; this build reads %d".formatted(version, VERSION));
        }
    }
}
