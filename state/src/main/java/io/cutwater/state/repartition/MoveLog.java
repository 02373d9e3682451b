package io.cutwater.state.repartition;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The moves of a plan in a file, in their order: source, target (8 bytes each), from, to (2 bytes each). */
final class MoveLog implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final DataOutputStream out;
    private long moves;

    /** An empty log. */
    MoveLog(Path file) throws IOException {
        out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    void add(long source, long target, int from, int to) throws IOException {
        out.writeLong(source);
        out.writeLong(target);
        out.writeShort(from);
        out.writeShort(to);
        moves++;
    }

    /** Moves so far. */
    long moves() {
        return moves;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Reads a log that is closed. */
    static final class Reader implements Moves {
        private final DataInputStream in;
        private long left;
        private long source;
        private long target;
        private int from;
        private int to;

        /** @param moves that the file has */
        Reader(Path file, long moves) throws IOException {
            in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
            left = moves;
        }

        @Override
        public boolean next() throws IOException {
            if (left == 0) {
                return false;
            }
            left--;
            source = in.readLong();
            target = in.readLong();
            from = in.readShort();
            to = in.readShort();
            return true;
        }

        @Override
        public long source() {
            return source;
        }

        @Override
        public long target() {
            return target;
        }

        @Override
        public int from() {
            return from;
        }

        @Override
        public int to() {
            return to;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
