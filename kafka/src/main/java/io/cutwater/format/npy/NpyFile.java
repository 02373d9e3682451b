package io.cutwater.format.npy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The NumPy array files of an output folder: little-endian numbers of one or two dimensions. */
public final class NpyFile implements Closeable {
    public static final String INT64 = "<i8";
    public static final String FLOAT64 = "<f8";
    public static final String FLOAT32 = "<f4";
    public static final String INT8 = "|i1";

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int ALIGNMENT = 64;
    private static final int MAX_HEADER_BYTES = 256;
    private static final Pattern DICTIONARY = Pattern.compile(
            "\\{'descr': '([<|][if][148])', 'fortran_order': False, 'shape': \\((\\d{1,18}),(?: (\\d{1,18}))?\\), \\} *\n");

    private final Path file;
    private final FileChannel channel;
    private final int itemBytes;
    private long begin;
    private long rows;
    private long columns;

    /** Opens a file to read, and checks that it is a whole array of such numbers. */
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
        ByteBuffer head = ByteBuffer.allocate(MAX_HEADER_BYTES);
        while (head.hasRemaining() && channel.read(head) >= 0) {}
        int textAt = MAGIC.length + Short.BYTES;
        String text = new String(head.array(), 0, head.position(), StandardCharsets.ISO_8859_1);
        Matcher dictionary = DICTIONARY.matcher(text);
        if (head.position() < textAt
                || !dictionary.find(textAt)
                || dictionary.start() != textAt
                || !dictionary.group(1).equals(type)) {
            throw new IOException("%s is no array of '%s' as this program writes them".formatted(file, type));
        }
        begin = dictionary.end();
        rows = Long.parseLong(dictionary.group(2));
        columns = dictionary.group(3) == null ? 1 : Long.parseLong(dictionary.group(3));
        long bytes = begin + Math.multiplyExact(Math.multiplyExact(rows, columns), itemBytes);
        if (channel.size() != bytes) {
            throw new IOException("%s has %d bytes, but its header tells of %d".formatted(file, channel.size(), bytes));
        }
    }

    /** The bytes in front of the numbers of an array of one or two dimensions. */
    public static byte[] header(String type, long... shape) {
        String dimensions = shape.length == 1 ? shape[0] + "," : shape[0] + ", " + shape[1];
        String text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }".formatted(type, dimensions);
        int unpadded = MAGIC.length + Short.BYTES + text.length() + 1;
        int bytes = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer header = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).putShort((short) (bytes - MAGIC.length - Short.BYTES));
        header.put(text.getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }

    public long rows() {
        return rows;
    }

    /** 1 for an array of one dimension. */
    public long columns() {
        return columns;
    }

    /** Reads {@code count} numbers from number {@code from} on, as their bytes. */
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

    /** A buffer for {@link #read} of as many 64-bit numbers. */
    public static ByteBuffer allocate(int count) {
        return ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
