package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.BootstrapSplit.Stage;
import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.topic.TopicSplit;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Serializes a split of a bootstrap in a checkpoint.
 *
 * <pre>
 *   what 1 byte: 0 the history is over, 1 it goes on there, 2 a topic partition, 3 the piece is emitted up to there
 *   0, 1, 3: number of tasks 4 bytes; not in version 1, which knows one task and no 3
 *   1, 3: version 4 bytes, then as {@link BulkSplitSerializer} has it
 *   2: version 4 bytes, then as the topic's source has it
 * </pre>
 */
final class BootstrapSplitSerializer implements SimpleVersionedSerializer<BootstrapSplit> {
    private static final int VERSION = 2;
    private static final int VERSION_OF_ONE_TASK = 1;
    private static final byte OVER = 0;
    private static final byte HISTORY = 1;
    private static final byte LIVE = 2;
    private static final byte EMITTED = 3;

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
            byte[] bytes = live.serialize(split.live());
            return ByteBuffer.allocate(1 + Integer.BYTES + bytes.length)
                    .put(LIVE)
                    .putInt(live.getVersion())
                    .put(bytes)
                    .array();
        }
        BulkSplit next = split.history();
        if (next == null) {
            return ByteBuffer.allocate(1 + Integer.BYTES)
                    .put(OVER)
                    .putInt(split.tasks())
                    .array();
        }
        byte[] bytes = history.serialize(next);
        return ByteBuffer.allocate(1 + 2 * Integer.BYTES + bytes.length)
                .put(split.stage() == Stage.EMITTED ? EMITTED : HISTORY)
                .putInt(split.tasks())
                .putInt(history.getVersion())
                .put(bytes)
                .array();
    }

    @Override
    public BootstrapSplit deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION && version != VERSION_OF_ONE_TASK) {
            throw new IOException("the split of a bootstrap of version %d; this build reads %d and %d"
                    .formatted(version, VERSION_OF_ONE_TASK, VERSION));
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            byte what = in.get();
            if (what == LIVE) {
                return BootstrapSplit.ofLive(live.deserialize(in.getInt(), rest(in)));
            }
            int tasks = version == VERSION_OF_ONE_TASK ? 1 : in.getInt();
            if (what == OVER) {
                return BootstrapSplit.ofHistory(Stage.OVER, BulkSplit.WHOLE, tasks);
            }
            return BootstrapSplit.ofHistory(
                    what == EMITTED ? Stage.EMITTED : Stage.HISTORY, history.deserialize(in.getInt(), rest(in)), tasks);
        } catch (BufferUnderflowException e) {
            throw new IOException("%d bytes are no split of a bootstrap".formatted(bytes.length), e);
        }
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }
}
