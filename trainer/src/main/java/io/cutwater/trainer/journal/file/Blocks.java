package io.cutwater.trainer.journal.file;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Files of blocks with checksums; each block has whole records. A block: length of its records in bytes (4,
 * big-endian), their CRC-32C (4), the records. Files need no fsync: a reader detects what a power failure has lost.
 */
public final class Blocks {
    static final int HEADER_BYTES = 2 * Integer.BYTES;

    private static final int BUFFER_BYTES = 256 << 10;

    /** Receives blocks. */
    @FunctionalInterface
    public interface BlockConsumer {
        /**
         * Receives the next block.
         *
         * @param at position of its records in the file
         * @param records the remaining bytes, little-endian; valid until the call returns
         */
        void accept(long at, ByteBuffer records) throws IOException;
    }

    private Blocks() {}

    /**
     * Reads the first {@code bytes} bytes of a file, which end with a block.
     *
     * @throws DamagedJournalException if they are missing or damaged; the message is meant for users
     */
    public static void read(Path file, long bytes, BlockConsumer consumer) throws IOException {
        if (bytes == 0) {
            return;
        }
        byte[] buffer = new byte[BlockWriter.BLOCK_BYTES];
        CRC32C sum = new CRC32C();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
            for (long at = 0; at < bytes; ) {
                int length = in.readInt();
                int crc = in.readInt();
                at += HEADER_BYTES;
                if (length < 0 || length > bytes - at) {
                    throw damaged(file, null);
                }
                buffer = length > buffer.length ? new byte[length] : buffer;
                in.readFully(buffer, 0, length);
                sum.reset();
                sum.update(buffer, 0, length);
                if ((int) sum.getValue() != crc) {
                    throw damaged(file, null);
                }
                consumer.accept(at, ByteBuffer.wrap(buffer, 0, length).order(ByteOrder.LITTLE_ENDIAN));
                at += length;
            }
        } catch (EOFException | NoSuchFileException e) {
            throw damaged(file, e);
        }
    }

    private static DamagedJournalException damaged(Path file, @Nullable Throwable cause) {
        return new DamagedJournalException("%s is damaged: its length or a checksum is wrong".formatted(file), cause);
    }
}
