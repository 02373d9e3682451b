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
 * The entries of a book at a cut, indexed by vertex, in memory-mapped files of 20 bytes per entry: each shard finds its
 * own vertices without reading the others. Thread-safe for readers. Creation needs 32 bytes of memory per entry of a
 * sixteenth of the book.
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
     * Creates the table by reading the book once.
     *
     * @param offsets the cut
     * @param folder folder for temporary files, which are deleted when they are mapped
     * @throws DamagedJournalException if the journal's files are damaged
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

    /** Returns the offsets of the cut, one per partition of the book's topic. */
    public List<Long> offsets() {
        return offsets;
    }

    /** Passes the entry of a vertex to the consumer, if there is one. */
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

    /** The entries of one bucket, in memory. */
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

        /** Writes the entries sorted by vertex, and maps the file. */
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
                    throw new IOException(
                            "the partition book is too large: a sixteenth of it has %d entries, and the maximum is %d"
                                    .formatted(size, Integer.MAX_VALUE / ENTRY_BYTES));
                }
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes).order(ByteOrder.nativeOrder());
            }
        }
    }
}
