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
 * A reader of edges in one NumPy array of integers, of shape [2, m] or [m, 2], in C or Fortran order. Shape [2, 2] is
 * read as [2, m], the shape that graph libraries write.
 */
public final class NpyEdgeReader implements EdgeFileReader {
    private static final int CHUNK = 1 << 14;

    private final Path file;
    private final FileChannel channel;
    private final Layout layout;
    private final ByteBuffer bytes;
    private final long[] first = new long[CHUNK];
    private final long[] second = new long[CHUNK];

    private long row;

    /**
     * The layout of the ids in the file.
     *
     * @param dataOffset where the numbers begin, in bytes
     * @param edges m
     * @param bytesPerId 4 or 8
     * @param areIdsInPairs whether source and target are adjacent; otherwise all sources come before all targets
     */
    private record Layout(long dataOffset, long edges, int bytesPerId, boolean areIdsInPairs) {
        static Layout of(NpyHeader header, Path file) throws IOException {
            boolean isLong = header.type().equals(NpyFile.INT64);
            if (!isLong && !header.type().equals("<i4")) {
                throw new IOException(
                        "%s: edges must be little-endian int64 or int32 ('<i8' or '<i4'), not %s. Save them with .astype('<i8')."
                                .formatted(file, header.quotedType()));
            }
            long[] dimensions = header.dimensions();
            if (dimensions.length != 2 || dimensions[0] != 2 && dimensions[1] != 2) {
                throw new IOException("%s: edges must be an array of shape (2, m) or (m, 2), not (%s)."
                        .formatted(file, header.shape()));
            }
            boolean areRowsEnds = dimensions[0] == 2;
            return new Layout(
                    header.dataOffset(),
                    dimensions[areRowsEnds ? 1 : 0],
                    isLong ? Long.BYTES : Integer.BYTES,
                    areRowsEnds == header.isFortranOrder());
        }

        long fileSize() {
            return Math.addExact(dataOffset, Math.multiplyExact(edges, 2L * bytesPerId));
        }
    }

    private NpyEdgeReader(Path file, FileChannel channel, EdgeFilePosition from) throws IOException {
        this.file = file;
        this.channel = channel;
        layout = Layout.of(NpyHeader.read(channel, file), file);
        bytes = ByteBuffer.allocateDirect(CHUNK * layout.bytesPerId()).order(ByteOrder.LITTLE_ENDIAN);
        row = from.row();
        if (channel.size() != layout.fileSize()) {
            throw new IOException("%s is %d bytes long, but its header says %d edges, which take %d. Save it again."
                    .formatted(file, channel.size(), layout.edges(), layout.fileSize()));
        }
        if (row > layout.edges()) {
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
        long end = Math.min(layout.edges(), before + maxEdges);
        while (row < end) {
            if (layout.areIdsInPairs()) {
                int count = (int) Math.min(end - row, CHUNK / 2);
                fill(first, 2 * row, 2 * count);
                for (int i = 0; i < count; i++) {
                    batch.add(first[2 * i], first[2 * i + 1]);
                }
                row += count;
            } else {
                int count = (int) Math.min(end - row, CHUNK);
                fill(first, row, count);
                fill(second, layout.edges() + row, count);
                for (int i = 0; i < count; i++) {
                    batch.add(first[i], second[i]);
                }
                row += count;
            }
        }
        return row > before;
    }

    private void fill(long[] ids, long index, int count) throws IOException {
        bytes.clear().limit(count * layout.bytesPerId());
        long offset = layout.dataOffset() + index * layout.bytesPerId();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("%s became shorter while it was read, at edge %d.".formatted(file, row));
            }
        }
        bytes.flip();
        if (layout.bytesPerId() == Long.BYTES) {
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
        return layout.dataOffset() + row * 2 * layout.bytesPerId();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
