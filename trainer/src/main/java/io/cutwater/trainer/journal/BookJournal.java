package io.cutwater.trainer.journal;

import io.cutwater.trainer.journal.file.Journal;
import io.cutwater.trainer.journal.file.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Owner and degree of each vertex, as the partition book's topic tells them. 0.5 MB of buffers; for one thread. */
public final class BookJournal {
    private static final int SLACK = 256 << 10;
    private static final int ENTRY_BYTES = Integer.BYTES + Long.BYTES;

    private final Journal journal;
    private final VertexLog entries;
    private Position position;

    /** Takes what comes. */
    public interface Handler {
        void entry(long vertex, int owner, long degree) throws IOException;

        void gone(long vertex) throws IOException;
    }

    /** Reads what the topic partitions have between two moments. */
    @FunctionalInterface
    public interface Feed {
        /** @param from the first offsets; @param to the first ones that are not read */
        void read(List<Long> from, List<Long> to, Handler into) throws IOException, InterruptedException;
    }

    /** Takes an entry. */
    @FunctionalInterface
    public interface EntryConsumer {
        void accept(long vertex, int owner, long degree) throws IOException;
    }

    /** As {@link ShardJournal}; @param topicPartitions of the book's topic */
    public BookJournal(Path folder, int topicPartitions, String identity, Consumer<String> lost) throws IOException {
        this(folder, topicPartitions, identity, lost, SLACK);
    }

    BookJournal(Path folder, int topicPartitions, String identity, Consumer<String> lost, long slack)
            throws IOException {
        journal = new Journal(folder, identity, topicPartitions, VertexLog.BUCKETS, slack, lost);
        entries = new VertexLog(journal, 0);
        position = Position.start(topicPartitions, VertexLog.BUCKETS);
    }

    /** As {@link ShardJournal#moveTo}; @param offsets of each topic partition */
    public void moveTo(List<Long> offsets, Feed feed) throws IOException, InterruptedException {
        position = journal.moveTo(offsets, (from, to) -> feed.read(from, to, new Appender()), entries::rewrite);
    }

    /** Reads all entries, each vertex once. */
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
