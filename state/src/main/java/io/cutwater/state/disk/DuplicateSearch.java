package io.cutwater.state.disk;

import io.cutwater.state.table.DuplicateRule;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds the edges that come a second time: edges are grouped by one end, and in each group it is remembered which
 * vertices were the other end. Their numbers come out in the order of the groups, so a window of bits after the other
 * is filled from all of them; it is large, and duplicates are few.
 */
final class DuplicateSearch {
    private static final int WINDOW_WORDS = 1 << 22;
    private static final String REPEATED = "repeated";

    private final ScratchFolder scratch;
    private final String edges;
    private final boolean isUndirected;
    private final int vertexCount;
    private final int maxInts;
    private long found;

    /** @param edges file of pairs of vertices, 0 to {@code vertexCount} − 1 */
    DuplicateSearch(ScratchFolder scratch, String edges, DuplicateRule rule, int vertexCount, int maxInts) {
        this.scratch = scratch;
        this.edges = edges;
        isUndirected = rule == DuplicateRule.UNDIRECTED;
        this.vertexCount = vertexCount;
        this.maxInts = maxInts;
    }

    /** Writes a file with one bit for each edge, set if the same edge came before. How many are set. */
    long writeTo(String bits) throws IOException {
        try (IntWriter repeated = new IntWriter(scratch, REPEATED)) {
            Sink sink = new Sink(keyCounts(), repeated);
            new Grouping(scratch, "ends", 4, sink.counts, maxInts).group(new Keyed(), sink);
            repeated.flush();
        }
        writeBits(bits);
        scratch.delete(REPEATED);
        return found;
    }

    private int key(int source, int target) {
        return isUndirected ? Math.min(source, target) : source;
    }

    private int[] keyCounts() throws IOException {
        int[] counts = new int[vertexCount];
        int[] read = new int[1 << 14];
        try (IntReader reader = new IntReader(scratch, edges)) {
            for (int length; (length = reader.read(read, 0, read.length)) > 0; ) {
                for (int i = 0; i < length; i += 2) {
                    counts[key(read[i], read[i + 1])]++;
                }
            }
        }
        return counts;
    }

    private void writeBits(String name) throws IOException {
        long edgeCount;
        try (IntReader reader = new IntReader(scratch, edges)) {
            edgeCount = reader.remaining() / 2;
        }
        long words = (edgeCount + Integer.SIZE - 1) / Integer.SIZE;
        int[] window = new int[(int) Math.min(WINDOW_WORDS, words)];
        try (IntWriter bits = new IntWriter(scratch, name)) {
            for (long first = 0; first < words; first += WINDOW_WORDS) {
                int length = (int) Math.min(WINDOW_WORDS, words - first);
                Arrays.fill(window, 0);
                setBits(window, first, length);
                bits.write(window, length);
            }
            bits.flush();
        }
    }

    private void setBits(int[] window, long first, int length) throws IOException {
        int[] read = new int[1 << 14];
        try (IntReader reader = new IntReader(scratch, REPEATED)) {
            for (int count; (count = reader.read(read, 0, read.length)) > 0; ) {
                for (int i = 0; i < count; i += 2) {
                    long number = (long) read[i] << Integer.SIZE | read[i + 1] & 0xFFFFFFFFL;
                    long word = number / Integer.SIZE - first;
                    if (word >= 0 && word < length) {
                        window[(int) word] |= 1 << number;
                    }
                }
            }
        }
    }

    /** Each edge as key, other end, and its number in two halves. */
    private final class Keyed implements Records {
        private final IntReader reader = new IntReader(scratch, edges);
        private int[] pairs = {};
        private long number;

        Keyed() throws IOException {}

        @Override
        public int read(int[] into) throws IOException {
            if (pairs.length == 0) {
                pairs = new int[into.length / 4 * 2];
            }
            int length = reader.read(pairs, 0, pairs.length);
            for (int i = 0; i < length; i += 2) {
                int key = key(pairs[i], pairs[i + 1]);
                into[2 * i] = key;
                into[2 * i + 1] = key == pairs[i] ? pairs[i + 1] : pairs[i];
                into[2 * i + 2] = (int) (number >>> Integer.SIZE);
                into[2 * i + 3] = (int) number++;
            }
            return 2 * length;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }

    /** Sees the edges of a key after those of the one before. */
    private final class Sink implements Grouping.Sink {
        final int[] counts;
        private final IntWriter repeated;
        private final int[] lastKeys = new int[vertexCount]; // with which a vertex was seen as other end, + 1
        private int key;
        private int ofKey;

        Sink(int[] counts, IntWriter repeated) {
            this.counts = counts;
            this.repeated = repeated;
        }

        @Override
        public void accept(int[] values, int length) throws IOException {
            for (int i = 0; i < length; i += 3) {
                while (ofKey == counts[key]) {
                    key++;
                    ofKey = 0;
                }
                ofKey++;
                if (lastKeys[values[i]] == key + 1) {
                    repeated.write(values[i + 1]);
                    repeated.write(values[i + 2]);
                    found++;
                }
                lastKeys[values[i]] = key + 1;
            }
        }
    }
}
