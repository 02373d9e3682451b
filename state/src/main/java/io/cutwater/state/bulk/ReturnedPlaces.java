package io.cutwater.state.bulk;

import io.cutwater.state.disk.places.PlacesWriter;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The places of a piece of an input that other parts have given to its rows, each part in the order of the piece. */
final class ReturnedPlaces implements Closeable {
    /** Begin of the names of files with the places that go to a part, 4 bytes each. */
    static final String TO_RETURN = "places-for-";

    private static final String RETURNED = "places-of-";
    private static final int BUFFER_BYTES = 1 << 16;

    /** Places that are sent to a part at a time, 1 MB. */
    private static final int MOST = 1 << 18;

    private final ScratchFolder files;
    private final @Nullable DataInputStream[] ofParts;
    private final DataInputStream partOfRow;
    private final long rows;
    private long unknownRemovals;

    /**
     * Opens what the parts have sent.
     *
     * @param partOfRow 2 bytes for each row of the piece: the part that has its place; closed with this
     */
    ReturnedPlaces(ScratchFolder files, int parts, DataInputStream partOfRow, long rows) throws IOException {
        this.files = files;
        this.partOfRow = partOfRow;
        this.rows = rows;
        ofParts = new DataInputStream[parts];
        for (int from = 0; from < parts; from++) {
            ofParts[from] = in(files, RETURNED + from);
        }
    }

    static DataOutputStream out(ScratchFolder files, String name) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(files.file(name)), BUFFER_BYTES));
    }

    static DataInputStream in(ScratchFolder files, String name) throws IOException {
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(files.file(name)), BUFFER_BYTES));
    }

    /** Sends the files with the places for all parts, and writes those that come from them. */
    static void exchange(ScratchFolder files, Exchange exchange) throws IOException {
        int parts = exchange.parts();
        @Nullable DataInputStream[] toReturn = new DataInputStream[parts];
        @Nullable DataOutputStream[] returned = new DataOutputStream[parts];
        try {
            long[] left = new long[parts];
            for (int other = 0; other < parts; other++) {
                toReturn[other] = in(files, TO_RETURN + other);
                left[other] = Files.size(files.file(TO_RETURN + other)) / Integer.BYTES;
                returned[other] = out(files, RETURNED + other);
            }
            boolean areAllOver = false;
            while (!areAllOver) {
                areAllOver = true;
                long[][] messages = new long[parts][];
                for (int to = 0; to < parts; to++) {
                    messages[to] = message(toReturn[to], left, to);
                }
                messages = exchange.exchange(messages);
                for (int from = 0; from < parts; from++) {
                    areAllOver &= messages[from][0] == 0;
                    write(messages[from], returned[from]);
                }
            }
        } finally {
            for (int other = 0; other < parts; other++) {
                close(toReturn[other]);
                close(returned[other]);
                files.delete(TO_RETURN + other);
            }
        }
    }

    /** A message: places for the part that are left after it; the number of places in it; these, two in a word. */
    private static long[] message(DataInputStream from, long[] left, int to) throws IOException {
        int count = (int) Math.min(MOST, left[to]);
        left[to] -= count;
        long[] message = new long[2 + (count + 1) / 2];
        message[0] = left[to];
        message[1] = count;
        for (int i = 0; i < count; i++) {
            message[2 + i / 2] |= (from.readInt() & 0xFFFF_FFFFL) << i % 2 * Integer.SIZE;
        }
        return message;
    }

    private static void write(long[] message, DataOutputStream into) throws IOException {
        for (int i = 0; i < message[1]; i++) {
            into.writeInt((int) (message[2 + i / 2] >>> i % 2 * Integer.SIZE));
        }
    }

    private static void close(@Nullable Closeable file) throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** Writes the places of the piece in the order of its rows. */
    void write(Path into, int bytesPerPlace) throws IOException {
        try (PlacesWriter places = new PlacesWriter(files, "places-of-piece", bytesPerPlace)) {
            for (long row = 0; row < rows; row++) {
                int fate = ofParts[partOfRow.readShort()].readInt();
                unknownRemovals += fate == EdgeBatch.NO_PLACE ? 1 : 0;
                places.write(fate);
            }
            places.keepAs(into);
        }
    }

    /** Returns the removals of the piece that found nothing, after {@link #write}. */
    long unknownRemovals() {
        return unknownRemovals;
    }

    @Override
    public void close() throws IOException {
        partOfRow.close();
        for (DataInputStream file : ofParts) {
            close(file);
        }
    }
}
