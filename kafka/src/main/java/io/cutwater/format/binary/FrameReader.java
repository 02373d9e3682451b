package io.cutwater.format.binary;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads a staged file frame by frame; a missing file has no frames.
 *
 * <p>A frame is one little-endian long followed by the payload. The long holds the format's version (bits 56 to 63),
 * the kind or flags of the payload (bits 48 to 55), and the payload's length in bytes (bits 0 to 31).
 */
public final class FrameReader implements Closeable {
    public static final int HEADER_BYTES = Long.BYTES;

    private static final byte VERSION = 1;
    private static final int MAX_BUFFER_BYTES = 1 << 18;

    private final Path file;
    private final @Nullable FileChannel channel;
    private ByteBuffer buffer;
    private long frameStart;
    private int kind;
    private int payloadAt;
    private int payloadBytes;

    public FrameReader(Path file) throws IOException {
        this.file = file;
        channel = Files.exists(file) ? FileChannel.open(file, StandardOpenOption.READ) : null;
        // There may be thousands of shards with small files: a full buffer for each would take more memory than their
        // edges.
        long bytes = channel == null ? 0 : channel.size();
        buffer = ByteBuffer.allocate((int) Math.min(MAX_BUFFER_BYTES, bytes)).order(ByteOrder.LITTLE_ENDIAN);
        buffer.limit(0);
    }

    public static long header(int kind, int payloadBytes) {
        return (long) VERSION << 56 | (long) kind << 48 | payloadBytes;
    }

    /** Advances to the next frame; returns false at the end of the file. */
    public boolean next() throws IOException {
        if (!fill(HEADER_BYTES)) {
            return false;
        }
        long header = buffer.getLong();
        kind = (int) (header >>> 48) & 0xFF;
        payloadBytes = (int) header;
        if (header >>> 56 != VERSION || payloadBytes < 0 || (header >>> 32 & 0xFFFF) != 0) {
            throw new IOException("%s holds no frame of version %d at byte %d; delete the folder and run again"
                    .formatted(file, VERSION, frameStart));
        }
        if (!fill(payloadBytes)) {
            throw cutOff();
        }
        payloadAt = buffer.position();
        buffer.position(payloadAt + payloadBytes);
        frameStart += HEADER_BYTES + payloadBytes;
        return true;
    }

    public int kind() {
        return kind;
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /** Returns the payload, little-endian, from position 0; valid until {@link #next}. */
    public ByteBuffer payload() {
        return buffer.slice(payloadAt, payloadBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Fills the buffer with {@code bytes} bytes; returns false if the file ends exactly before them. */
    private boolean fill(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return true;
        }
        if (channel == null) {
            return false;
        }
        if (buffer.capacity() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            buffer = larger.put(buffer);
        } else {
            buffer.compact();
        }
        while (buffer.position() < bytes && channel.read(buffer) >= 0) {}
        buffer.flip();
        if (buffer.hasRemaining() && buffer.remaining() < bytes) {
            throw cutOff();
        }
        return buffer.hasRemaining();
    }

    private IOException cutOff() {
        return new IOException(
                "%s is truncated within the frame that begins at byte %d; delete the folder and run again"
                        .formatted(file, frameStart));
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
