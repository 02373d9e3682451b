package io.cutwater.format.binary;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The merged runs of a {@link PairSort}. */
public final class SortedPairs {
    private final PriorityQueue<Run> heads = new PriorityQueue<>();
    private @Nullable Run current;
    private long first;
    private long second;

    /** @param ranges the begin and end of each run in the file, in bytes */
    SortedPairs(FileChannel channel, List<long[]> ranges, int bufferBytes) throws IOException {
        for (long[] range : ranges) {
            Run run = new Run(channel, range[0], range[1], bufferBytes);
            if (run.next()) {
                heads.add(run);
            }
        }
    }

    /** Advances to the next pair; returns false at the end. */
    public boolean next() throws IOException {
        Run run = current;
        if (run != null && run.next()) {
            heads.add(run);
        }
        run = heads.poll();
        current = run;
        if (run == null) {
            return false;
        }
        first = run.first;
        second = run.second;
        return true;
    }

    public long first() {
        return first;
    }

    public long second() {
        return second;
    }

    /** One run and its next pair. */
    private static final class Run implements Comparable<Run> {
        private final FileChannel channel;
        private final ByteBuffer buffer;
        private final long end;
        private long position;
        private long first;
        private long second;

        Run(FileChannel channel, long position, long end, int bufferBytes) {
            this.channel = channel;
            this.position = position;
            this.end = end;
            int bytes = (int) Math.min(bufferBytes / PairSort.PAIR_BYTES * PairSort.PAIR_BYTES, end - position);
            buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN).limit(0);
        }

        boolean next() throws IOException {
            if (!buffer.hasRemaining() && !refill()) {
                return false;
            }
            first = buffer.getLong();
            second = buffer.getLong();
            return true;
        }

        private boolean refill() throws IOException {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, position);
                if (read < 0) {
                    throw new IOException("a spill file of the output folder ended at byte %d".formatted(position));
                }
                position += read;
            }
            buffer.flip();
            return buffer.hasRemaining();
        }

        @Override
        public int compareTo(Run other) {
            int byFirst = Long.compare(first, other.first);
            return byFirst != 0 ? byFirst : Long.compare(second, other.second);
        }
    }
}
