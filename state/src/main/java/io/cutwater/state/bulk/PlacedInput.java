package io.cutwater.state.bulk;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The places of the edges of an input that a {@link BulkRun} has placed, for whoever reads that input again. */
public final class PlacedInput implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel file;
    private final int bytesPerPlace;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    /** @param bytesPerPlace 4; or 2 for the short form, the one partition of an edge */
    PlacedInput(Path places, int bytesPerPlace, long fromEdge) throws IOException {
        this.bytesPerPlace = bytesPerPlace;
        file = FileChannel.open(places, StandardOpenOption.READ);
        file.position(fromEdge * bytesPerPlace);
    }

    /**
     * Gives the edges of a batch, the next ones of the input, their places. All other rows are removed from it.
     *
     * @return how many those are
     * @throws EOFException if the batch has more edges than the input had
     */
    public int fill(EdgeBatch batch) throws IOException {
        int size = batch.size();
        mark(batch);
        batch.removePlaced(EdgeBatch.TAKEN_AWAY);
        batch.removeUnplaced();
        return size - batch.size();
    }

    /**
     * Gives the edges of a batch, the next ones of the input, their places. Duplicates, and removals of edges that were
     * not there, have {@link EdgeBatch#NO_PLACE}; edges that were taken away, and the removals that did it,
     * {@link EdgeBatch#TAKEN_AWAY}.
     *
     * @throws EOFException if the batch has more edges than the input had
     */
    public void mark(EdgeBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (!buffer.hasRemaining()) {
                read();
            }
            batch.setPlace(i, next());
        }
    }

    /** The short form is the partition of an edge, which both its ends have. */
    private int next() {
        if (bytesPerPlace == Integer.BYTES) {
            return buffer.getInt();
        }
        int partition = buffer.getShort();
        return partition < 0 ? partition : Place.of(partition);
    }

    private void read() throws IOException {
        buffer.clear();
        while (buffer.position() == 0 || buffer.position() % bytesPerPlace != 0) {
            if (file.read(buffer) < 0) {
                throw new EOFException(
                        "the input has more edges than when it was placed: it must not change in the meantime");
            }
        }
        buffer.flip();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
