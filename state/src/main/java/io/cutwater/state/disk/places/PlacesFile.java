package io.cutwater.state.disk.places;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/** Places of edges in a file, 2 bytes each, big-endian: 0 to 4095, or −1 for none. */
public final class PlacesFile implements EdgePlaces, Closeable {
    private static final int WINDOW = 1 << 16;

    private final ScratchFolder scratch;
    private final String name;
    private final FileChannel file;

    /** An empty file: no edge has a place. */
    public PlacesFile(ScratchFolder scratch, String name) throws IOException {
        this.scratch = scratch;
        this.name = name;
        file = scratch.create(name);
    }

    @Override
    public Pass pass() {
        return new Window();
    }

    /** Closes the file and gives it a name outside the scratch files. */
    public void keepAs(Path path) throws IOException {
        close();
        Files.move(scratch.file(name), path, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private final class Window implements Pass {
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(WINDOW * Short.BYTES);
        private final short[] places = new short[WINDOW];
        private long first = -WINDOW;
        private int at = WINDOW - 1;
        private int end; // of what is to be written
        private boolean isChanged;

        @Override
        public int next() {
            if (++at == WINDOW) {
                turn();
            }
            end = at + 1;
            return places[at];
        }

        private void turn() {
            try {
                write();
                first += WINDOW;
                at = 0;
                bytes.clear();
                for (int read = 0; read >= 0 && bytes.hasRemaining(); ) {
                    read = file.read(bytes, first * Short.BYTES + bytes.position());
                }
                bytes.flip();
                int size = bytes.remaining() / Short.BYTES;
                bytes.asShortBuffer().get(places, 0, size);
                Arrays.fill(places, size, WINDOW, (short) NONE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void set(int place) {
            places[at] = (short) place;
            isChanged = true;
        }

        private void write() throws IOException {
            if (isChanged || end > 0 && first * Short.BYTES >= file.size()) {
                bytes.clear();
                bytes.asShortBuffer().put(places, 0, end);
                scratch.write(file, bytes.limit(end * Short.BYTES), first * Short.BYTES);
            }
            isChanged = false;
            end = 0;
        }

        @Override
        public void close() {
            try {
                write();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
