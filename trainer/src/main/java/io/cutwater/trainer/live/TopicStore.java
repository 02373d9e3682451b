package io.cutwater.trainer.live;

import io.cutwater.trainer.journal.BookJournal;
import io.cutwater.trainer.journal.BookTable;
import io.cutwater.trainer.journal.ShardJournal;
import io.cutwater.trainer.journal.file.JournalLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A folder with a journal of the partition book and of each shard that was asked for. */
final class TopicStore implements Closeable {
    private final Path folder;
    private final JournalLock lock;
    private final String shardsTopic;
    private final String bookTopic;
    private final TopicShardsListener listener;
    private final Map<Integer, Held> shards = new HashMap<>();
    private final Map<Integer, Object> topicPartitions = new HashMap<>();
    private @Nullable BookJournal book;
    private @Nullable BookTable table;

    /** The journal of a shard; whoever uses it holds its lock. */
    record Held(ShardJournal journal, ReentrantLock lock) {}

    /**
     * Takes the folder.
     *
     * @param shardsTopic name and id of the topic that shards are of; @param bookTopic the same of the book
     * @throws IOException with a sentence, if another process has it
     */
    TopicStore(Path folder, String shardsTopic, String bookTopic, TopicShardsListener listener) throws IOException {
        lock = JournalLock.take(folder);
        this.folder = folder;
        this.shardsTopic = shardsTopic;
        this.bookTopic = bookTopic;
        this.listener = listener;
    }

    /** The journal of a shard. */
    synchronized Held shard(int shard, int topicPartition) throws IOException {
        Held held = shards.get(shard);
        if (held == null) {
            String identity = "shard %d, topic partition %d of %s".formatted(shard, topicPartition, shardsTopic);
            held = new Held(
                    new ShardJournal(
                            folder.resolve("shard-%05d".formatted(shard)), shard, identity, listener::readAgain),
                    new ReentrantLock());
            shards.put(shard, held);
        }
        return held;
    }

    private synchronized Object topicPartition(int number) {
        return topicPartitions.computeIfAbsent(number, unknown -> new Object());
    }

    /**
     * Takes shards of one topic partition to an offset together, so that the topic is read once for all; without those
     * that somebody is using, who takes them there himself. The caller holds no lock.
     */
    void moveTo(int topicPartition, SortedSet<Integer> together, long offset, ShardJournal.Feed feed)
            throws IOException, InterruptedException {
        synchronized (topicPartition(topicPartition)) {
            List<ShardJournal> free = new ArrayList<>();
            List<ReentrantLock> locked = new ArrayList<>();
            try {
                for (int shard : together) {
                    Held held = shard(shard, topicPartition);
                    if (held.lock().tryLock()) {
                        locked.add(held.lock());
                        free.add(held.journal());
                    }
                }
                ShardJournal.moveAll(free, offset, feed);
            } finally {
                locked.forEach(ReentrantLock::unlock);
            }
        }
    }

    /** The book as it is at some offsets: the last one that was asked for is at hand. */
    BookTable book(List<Long> offsets, BookJournal.Feed feed) throws IOException, InterruptedException {
        BookJournal journal = book(offsets.size());
        synchronized (journal) {
            BookTable last = table;
            if (last == null || !last.offsets().equals(offsets)) {
                table = null; // so that there is never room for two to be found
                journal.moveTo(offsets, feed);
                last = BookTable.of(journal, offsets, folder);
                table = last;
            }
            return last;
        }
    }

    private synchronized BookJournal book(int topicPartitions) throws IOException {
        BookJournal journal = book;
        if (journal == null) {
            String identity = "%d topic partitions of %s".formatted(topicPartitions, bookTopic);
            journal = new BookJournal(folder.resolve("book"), topicPartitions, identity, listener::readAgain);
            book = journal;
        }
        return journal;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
