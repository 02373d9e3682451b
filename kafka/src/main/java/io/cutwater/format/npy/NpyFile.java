package io.cutwater.format.npy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A NumPy array file of an output folder: little-endian numbers of one or two dimensions. */
public final class NpyFile implements Closeable {
    public static final String INT64 = "<i8";
    public static final String FLOAT64 = "<f8";
    public static final String FLOAT32 = "<f4";
    public static final String INT8 = "|i1";
    public static final String BOOL = "|b1";

    private final Path file;
    private final FileChannel channel;
    private final int itemBytes;
    private long begin;
    private long rows;
    private long columns;

    /** Opens a file for reading and checks that it is a complete array of the given type. */
    public NpyFile(Path file, String type) throws IOException {
        this.file = file;
        itemBytes = type.charAt(2) - '0';
        channel = FileChannel.open(file, StandardOpenOption.READ);
        boolean isOpen = false;
        try {
            readHeader(type);
            isOpen = true;
        } finally {
            if (!isOpen) {
                channel.close();
            }
        }
    }

    private void readHeader(String type) throws IOException {
        NpyHeader header = NpyHeader.read(channel, file);
        long[] dimensions = header.dimensions();
        if (!header.type().equals(type) || header.isFortranOrder() || dimensions.length < 1 || dimensions.length > 2) {
            throw new IOException(
                    "%s must be an array of '%s' in C order with one or two dimensions; restore the file or write the folder again"
                            .formatted(file, type));
        }
        begin = header.dataOffset();
        rows = dimensions[0];
        columns = dimensions.length == 1 ? 1 : dimensions[1];
        long bytes = begin + Math.multiplyExact(Math.multiplyExact(rows, columns), itemBytes);
        if (channel.size() != bytes) {
            throw new IOException("%s has %d bytes, but its header says %d".formatted(file, channel.size(), bytes));
        }
    }

    /** Encodes the header of an array of one or two dimensions; the numbers follow it directly. */
    public static byte[] header(String type, long... shape) {
        return NpyHeader.encode(type, shape);
    }

    public long rows() {
        return rows;
    }

    /** Returns the second dimension; 1 for an array of one dimension. */
    public long columns() {
        return columns;
    }

    /** Reads {@code count} numbers from number {@code from}, as bytes. */
    public void read(long from, int count, ByteBuffer into) throws IOException {
        into.clear().limit(count * itemBytes);
        long position = begin + from * itemBytes;
        while (into.hasRemaining()) {
            int read = channel.read(into, position + into.position());
            if (read < 0) {
                throw new IOException("%s is cut off at byte %d".formatted(file, position + into.position()));
            }
        }
        into.flip();
    }

    /** Allocates a buffer for {@link #read} of up to {@code count} 64-bit numbers. */
    public static ByteBuffer allocate(int count) {
        return ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
