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
 * Files of blocks, of which each has whole records. A block: length of its records in bytes (4, big-endian), their
 * CRC-32C (4), the records. So a file needs not be forced to the disk to be trusted: what a fallen machine has lost of
 * it is found.
 */
public final class Blocks {
    static final int HEADER_BYTES = 2 * Integer.BYTES;

    private static final int BUFFER_BYTES = 256 << 10;

    /** Takes a block. */
    @FunctionalInterface
    public interface BlockConsumer {
        /**
         * Takes the next block.
         *
         * @param at where its records begin in the file
         * @param records all that remains, little-endian; good only until the call returns
         */
        void accept(long at, ByteBuffer records) throws IOException;
    }

    private Blocks() {}

    /**
     * Reads the first bytes of a file, which end with a block.
     *
     * @throws DamagedJournalException with a sentence, if they are not there or not what was written
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
        return new DamagedJournalException("%s does not hold what was written to it".formatted(file), cause);
    }
}
