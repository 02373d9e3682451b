package io.cutwater.trainer.shard;

import io.cutwater.kafka.record.ShardRecordCodec;
import io.cutwater.trainer.journal.BookJournal;
import io.cutwater.trainer.journal.JournalLock;
import io.cutwater.trainer.journal.ShardJournal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A folder with a journal of the partition book and of each shard that was asked for. */
final class TopicStore implements Closeable {
    private final Path folder;
    private final JournalLock lock;
    private final String shardsTopic;
    private final String bookTopic;
    private final TopicShardsListener listener;
    private final Map<Integer, ShardJournal> shards = new HashMap<>();
    private @Nullable BookJournal book;

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

    /** The journal of a shard; whoever uses it holds its monitor. */
    synchronized ShardJournal shard(int shard, int topicPartitions) throws IOException {
        ShardJournal journal = shards.get(shard);
        if (journal == null) {
            String identity = "shard %d, topic partition %d of %s"
                    .formatted(shard, ShardRecordCodec.topicPartition(shard, topicPartitions), shardsTopic);
            journal = new ShardJournal(
                    folder.resolve("shard-%05d".formatted(shard)), shard, identity, listener::readAgain);
            shards.put(shard, journal);
        }
        return journal;
    }

    /** The journal of the book; whoever uses it holds its monitor. */
    synchronized BookJournal book(List<Long> offsets) throws IOException {
        BookJournal journal = book;
        if (journal == null) {
            String identity = "%d topic partitions of %s".formatted(offsets.size(), bookTopic);
            journal = new BookJournal(folder.resolve("book"), offsets.size(), identity, listener::readAgain);
            book = journal;
        }
        return journal;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
