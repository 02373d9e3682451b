package io.cutwater.kafka.progress;

import io.cutwater.format.EdgeFilePosition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The progress of the ingest of a file: the value of topic {@code ingest-progress}.
 *
 * <pre>
 *   offset  bytes  content, numbers little-endian
 *   0       1      version = 2; version 1 has no modification time and no hash
 *   1       1      flags: bit 0 = finished, others 0
 *   2       24     position after the last edge: offset, row, detail
 *   26      8      edges so far
 *   34      8      dead letters so far
 *   42      8      size of the file
 *   50      8      its modification time, in milliseconds since the epoch
 *   58      8      hash of its ends, see FileStamp
 *   66      …      its path in UTF-8, for people
 * </pre>
 *
 * @param position after the last edge that is written
 * @param file the file as it was when this was written
 */
public record IngestProgress(EdgeFilePosition position, long edges, long rejected, FileStamp file, boolean isFinished) {
    private static final int SIZE_ONLY = 1;
    private static final int VERSION = 2;
    private static final int FINISHED = 1;
    private static final int SIZE_ONLY_BYTES = 50;
    private static final int FIXED_BYTES = 66;

    public static IngestProgress none(FileStamp file) {
        return new IngestProgress(EdgeFilePosition.START, 0, 0, file, false);
    }

    byte[] encode(Path shown) {
        byte[] path = shown.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + path.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) VERSION)
                .put((byte) (isFinished ? FINISHED : 0))
                .putLong(position.offset())
                .putLong(position.row())
                .putLong(position.detail())
                .putLong(edges)
                .putLong(rejected)
                .putLong(file.bytes())
                .putLong(file.modifiedMillis())
                .putLong(file.endsHash())
                .put(path)
                .array();
    }

    /** @throws IllegalArgumentException if the bytes are not a progress of a known version */
    static IngestProgress decode(byte[] value) {
        requireBytes(value, SIZE_ONLY_BYTES);
        ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        int version = in.get();
        int flags = in.get();
        if (version < SIZE_ONLY || version > VERSION || (flags & ~FINISHED) != 0) {
            throw new IllegalArgumentException(
                    "a progress record of version %d with flags 0x%02x is not known; this program reads versions %d and %d"
                            .formatted(version & 0xFF, flags & 0xFF, SIZE_ONLY, VERSION));
        }
        EdgeFilePosition position = new EdgeFilePosition(in.getLong(), in.getLong(), in.getLong());
        long edges = in.getLong();
        long rejected = in.getLong();
        long bytes = in.getLong();
        FileStamp file = FileStamp.ofSize(bytes);
        if (version == VERSION) {
            requireBytes(value, FIXED_BYTES);
            file = new FileStamp(bytes, in.getLong(), in.getLong());
        }
        return new IngestProgress(position, edges, rejected, file, flags == FINISHED);
    }

    private static void requireBytes(byte[] value, int least) {
        if (value.length < least) {
            throw new IllegalArgumentException(
                    "a progress record takes at least %d bytes, but there are %d".formatted(least, value.length));
        }
    }
}
