package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.topic.TopicSplit;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Serializes a split of a bootstrap in a checkpoint.
 *
 * <pre>
 *   what 1 byte: 0 the history is over, 1 it goes on there, 2 a topic partition
 *   1: version 4 bytes, then as {@link BulkSplitSerializer} has it
 *   2: version 4 bytes, then as the topic's source has it
 * </pre>
 */
final class BootstrapSplitSerializer implements SimpleVersionedSerializer<BootstrapSplit> {
    private static final int VERSION = 1;
    private static final byte OVER = 0;
    private static final byte HISTORY = 1;
    private static final byte LIVE = 2;

    private final BulkSplitSerializer history = new BulkSplitSerializer();
    private final SimpleVersionedSerializer<TopicSplit> live;

    BootstrapSplitSerializer(SimpleVersionedSerializer<TopicSplit> live) {
        this.live = live;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(BootstrapSplit split) throws IOException {
        if (split.live() != null) {
            return bytes(LIVE, live.getVersion(), live.serialize(split.live()));
        }
        return split.history() == null
                ? new byte[] {OVER}
                : bytes(HISTORY, history.getVersion(), history.serialize(split.history()));
    }

    private static byte[] bytes(byte what, int version, byte[] split) {
        return ByteBuffer.allocate(1 + Integer.BYTES + split.length)
                .put(what)
                .putInt(version)
                .put(split)
                .array();
    }

    @Override
    public BootstrapSplit deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "the split of a bootstrap of version %d; this build reads %d".formatted(version, VERSION));
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte what = in.get();
        if (what == OVER) {
            return BootstrapSplit.ofHistory(null);
        }
        int splitVersion = in.getInt();
        byte[] split = new byte[in.remaining()];
        in.get(split);
        return what == HISTORY
                ? BootstrapSplit.ofHistory(history.deserialize(splitVersion, split))
                : BootstrapSplit.ofLive(live.deserialize(splitVersion, split));
    }
}
