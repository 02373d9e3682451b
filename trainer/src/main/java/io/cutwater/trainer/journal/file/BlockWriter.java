package io.cutwater.trainer.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Appends records to a file of {@link Blocks}, which is open only while a block is written. */
public final class BlockWriter {
    static final int BLOCK_BYTES = 32 << 10;
    /** Many writers have little to write. */
    private static final int FIRST_BYTES = 1 << 10;

    private final Path file;
    private long length;
    private ByteBuffer block = ByteBuffer.allocate(0);

    /** @param length where the first block goes; what is behind it is cut off then */
    public BlockWriter(Path file, long length) {
        this.file = file;
        this.length = length;
    }

    /**
     * Where the next record goes.
     *
     * @param bytes how many the caller puts there, all of them, before it asks again
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

    /** Lets go of the memory; what was put must have been written. */
    void release() {
        block = ByteBuffer.allocate(0);
    }

    /** Writes what was put; the length of the file. */
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
