package io.cutwater.format.npy;

import io.cutwater.format.FeatureReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A reader of the rows of a NumPy array of little-endian float32 and shape (n, d). */
public final class NpyFeatureReader implements FeatureReader {
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path file;
    private final FileChannel channel;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private float[] features = {};
    private long rows;
    private long row = -1;

    public NpyFeatureReader(Path file) throws IOException {
        this.file = file;
        channel = FileChannel.open(file, StandardOpenOption.READ);
        boolean isOpen = false;
        try {
            readHeader();
            isOpen = true;
        } finally {
            if (!isOpen) {
                channel.close();
            }
        }
    }

    private void readHeader() throws IOException {
        NpyHeader header = NpyHeader.read(channel, file);
        long[] dimensions = header.dimensions();
        if (!header.type().equals(NpyFile.FLOAT32) || header.isFortranOrder()) {
            throw new IOException(
                    "%s: features must be little-endian float32 in C order ('<f4'), not %s%s. Save them with numpy.ascontiguousarray(features, '<f4')."
                            .formatted(file, header.quotedType(), header.isFortranOrder() ? " in Fortran order" : ""));
        }
        if (dimensions.length != 2 || dimensions[1] < 1 || dimensions[1] > MAX_FEATURES) {
            throw new IOException("%s: features must be an array of shape (n, d), d from 1 to %d, not (%s)."
                    .formatted(file, MAX_FEATURES, header.shape()));
        }
        rows = dimensions[0];
        features = new float[(int) dimensions[1]];
        long bytes = Math.addExact(header.dataOffset(), Math.multiplyExact(rows, (long) Float.BYTES * features.length));
        if (channel.size() != bytes) {
            throw new IOException(
                    "%s has %d bytes, but its header says %d; save it again.".formatted(file, channel.size(), bytes));
        }
        channel.position(header.dataOffset());
        buffer = ByteBuffer.allocate(Math.max(BUFFER_BYTES, Float.BYTES * features.length))
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(0);
    }

    @Override
    public boolean next() throws IOException {
        if (++row >= rows) {
            return false;
        }
        int bytes = Float.BYTES * features.length;
        if (buffer.remaining() < bytes) {
            buffer.compact();
            while (buffer.position() < bytes) {
                if (channel.read(buffer) < 0) {
                    throw new IOException("%s became shorter while it was read.".formatted(file));
                }
            }
            buffer.flip();
        }
        for (int i = 0; i < features.length; i++) {
            features[i] = buffer.getFloat();
            if (!Float.isFinite(features[i])) {
                throw new IOException(
                        "%s: row %d, column %d is %s; features must be finite.".formatted(file, row, i, features[i]));
            }
        }
        return true;
    }

    @Override
    public float[] features() {
        return features;
    }

    @Override
    public int featureCount() {
        return features.length;
    }

    @Override
    public long bytesRead() {
        try {
            return channel.position();
        } catch (IOException closed) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
