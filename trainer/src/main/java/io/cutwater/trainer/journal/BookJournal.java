package io.cutwater.trainer.journal;

import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Owner and degree of each vertex, from the partition book's topic. Uses 0.5 MB of buffers. Not thread-safe. */
public final class BookJournal {
    private static final int SLACK = 256 << 10;
    private static final int ENTRY_BYTES = Integer.BYTES + Long.BYTES;

    private final Journal journal;
    private final VertexLog entries;
    private Position position;

    /** Receives the records of the book. */
    public interface Handler {
        void entry(long vertex, int owner, long degree) throws IOException;

        void gone(long vertex) throws IOException;
    }

    /** Reads the records of the topic partitions between two positions. */
    @FunctionalInterface
    public interface Feed {
        /**
         * @param from first offsets, inclusive
         * @param to last offsets, exclusive
         */
        void read(List<Long> from, List<Long> to, Handler into) throws IOException, InterruptedException;
    }

    /** Receives entries of the book. */
    @FunctionalInterface
    public interface EntryConsumer {
        void accept(long vertex, int owner, long degree) throws IOException;
    }

    /**
     * Opens the journal of the book, see {@link ShardJournal}.
     *
     * @param topicPartitions number of partitions of the book's topic
     */
    public BookJournal(Path folder, int topicPartitions, String identity, Consumer<String> lost) throws IOException {
        this(folder, topicPartitions, identity, lost, SLACK);
    }

    BookJournal(Path folder, int topicPartitions, String identity, Consumer<String> lost, long slack)
            throws IOException {
        journal = new Journal(folder, identity, topicPartitions, VertexLog.BUCKETS, slack, lost);
        entries = new VertexLog(journal, 0);
        position = Position.start(topicPartitions, VertexLog.BUCKETS);
    }

    /**
     * Moves to the book at some offsets, see {@link ShardJournal#moveTo}.
     *
     * @param offsets one offset per topic partition
     */
    public void moveTo(List<Long> offsets, Feed feed) throws IOException, InterruptedException {
        position = journal.moveTo(offsets, (from, to) -> feed.read(from, to, new Appender()), entries::rewrite);
    }

    /** Reads all entries, one per vertex. */
    public void read(EntryConsumer consumer) throws IOException {
        entries.read(position, (vertex, known) -> consumer.accept(vertex, known.getInt(), known.getLong()));
    }

    private final class Appender implements Handler {
        @Override
        public void entry(long vertex, int owner, long degree) throws IOException {
            ByteBuffer into = entries.append(vertex, ENTRY_BYTES);
            into.putInt(owner).putLong(degree);
        }

        @Override
        public void gone(long vertex) throws IOException {
            entries.appendGone(vertex);
        }
    }
}
