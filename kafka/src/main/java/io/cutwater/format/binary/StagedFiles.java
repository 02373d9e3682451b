package io.cutwater.format.binary;

import io.cutwater.format.file.FileOperations;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of append-only files, each with a buffer of bounded size. Only the {@value #MAX_OPEN} files written
 * last are open, so thousands of files need no raised limit of file descriptors. A file without bytes does not exist.
 */
public final class StagedFiles implements Closeable {
    public static final int MAX_OPEN = 256;

    private final List<Path> files;
    private final int bufferBytes;
    private final @Nullable ByteBuffer[] buffers;
    private final long[] lengths;
    private final BitSet unforced = new BitSet();
    private final Map<Integer, FileChannel> open = new LinkedHashMap<>(16, 0.75f, true);
    private boolean hasNewFile;

    /**
     * @param files in the order of their numbers
     * @param lengths the current length of each file, in bytes
     * @param bufferBytes the size of each file's buffer, which is allocated with the file's first byte
     */
    public StagedFiles(List<Path> files, long[] lengths, int bufferBytes) {
        this.files = List.copyOf(files);
        this.lengths = lengths.clone();
        this.bufferBytes = bufferBytes;
        buffers = new ByteBuffer[files.size()];
    }

    public int bufferBytes() {
        return bufferBytes;
    }

    /** Returns a little-endian buffer for the next bytes of a file, with at least {@code bytes} remaining. */
    public ByteBuffer room(int file, int bytes) throws IOException {
        ByteBuffer buffer = buffers[file];
        if (buffer != null && buffer.remaining() >= bytes) {
            return buffer;
        }
        if (buffer != null) {
            write(file, buffer);
        }
        if (buffer == null || buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocate(Math.max(bufferBytes, bytes)).order(ByteOrder.LITTLE_ENDIAN);
            buffers[file] = buffer;
        }
        return buffer;
    }

    /** Writes every buffered byte to its file and returns the length of each file, in bytes. */
    public long[] flush() throws IOException {
        for (int file = 0; file < buffers.length; file++) {
            ByteBuffer buffer = buffers[file];
            if (buffer != null && buffer.position() > 0) {
                write(file, buffer);
            }
        }
        return lengths.clone();
    }

    /** Forces every written byte to the disk. */
    public void force() throws IOException {
        List<Path> paths = new ArrayList<>();
        unforced.stream().forEach(file -> paths.add(files.get(file)));
        if (hasNewFile) {
            paths.add(FileOperations.parent(files.get(0)));
        }
        FileOperations.force(paths);
        hasNewFile = false;
        unforced.clear();
    }

    private void write(int file, ByteBuffer buffer) throws IOException {
        buffer.flip();
        int bytes = buffer.remaining();
        FileChannel channel = channel(file);
        FileOperations.write(channel, buffer, files.get(file));
        buffer.clear();
        lengths[file] += bytes;
        unforced.set(file);
    }

    private FileChannel channel(int file) throws IOException {
        FileChannel channel = open.get(file);
        if (channel == null) {
            closeOldest();
            Path path = files.get(file);
            hasNewFile |= lengths[file] == 0 && !Files.exists(path);
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            open.put(file, channel);
        }
        return channel;
    }

    private void closeOldest() throws IOException {
        if (open.size() == MAX_OPEN) {
            Iterator<FileChannel> channels = open.values().iterator();
            FileChannel oldest = channels.next();
            channels.remove();
            oldest.close();
        }
    }

    /** Closes the files; bytes after the last {@link #flush} are discarded. */
    @Override
    public void close() throws IOException {
        try {
            for (FileChannel channel : open.values()) {
                channel.close();
            }
        } finally {
            open.clear();
        }
    }
}
