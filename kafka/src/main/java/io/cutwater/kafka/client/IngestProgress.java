package io.cutwater.kafka.client;

import io.cutwater.kafka.file.EdgeFilePosition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * How far a file is ingested: the value of topic {@code ingest-progress}.
 *
 * <pre>
 *   offset  bytes  content, numbers little-endian
 *   0       1      version = 1
 *   1       1      flags: bit 0 = finished, others 0
 *   2       24     position behind the last edge: offset, row, detail
 *   26      8      edges so far
 *   34      8      dead letters so far
 *   42      8      size of the file
 *   50      …      its path in UTF-8, for people
 * </pre>
 *
 * @param position behind the last edge that is written
 */
record IngestProgress(EdgeFilePosition position, long edges, long rejected, long fileBytes, boolean isFinished) {
    private static final int VERSION = 1;
    private static final int FINISHED = 1;
    private static final int FIXED_BYTES = 50;

    static IngestProgress none(long fileBytes) {
        return new IngestProgress(EdgeFilePosition.START, 0, 0, fileBytes, false);
    }

    byte[] encode(Path file) {
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + path.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) VERSION)
                .put((byte) (isFinished ? FINISHED : 0))
                .putLong(position.offset())
                .putLong(position.row())
                .putLong(position.detail())
                .putLong(edges)
                .putLong(rejected)
                .putLong(fileBytes)
                .put(path)
                .array();
    }

    /** @throws IllegalArgumentException with one sentence if the bytes are no progress of a known version */
    static IngestProgress decode(byte[] value) {
        if (value.length < FIXED_BYTES) {
            throw new IllegalArgumentException(
                    "a progress record takes at least %d bytes, but there are %d".formatted(FIXED_BYTES, value.length));
        }
        ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        int version = in.get();
        int flags = in.get();
        if (version != VERSION || (flags & ~FINISHED) != 0) {
            throw new IllegalArgumentException(
                    "a progress record of version %d with flags 0x%02x is not known; this program reads version %d"
                            .formatted(version & 0xFF, flags & 0xFF, VERSION));
        }
        EdgeFilePosition position = new EdgeFilePosition(in.getLong(), in.getLong(), in.getLong());
        return new IngestProgress(position, in.getLong(), in.getLong(), in.getLong(), flags == FINISHED);
    }
}
