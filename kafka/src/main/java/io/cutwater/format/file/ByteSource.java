package io.cutwater.format.file;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The decompressed bytes of a file; its name determines the compression. */
public final class ByteSource implements Closeable {
    private static final int INFLATE_BUFFER = 1 << 17;

    private final Path file;
    private final Compression compression;
    private final FileChannel channel;
    private final InputStream bytes;

    private ByteSource(Path file, Compression compression, FileChannel channel, InputStream bytes) {
        this.file = file;
        this.compression = compression;
        this.channel = channel;
        this.bytes = bytes;
    }

    public static ByteSource open(Path file) throws IOException {
        checkReadable(file);
        Compression compression = Compression.ofName(file);
        FileChannel channel = FileChannel.open(file);
        try {
            return new ByteSource(file, compression, channel, decompress(channel, compression));
        } catch (IOException e) {
            channel.close();
            throw unreadable(file, compression, "byte 0", e);
        }
    }

    /** @throws IOException if the path is not a regular file that this user may read; the message is meant for users */
    public static void checkReadable(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("%s is a folder. Name the files in it.".formatted(file));
        }
        if (!Files.exists(file)) {
            throw new IOException("%s does not exist. Check the path.".formatted(file));
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    "%s is no regular file. Write it to a file first: it may be read more than once.".formatted(file));
        }
        if (!Files.isReadable(file)) {
            throw new IOException("%s may not be read by this user. Check its permissions.".formatted(file));
        }
    }

    private static InputStream decompress(FileChannel channel, Compression compression) throws IOException {
        InputStream raw = Channels.newInputStream(channel);
        if (compression != Compression.NONE && channel.size() == 0) {
            throw new EOFException("the file has no bytes at all");
        }
        return switch (compression) {
            case NONE -> raw;
            case GZIP -> new GZIPInputStream(raw, INFLATE_BUFFER);
            case ZSTD -> new ZstdInputStreamNoFinalizer(raw);
        };
    }

    public Path file() {
        return file;
    }

    /**
     * Like {@link InputStream#read(byte[], int, int)}. Pass an exception to {@link #unreadable} for a message that
     * names the file.
     */
    public int read(byte[] into, int from, int length) throws IOException {
        return bytes.read(into, from, length);
    }

    /**
     * Skips decompressed bytes: by seeking in a plain file, by decompressing in a compressed one.
     *
     * @throws IOException if the file has fewer bytes; the message is meant for users
     */
    public void skip(long count) throws IOException {
        long skipped = 0;
        try {
            if (compression == Compression.NONE) {
                skipped = Math.min(count, channel.size() - channel.position());
                channel.position(channel.position() + skipped);
            } else {
                skipped = bytes.skip(count);
                while (skipped < count && bytes.read() >= 0) {
                    skipped += 1 + bytes.skip(count - skipped - 1);
                }
            }
        } catch (IOException e) {
            throw unreadable("byte " + skipped, e);
        }
        if (skipped < count) {
            throw new IOException(
                    "%s is shorter than when it was read before. Put the same file back, or start from its beginning."
                            .formatted(file));
        }
    }

    /** Returns the bytes of the file itself read so far. */
    public long bytesRead() {
        try {
            return channel.position();
        } catch (IOException closed) {
            return 0;
        }
    }

    /** @param place the last readable place, such as "line 17" */
    public IOException unreadable(String place, IOException cause) {
        return unreadable(file, compression, place, cause);
    }

    private static IOException unreadable(Path file, Compression compression, String place, IOException cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (compression == Compression.NONE) {
            return new IOException("%s could be read up to %s only: %s.".formatted(file, place, reason), cause);
        }
        return new IOException(
                "%s could be read up to %s only: its %s data is truncated or damaged (%s). Get the file again; %s -t tests it."
                        .formatted(file, place, compression.tool(), reason, compression.tool()),
                cause);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            bytes.close();
        }
    }
}
