package io.cutwater.format.vertex;

import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.file.FileOperations;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A scratch file of the input's rows, all of one length, from which each shard picks the rows of its vertices: d
 * floats, then label and split as ints, little-endian.
 */
final class StagedVertexData implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int LABEL_AND_SPLIT_BYTES = 2 * Integer.BYTES;

    private final FileChannel channel;
    private final VertexShape shape;
    private final int rowBytes;

    /**
     * Copies all rows.
     *
     * @param file a file to create
     * @param ids receives the id and the number of each row, if rows have ids
     */
    StagedVertexData(VertexFiles files, VertexShape shape, Path file, ExternalSort ids) throws IOException {
        this.shape = shape;
        rowBytes = shape.featureCount() * Float.BYTES + LABEL_AND_SPLIT_BYTES;
        channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean isStaged = false;
        try (VertexFileReader reader = files.open(shape)) {
            stage(reader, file, ids);
            isStaged = true;
        } finally {
            if (!isStaged) {
                channel.close();
            }
        }
    }

    private void stage(VertexFileReader reader, Path file, ExternalSort ids) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(Math.max(BUFFER_BYTES, rowBytes)).order(ByteOrder.LITTLE_ENDIAN);
        VertexDataRow row = new VertexDataRow(shape.featureCount());
        long rows = 0;
        while (reader.next()) {
            if (out.remaining() < rowBytes) {
                FileOperations.write(channel, out.flip(), file);
                out.clear();
            }
            row.take(reader);
            out.asFloatBuffer().put(row.features);
            out.position(out.position() + row.features.length * Float.BYTES);
            out.putInt(row.label).putInt(row.split);
            if (shape.hasIds()) {
                ids.add(reader.vertex(), rows);
            }
            rows++;
        }
        FileOperations.write(channel, out.flip(), file);
        if (rows != shape.rows() || reader.featureCount() != shape.featureCount()) {
            throw new IOException(
                    "the files of vertex data changed between two readings; leave them alone and run again");
        }
    }

    /** Creates a reader of rows; several may read concurrently. */
    Rows rows() {
        return new Rows();
    }

    /** A reader of single rows. */
    final class Rows {
        private final ByteBuffer bytes = ByteBuffer.allocate(rowBytes).order(ByteOrder.LITTLE_ENDIAN);

        void read(long row, VertexDataRow into) throws IOException {
            bytes.clear();
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, row * rowBytes + bytes.position()) < 0) {
                    throw new IOException("the staged vertex data ended within row %d".formatted(row));
                }
            }
            bytes.flip().asFloatBuffer().get(into.features);
            into.label = bytes.getInt(rowBytes - LABEL_AND_SPLIT_BYTES);
            into.split = bytes.getInt(rowBytes - Integer.BYTES);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
