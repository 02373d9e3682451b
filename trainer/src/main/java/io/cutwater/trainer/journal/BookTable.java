package io.cutwater.trainer.journal;

import io.cutwater.format.binary.LongSort;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.journal.file.DamagedJournalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a book at a cut, to be looked up by vertex: in mapped files, 20 bytes each, so that every shard finds
 * its vertices without reading the others'. Any number of threads may look up. While it is made, 32 bytes for each
 * entry of a sixteenth of the book are in memory.
 */
public final class BookTable {
    private static final int ENTRY_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int BUFFER_BYTES = ENTRY_BYTES << 12;

    private final List<Long> offsets;
    private final ByteBuffer[] buckets = new ByteBuffer[VertexLog.BUCKETS];

    private BookTable(List<Long> offsets) {
        this.offsets = List.copyOf(offsets);
        Arrays.fill(buckets, ByteBuffer.allocate(0));
    }

    /**
     * Reads a book once.
     *
     * @param offsets at which it is
     * @param folder for files that are there only until they are mapped
     * @throws DamagedJournalException if files are not what was written
     */
    public static BookTable of(BookJournal book, List<Long> offsets, Path folder) throws IOException {
        BookTable table = new BookTable(offsets);
        Bucket bucket = new Bucket();
        book.read((vertex, owner, degree) -> {
            int number = Hashing.bucket(vertex, VertexLog.BUCKETS);
            if (number != bucket.number) { // entries come bucket by bucket
                table.add(bucket, folder);
                bucket.number = number;
            }
            bucket.add(vertex, owner, degree);
        });
        table.add(bucket, folder);
        return table;
    }

    private void add(Bucket bucket, Path folder) throws IOException {
        if (bucket.size > 0) {
            Path file = Files.createTempFile(folder, "book", ".sorted");
            try {
                buckets[bucket.number] = bucket.write(file);
            } finally {
                Files.delete(file);
            }
            bucket.size = 0;
        }
    }

    /** The offsets of the book's topic partitions that it is of. */
    public List<Long> offsets() {
        return offsets;
    }

    /** Gives the entry of a vertex, if it has one. */
    public void find(long vertex, BookJournal.EntryConsumer consumer) throws IOException {
        ByteBuffer bucket = buckets[Hashing.bucket(vertex, VertexLog.BUCKETS)];
        int low = 0;
        int high = bucket.capacity() / ENTRY_BYTES - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long there = bucket.getLong(middle * ENTRY_BYTES);
            if (there == vertex) {
                consumer.accept(
                        vertex,
                        bucket.getInt(middle * ENTRY_BYTES + 2 * Long.BYTES),
                        bucket.getLong(middle * ENTRY_BYTES + Long.BYTES));
                return;
            }
            if (there < vertex) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
    }

    /** The entries of a bucket, in memory. */
    private static final class Bucket {
        private int number = -1;
        private int size;
        private long[] vertices = new long[1 << 10];
        private long[] degrees = new long[1 << 10];
        private int[] owners = new int[1 << 10];

        void add(long vertex, int owner, long degree) {
            if (size == vertices.length) {
                int length = Math.addExact(size, size >> 1);
                vertices = Arrays.copyOf(vertices, length);
                degrees = Arrays.copyOf(degrees, length);
                owners = Arrays.copyOf(owners, length);
            }
            vertices[size] = vertex;
            degrees[size] = degree;
            owners[size++] = owner;
        }

        /** Writes the entries by vertex, and maps them. */
        ByteBuffer write(Path file) throws IOException {
            int[] order = LongSort.order(size, vertices);
            long bytes = (long) ENTRY_BYTES * size;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer out =
                        ByteBuffer.allocate((int) Math.min(bytes, BUFFER_BYTES)).order(ByteOrder.nativeOrder());
                for (int i = 0; i < size; i++) {
                    int row = order[i];
                    out.putLong(vertices[row]).putLong(degrees[row]).putInt(owners[row]);
                    if (!out.hasRemaining() || i == size - 1) {
                        out.flip();
                        while (out.hasRemaining()) {
                            channel.write(out);
                        }
                        out.clear();
                    }
                }
                if (bytes > Integer.MAX_VALUE) {
                    throw new IOException("the partition book has %d entries in a sixteenth, and %d are possible"
                            .formatted(size, Integer.MAX_VALUE / ENTRY_BYTES));
                }
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes).order(ByteOrder.nativeOrder());
            }
        }
    }
}
