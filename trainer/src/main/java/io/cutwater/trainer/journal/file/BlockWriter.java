package io.cutwater.trainer.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Appends records to a file of {@link Blocks}. The file is open only while a block is written. */
public final class BlockWriter {
    static final int BLOCK_BYTES = 32 << 10;
    /** Initial buffer size; many writers write little. */
    private static final int FIRST_BYTES = 1 << 10;

    private final Path file;
    private long length;
    private ByteBuffer block = ByteBuffer.allocate(0);

    /** @param length position of the first block; the file is truncated there at the first write */
    public BlockWriter(Path file, long length) {
        this.file = file;
        this.length = length;
    }

    /**
     * Returns the buffer for the next record.
     *
     * @param bytes size of the record; the caller puts exactly that many bytes before the next call
     */
    public ByteBuffer room(int bytes) throws IOException {
        if (block.remaining() < bytes && block.capacity() > 0 && block.position() + bytes <= BLOCK_BYTES) {
            block = ByteBuffer.allocate(Math.min(BLOCK_BYTES, Math.max(2 * block.capacity(), block.position() + bytes)))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(block.flip());
        } else if (block.remaining() < bytes) {
            flush();
            if (block.capacity() < Blocks.HEADER_BYTES + bytes) {
                block = ByteBuffer.allocate(Math.max(FIRST_BYTES, Blocks.HEADER_BYTES + bytes))
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
            block.clear().position(Blocks.HEADER_BYTES);
        }
        return block;
    }

    /** Releases the buffer, which must have been flushed. */
    void release() {
        block = ByteBuffer.allocate(0);
    }

    /** Writes the buffered records and returns the length of the file. */
    public long flush() throws IOException {
        int records = block.position() - Blocks.HEADER_BYTES;
        if (records <= 0) {
            return length;
        }
        CRC32C crc = new CRC32C();
        crc.update(block.array(), Blocks.HEADER_BYTES, records);
        block.order(ByteOrder.BIG_ENDIAN).putInt(0, records).putInt(Integer.BYTES, (int) crc.getValue());
        block.order(ByteOrder.LITTLE_ENDIAN);
        block.flip();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (channel.size() > length) {
                channel.truncate(length);
            }
            long to = length;
            while (block.hasRemaining()) {
                to += channel.write(block, to);
            }
            length = to;
        }
        block.clear().position(Blocks.HEADER_BYTES);
        return length;
    }
}
