package io.cutwater.format.npy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.state.graph.EdgeBatch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Edges of one NumPy array of integers, shape [2, m] or [m, 2], in C or Fortran order. An array of shape [2, 2] is read
 * as [2, m], as graph libraries write it.
 */
public final class NpyEdgeReader implements EdgeFileReader {
    private static final int CHUNK = 1 << 14;

    private final Path file;
    private final FileChannel channel;
    private final NpyHeader header;
    private final ByteBuffer bytes;
    private final long[] first = new long[CHUNK];
    private final long[] second = new long[CHUNK];

    private long row;

    private NpyEdgeReader(Path file, FileChannel channel, EdgeFilePosition from) throws IOException {
        this.file = file;
        this.channel = channel;
        header = NpyHeader.read(channel, file);
        bytes = ByteBuffer.allocateDirect(CHUNK * header.bytesPerId()).order(ByteOrder.LITTLE_ENDIAN);
        row = from.row();
        if (channel.size() != header.fileSize()) {
            throw new IOException("%s is %d bytes long, but its header says %d edges, which take %d. Save it again."
                    .formatted(file, channel.size(), header.edges(), header.fileSize()));
        }
        if (row > header.edges()) {
            throw new IOException(
                    "%s is shorter than when it was read before. Put the same file back, or start from its beginning."
                            .formatted(file));
        }
    }

    public static NpyEdgeReader open(Path file, EdgeFilePosition from) throws IOException {
        FileChannel channel = FileChannel.open(file);
        try {
            return new NpyEdgeReader(file, channel, from);
        } catch (IOException e) {
            channel.close();
            throw e;
        } catch (ArithmeticException e) {
            channel.close();
            throw new IOException("%s: its header says more edges than a file can hold.".formatted(file), e);
        }
    }

    @Override
    public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
        long before = row;
        long end = Math.min(header.edges(), before + maxEdges);
        while (row < end) {
            if (header.areIdsInPairs()) {
                int count = (int) Math.min(end - row, CHUNK / 2);
                fill(first, 2 * row, 2 * count);
                for (int i = 0; i < count; i++) {
                    batch.add(first[2 * i], first[2 * i + 1]);
                }
                row += count;
            } else {
                int count = (int) Math.min(end - row, CHUNK);
                fill(first, row, count);
                fill(second, header.edges() + row, count);
                for (int i = 0; i < count; i++) {
                    batch.add(first[i], second[i]);
                }
                row += count;
            }
        }
        return row > before;
    }

    private void fill(long[] ids, long index, int count) throws IOException {
        bytes.clear().limit(count * header.bytesPerId());
        long offset = header.dataOffset() + index * header.bytesPerId();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("%s became shorter while it was read, at edge %d.".formatted(file, row));
            }
        }
        bytes.flip();
        if (header.bytesPerId() == Long.BYTES) {
            bytes.asLongBuffer().get(ids, 0, count);
        } else {
            for (int i = 0; i < count; i++) {
                ids[i] = bytes.getInt(i * Integer.BYTES);
            }
        }
    }

    @Override
    public EdgeFilePosition position() {
        return new EdgeFilePosition(0, row, 0);
    }

    @Override
    public long bytesRead() {
        return header.dataOffset() + row * 2 * header.bytesPerId();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
