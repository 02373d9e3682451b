package io.cutwater.format.npy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of a NumPy array file, in versions 1 to 3 of the format.
 *
 * @param dataOffset where the numbers begin, in bytes
 * @param type the element type, such as {@code <i8}; a structured type is its whole description in brackets
 * @param isFortranOrder whether the first index varies fastest
 * @param shape the text between the brackets of the shape
 */
record NpyHeader(long dataOffset, String type, boolean isFortranOrder, String shape) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_LENGTH = 1 << 16;
    private static final int ALIGNMENT = 64;

    private static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*(?:'([^']*)'|(\\[.*]))");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");
    private static final Pattern LENGTHS = Pattern.compile("\\s*(\\d{1,18}\\s*,\\s*)*(\\d{1,18}\\s*)?");

    /**
     * Reads the header of an open file.
     *
     * @throws IOException if the file does not begin as an array does; the message is meant for users
     */
    static NpyHeader read(FileChannel channel, Path file) throws IOException {
        ByteBuffer head = bytes(channel, file, 0, 12);
        for (int i = 0; i < MAGIC.length; i++) {
            if (head.get(i) != MAGIC[i]) {
                throw corrupt(file, "it does not begin with the bytes of a .npy file");
            }
        }
        int version = head.get(6);
        if (version < 1 || version > 3) {
            throw corrupt(file, "its version must be 1, 2, or 3, but was %d".formatted(version));
        }
        int start = version == 1 ? 10 : 12;
        int length = version == 1 ? head.getShort(8) & 0xFFFF : head.getInt(8);
        if (length < 0 || length > MAX_LENGTH) {
            throw corrupt(file, "its header's length is %d".formatted(length));
        }
        String dict = StandardCharsets.UTF_8
                .decode(bytes(channel, file, start, length))
                .toString();
        return new NpyHeader(
                start + length,
                field(TYPE, dict, file),
                field(ORDER, dict, file).equals("True"),
                field(SHAPE, dict, file));
    }

    private static ByteBuffer bytes(FileChannel channel, Path file, int from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                throw corrupt(file, "it ends within the header");
            }
        }
        return bytes.flip();
    }

    private static String field(Pattern pattern, String dict, Path file) throws IOException {
        Matcher matcher = pattern.matcher(dict);
        if (!matcher.find()) {
            throw corrupt(file, "its header does not say descr, fortran_order and shape");
        }
        String first = matcher.group(1);
        return first == null ? matcher.group(2) : first;
    }

    private static IOException corrupt(Path file, String reason) {
        return new IOException(
                "%s is not a valid .npy file: %s. Save it again with numpy.save.".formatted(file, reason));
    }

    /** Returns the element type as the header writes it: in quotation marks unless it is structured. */
    String quotedType() {
        return type.startsWith("[") ? type : "'" + type + "'";
    }

    /** Returns the length of each dimension; empty for a scalar, or for a shape of anything but numbers. */
    long[] dimensions() {
        if (shape.isBlank() || !LENGTHS.matcher(shape).matches()) {
            return new long[0];
        }
        return Arrays.stream(shape.split(","))
                .map(String::trim)
                .filter(length -> !length.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Encodes the header of an array of one or two dimensions in C order; the numbers follow it directly. */
    static byte[] encode(String type, long... dimensions) {
        String shape = dimensions.length == 1 ? dimensions[0] + "," : dimensions[0] + ", " + dimensions[1];
        String text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }".formatted(type, shape);
        int before = MAGIC.length + 2 + Short.BYTES;
        int unpadded = before + text.length() + 1;
        int bytes = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer header = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (bytes - before));
        header.put(text.getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }
}
