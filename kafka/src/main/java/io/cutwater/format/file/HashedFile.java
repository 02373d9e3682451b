package io.cutwater.format.file;

import io.cutwater.state.graph.Hashing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Consumer;

/** A new file that is written once and knows its SHA-256 when it is closed. */
public final class HashedFile extends OutputStream {
    public static final int BUFFER_BYTES = 1 << 15;

    private final Path file;
    private final FileChannel channel;
    private final Consumer<String> sum;
    private final MessageDigest digest = Hashing.sha256();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private long written;

    /** @param sum receives the SHA-256 in hexadecimal digits when the file has been closed */
    HashedFile(Path file, Consumer<String> sum) throws IOException {
        this.file = file;
        this.sum = sum;
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void write(int value) throws IOException {
        if (buffered == BUFFER_BYTES) {
            drain();
        }
        buffer[buffered++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (buffered + length > BUFFER_BYTES) {
            drain();
        }
        if (length >= BUFFER_BYTES) {
            pass(ByteBuffer.wrap(bytes, from, length));
        } else {
            System.arraycopy(bytes, from, buffer, buffered, length);
            buffered += length;
        }
    }

    /** Writes what remains in a buffer; large buffers bypass the stream's own buffer. */
    public void write(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() >= BUFFER_BYTES) {
            drain();
            pass(bytes);
            return;
        }
        if (buffered + bytes.remaining() > BUFFER_BYTES) {
            drain();
        }
        int length = bytes.remaining();
        bytes.get(buffer, buffered, length);
        buffered += length;
    }

    private void drain() throws IOException {
        pass(ByteBuffer.wrap(buffer, 0, buffered));
        buffered = 0;
    }

    private void pass(ByteBuffer bytes) throws IOException {
        digest.update(bytes.duplicate());
        written += bytes.remaining();
        FileOperations.write(channel, bytes, file);
    }

    public long position() {
        return written + buffered;
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try (channel) {
            drain();
        }
        sum.accept(HexFormat.of().formatHex(digest.digest()));
    }
}
