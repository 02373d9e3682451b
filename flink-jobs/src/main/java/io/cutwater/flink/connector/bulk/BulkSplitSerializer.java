package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
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
 *   edges 8 bytes, part 4, then the place within it: offset 8, row 8, detail 8; all big-endian
 * </pre>
 */
final class BulkSplitSerializer implements SimpleVersionedSerializer<BulkSplit> {
    private static final int VERSION = 1;
    private static final int BYTES = Integer.BYTES + 4 * Long.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(BulkSplit split) {
        InputPosition input = split.input();
        return ByteBuffer.allocate(BYTES)
                .putLong(split.edges())
                .putInt(input.part())
                .putLong(input.within().offset())
                .putLong(input.within().row())
                .putLong(input.within().detail())
                .array();
    }

    @Override
    public BulkSplit deserialize(int version, byte[] bytes) throws IOException {
        checkVersion(version);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            long edges = in.getLong();
            int part = in.getInt();
            return new BulkSplit(
                    edges, new InputPosition(part, new EdgeFilePosition(in.getLong(), in.getLong(), in.getLong())));
        } catch (BufferUnderflowException e) {
            throw new IOException("%d bytes are no split of a bulk source".formatted(bytes.length), e);
        }
    }

    private static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "the split of a bulk source of version %d; this build reads %d".formatted(version, VERSION));
        }
    }
}
