package io.cutwater.format.npy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a NumPy file holds.
 *
 * @param dataOffset where the numbers begin, in bytes
 * @param edges m
 * @param bytesPerId 4 or 8
 * @param areIdsInPairs whether source and target stand side by side; else all sources come before all targets
 */
record NpyHeader(long dataOffset, long edges, int bytesPerId, boolean areIdsInPairs) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_LENGTH = 1 << 16;

    private static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*('[^']*'|\\[.*])");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");
    private static final Pattern TWO_LENGTHS = Pattern.compile("\\s*(\\d{1,18})\\s*,\\s*(\\d{1,18})\\s*,?\\s*");

    static NpyHeader read(FileChannel channel, Path file) throws IOException {
        return of(Fields.read(channel, file), file);
    }

    /**
     * What the header says, whatever the array is for.
     *
     * @param type with its quotation marks, such as {@code '<i8'}
     * @param shape what stands between its brackets
     */
    record Fields(long dataOffset, String type, boolean isFortranOrder, String shape) {
        /** @throws IOException with a sentence, if the file does not begin as an array does */
        static Fields read(FileChannel channel, Path file) throws IOException {
            return readFields(channel, file);
        }
    }

    private static Fields readFields(FileChannel channel, Path file) throws IOException {
        ByteBuffer head = bytes(channel, file, 0, 12);
        for (int i = 0; i < MAGIC.length; i++) {
            if (head.get(i) != MAGIC[i]) {
                throw corrupt(file, "it does not begin with the bytes of a .npy file");
            }
        }
        int version = head.get(6);
        if (version < 1 || version > 3) {
            throw corrupt(file, "its version %d is none of 1, 2, 3".formatted(version));
        }
        int start = version == 1 ? 10 : 12;
        int length = version == 1 ? head.getShort(8) & 0xFFFF : head.getInt(8);
        if (length < 0 || length > MAX_LENGTH) {
            throw corrupt(file, "its header's length is %d".formatted(length));
        }
        String dict = StandardCharsets.UTF_8
                .decode(bytes(channel, file, start, length))
                .toString();
        return new Fields(
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

    private static NpyHeader of(Fields fields, Path file) throws IOException {
        String type = fields.type();
        if (!type.equals("'<i8'") && !type.equals("'<i4'")) {
            throw new IOException(
                    "%s: edges must be little-endian int64 or int32 ('<i8' or '<i4'), not %s. Save them with .astype('<i8')."
                            .formatted(file, type));
        }
        String shape = fields.shape();
        Matcher lengths = TWO_LENGTHS.matcher(shape);
        long rows = lengths.matches() ? Long.parseLong(lengths.group(1)) : 0;
        long columns = lengths.matches() ? Long.parseLong(lengths.group(2)) : 0;
        if (rows != 2 && columns != 2) {
            throw new IOException(
                    "%s: edges must be an array of shape (2, m) or (m, 2), not (%s).".formatted(file, shape));
        }
        long edges = rows == 2 ? columns : rows;
        return new NpyHeader(
                fields.dataOffset(), edges, type.equals("'<i8'") ? 8 : 4, (rows == 2) == fields.isFortranOrder());
    }

    private static String field(Pattern pattern, String dict, Path file) throws IOException {
        Matcher matcher = pattern.matcher(dict);
        if (!matcher.find()) {
            throw corrupt(file, "its header does not say descr, fortran_order and shape");
        }
        return matcher.group(1);
    }

    private static IOException corrupt(Path file, String reason) {
        return new IOException("%s is no sound .npy file: %s. Save it again with numpy.save.".formatted(file, reason));
    }

    /** Bytes that the whole file must have. */
    long fileSize() {
        return Math.addExact(dataOffset, Math.multiplyExact(edges, 2L * bytesPerId));
    }
}
