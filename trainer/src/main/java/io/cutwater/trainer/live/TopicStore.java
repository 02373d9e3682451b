package io.cutwater.trainer.live;

import io.cutwater.state.scratch.LockFile;
import io.cutwater.trainer.journal.BookJournal;
import io.cutwater.trainer.journal.BookTable;
import io.cutwater.trainer.journal.ShardJournal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A folder with the journals of the partition book and of each requested shard. */
final class TopicStore implements Closeable {
    private final Path folder;
    private final LockFile lock;
    private final String shardsTopic;
    private final String bookTopic;
    private final TopicShardsListener listener;
    private final Map<Integer, Held> shards = new HashMap<>();
    private final Map<Integer, Object> topicPartitions = new HashMap<>();
    private @Nullable BookJournal book;
    private @Nullable BookTable table;

    /** The journal of a shard with its lock, which users of the journal must hold. */
    record Held(ShardJournal journal, ReentrantLock lock) {}

    /**
     * Opens and locks the folder.
     *
     * @param shardsTopic name and id of the topic of shards
     * @param bookTopic name and id of the topic of the book
     * @throws IOException if another process has locked the folder; the message is meant for users
     */
    TopicStore(Path folder, String shardsTopic, String bookTopic, TopicShardsListener listener) throws IOException {
        lock = lock(folder);
        this.folder = folder;
        this.shardsTopic = shardsTopic;
        this.bookTopic = bookTopic;
        this.listener = listener;
    }

    private static LockFile lock(Path folder) throws IOException {
        LockFile lock = LockFile.tryLock(Files.createDirectories(folder).resolve("lock"));
        if (lock == null) {
            throw new IOException("%s is in use by another training; give each training a --store folder of its own"
                    .formatted(folder));
        }
        return lock;
    }

    /** Returns the journal of a shard. */
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
     * Moves shards of one topic partition to an offset together, so that the topic is read once. Shards that are in use
     * are left out; their users move them. The caller must hold no lock.
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

    /** Returns the book at some offsets; the last one requested is cached. */
    BookTable book(List<Long> offsets, BookJournal.Feed feed) throws IOException, InterruptedException {
        BookJournal journal = book(offsets.size());
        synchronized (journal) {
            BookTable last = table;
            if (last == null || !last.offsets().equals(offsets)) {
                table = null; // so that memory never holds two
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
