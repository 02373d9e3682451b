package io.cutwater.state.disk.places;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes places from front to back, big-endian. */
public final class PlacesWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final ScratchFolder scratch;
    private final String name;
    private final FileChannel file;
    private final int bytesPerPlace;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long written;

    /** @param bytesPerPlace 2 or 4 */
    public PlacesWriter(ScratchFolder scratch, String name, int bytesPerPlace) throws IOException {
        this.scratch = scratch;
        this.name = name;
        this.bytesPerPlace = bytesPerPlace;
        file = scratch.create(name);
    }

    public void write(int place) throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        if (bytesPerPlace == Short.BYTES) {
            buffer.putShort((short) place);
        } else {
            buffer.putInt(place);
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        long size = buffer.remaining();
        scratch.write(file, buffer, written);
        written += size;
        buffer.clear();
    }

    /** Ends the file and gives it a name outside the scratch files. */
    public void keepAs(Path path) throws IOException {
        flush();
        close();
        Files.move(scratch.file(name), path, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
