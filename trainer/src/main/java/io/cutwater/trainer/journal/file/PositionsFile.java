package io.cutwater.trainer.journal.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a journal, in a file that is replaced as a whole. Numbers are big-endian:
 *
 * <pre>
 *   1          version = 1
 *   2 + n      identity of the journal, as UTF-8 after its length
 *   4          p, number of positions; for each, the oldest first:
 *     1          1 = cut
 *     4, 8 each  number of offsets, offsets
 *     4          number of files; for each:
 *       4, 8, 8    generation, bytes, bytes after the last compaction
 *   8          CRC-32C of all preceding bytes
 * </pre>
 */
final class PositionsFile {
    private static final int VERSION = 1;

    private final Path file;
    private final String identity;

    /** @param identity identity of the journal; positions of another one are ignored */
    PositionsFile(Path file, String identity) {
        this.file = file;
        this.identity = identity;
    }

    void write(List<Position> positions) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(VERSION);
        out.writeUTF(identity);
        out.writeInt(positions.size());
        for (Position position : positions) {
            out.writeBoolean(position.isCut());
            out.writeInt(position.offsets().size());
            for (long offset : position.offsets()) {
                out.writeLong(offset);
            }
            out.writeInt(position.files().size());
            for (Extent extent : position.files()) {
                out.writeInt(extent.generation());
                out.writeLong(extent.bytes());
                out.writeLong(extent.rewritten());
            }
        }
        out.writeLong(crc(bytes.toByteArray(), bytes.size()));
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.write(written, bytes.toByteArray());
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }

    /** Returns the positions; null if there are none, or none of this journal in a known version. */
    @Nullable List<Position> read() throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        byte[] bytes = Files.readAllBytes(file);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int content = bytes.length - Long.BYTES;
        if (content < 0) {
            return null;
        }
        DataInputStream end = new DataInputStream(new ByteArrayInputStream(bytes, content, Long.BYTES));
        if (end.readLong() != crc(bytes, content)
                || in.readByte() != VERSION
                || !in.readUTF().equals(identity)) {
            return null;
        }
        List<Position> positions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            positions.add(readPosition(in));
        }
        return positions;
    }

    private static Position readPosition(DataInputStream in) throws IOException {
        boolean isCut = in.readBoolean();
        List<Long> offsets = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            offsets.add(in.readLong());
        }
        List<Extent> files = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.add(new Extent(in.readInt(), in.readLong(), in.readLong()));
        }
        return new Position(offsets, isCut, files);
    }
}
