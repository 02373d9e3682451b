package io.cutwater.trainer.live;

import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.journal.ShardJournal;
import io.cutwater.trainer.journal.file.DamagedJournalException;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a live job writes to topics {@code shards} and {@code partition-book}, at a cut between commits. The
 * job commits the topics one after the other, so the book may be one commit ahead: in an edge partitioning, a vertex
 * that has just arrived or moved then has no owner until the next cut.
 *
 * <p>Records are kept in a folder, so that each cut reads only new records. The last cuts can be requested again, see
 * {@link io.cutwater.trainer.journal}; an older one is read from the beginning of the topics. Shards are built
 * independently, so a process stores only those that it builds.
 */
public final class TopicShards implements ShardSource {
    private final TopicShardsOptions options;
    private final TopicShardsListener listener;
    private final LiveJobReader live;
    private @Nullable DataShape shape;
    private @Nullable VertexData files;
    private @Nullable TopicStore store;
    private @Nullable ShardCut expectedCut;
    private final Set<Integer> expected = new HashSet<>();

    /** Creates the source without connecting or locking the folder. */
    public TopicShards(TopicShardsOptions options, TopicShardsListener listener) {
        this.options = options;
        this.listener = new OneAtATime(listener);
        live = new LiveJobReader(options, this.listener);
    }

    /**
     * Returns the shape of the vertices. Reads the records of shards from the beginning, and all of them if the options
     * have no number of classes; keeps none.
     *
     * @throws IOException if no features arrive in time; the message is meant for users
     */
    @Override
    public DataShape shape() throws IOException, InterruptedException {
        DataShape ofRows = shapeOfRows();
        int learned = options.shape().embeddings();
        return learned == 0 ? ofRows : new DataShape(learned, ofRows.classes());
    }

    /** Returns the shape of the data; without features if embeddings are learned. */
    private synchronized DataShape shapeOfRows() throws IOException, InterruptedException {
        DataShape known = shape;
        if (known == null) {
            VertexData data = data();
            known = data == null ? live.shape() : shape(data);
            shape = known;
        }
        return known;
    }

    private DataShape shape(VertexData data) throws IOException {
        int classes = options.shape().classes();
        if (classes != 0 && classes < data.classCount()) {
            throw new IOException(
                    "--classes is %d, and the vertices' files have %d classes".formatted(classes, data.classCount()));
        }
        return new DataShape(data.columns(), Math.max(classes, data.classCount()));
    }

    /** Returns the vertex data from files; null if there are no files. */
    private synchronized @Nullable VertexData data() throws IOException {
        if (options.vertices() != null && files == null) {
            files = VertexData.of(options.vertices(), options.scaling(), options.shape());
        }
        return files;
    }

    @Override
    public PartitioningKind kind() throws IOException, InterruptedException {
        return live.kind();
    }

    /**
     * Returns the newest cut, with the number of shards that the job reported last; during a re-partitioning, the
     * larger of both numbers. Shards without edges are empty.
     *
     * @throws IOException if no records arrive in time; the message is meant for users
     */
    @Override
    public ShardCut latest() throws IOException, InterruptedException {
        return live.latest();
    }

    @Override
    public ShardStore make(int shard, ShardCut cut, Path folder) throws IOException, InterruptedException {
        if (cut.shardOffsets().isEmpty() || cut.bookOffsets().isEmpty()) {
            throw new IOException("the cut belongs to shards of a folder, not of a topic; start a new training");
        }
        DataShape known = shapeOfRows();
        TopicStore journals = store();
        try {
            return make(shard, cut, folder, known, journals);
        } catch (DamagedJournalException e) {
            listener.readAgain(String.valueOf(e.getMessage()));
            clear(folder);
            return make(shard, cut, folder, known, journals);
        }
    }

    private static void clear(Path folder) throws IOException {
        List<Path> left;
        try (Stream<Path> all = Files.list(folder)) {
            left = all.toList();
        }
        for (Path path : left) {
            Files.delete(path);
        }
    }

    private synchronized TopicStore store() throws IOException, InterruptedException {
        TopicStore open = store;
        if (open == null) {
            Topics topics = options.topics();
            open = new TopicStore(options.folder(), named(topics.shards()), named(topics.partitionBook()), listener);
            store = open;
        }
        return open;
    }

    private String named(String topic) throws IOException, InterruptedException {
        return "topic %s with id %s".formatted(topic, live.id(topic));
    }

    private ShardStore make(int shard, ShardCut cut, Path folder, DataShape known, TopicStore journals)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int topicPartitions = cut.shardOffsets().size();
        int topicPartition = ShardRecordCodec.topicPartition(shard, topicPartitions);
        long offset = cut.shardOffsets().get(topicPartition);
        ShardJournal.Feed feed = (from, to, into) -> live.readShards(topicPartition, topicPartitions, from, to, into);
        TopicStore.Held held = journals.shard(shard, topicPartition);
        if (!hasCut(held, offset)) {
            journals.moveTo(topicPartition, together(shard, cut), offset, feed);
        }
        held.lock().lock();
        try {
            ShardJournal journal = held.journal();
            journal.moveTo(offset, feed);
            TopicShard read = TopicShard.of(shard, journal, folder.resolve("edges"));
            read.look(journals.book(cut.bookOffsets(), live::readBook));
            ShardStore made = build(shard, cut, folder, known, journal, read);
            read.delete();
            return made;
        } finally {
            held.lock().unlock();
        }
    }

    private static boolean hasCut(TopicStore.Held held, long offset) {
        held.lock().lock();
        try {
            return held.journal().hasCut(offset);
        } finally {
            held.lock().unlock();
        }
    }

    @Override
    public synchronized void expect(ShardCut cut, Collection<Integer> shards) {
        if (!cut.equals(expectedCut)) {
            expectedCut = cut;
            expected.clear();
        }
        expected.addAll(shards);
    }

    /** Returns the expected shards in the topic partition of a shard, that shard included. */
    private synchronized SortedSet<Integer> together(int shard, ShardCut cut) {
        SortedSet<Integer> together = new TreeSet<>(Set.of(shard));
        int topicPartitions = cut.shardOffsets().size();
        if (cut.equals(expectedCut)) {
            for (int other : expected) {
                if (ShardRecordCodec.topicPartition(other, topicPartitions)
                        == ShardRecordCodec.topicPartition(shard, topicPartitions)) {
                    together.add(other);
                }
            }
        }
        return together;
    }

    private ShardStore build(
            int shard, ShardCut cut, Path folder, DataShape known, ShardJournal journal, TopicShard read)
            throws IOException {
        TopicRows rows = new TopicRows(journal, read, known);
        VertexData data = data();
        int[] unknown = new int[1];
        ShardStore made = ShardBuilder.build(
                shard,
                read,
                data == null ? VertexData.of(rows, options.scaling(), options.shape()) : data,
                folder,
                (count, example) -> {
                    if (data != null && !options.shape().allowsMissingFeatures()) {
                        ShardBuilder.refuse(shard, count, example);
                    }
                    unknown[0] = count;
                });
        listener.made(new MadeShard(
                shard,
                cut,
                read.edges(),
                made.vertexCount(),
                made.ownedCount(),
                unknown[0],
                (int) rows.misfits().otherWidth(),
                (int) rows.misfits().otherLabel(),
                rows.misfits().count() == 0 ? "" : rows.misfits().words()));
        return made;
    }

    /** Releases the folder, whose contents remain for the next process. */
    @Override
    public synchronized void close() throws IOException {
        live.close();
        if (store != null) {
            store.close();
            store = null;
        }
    }

    /** Serialises calls, because several threads build shards. */
    private record OneAtATime(TopicShardsListener listener) implements TopicShardsListener {
        @Override
        public void waiting(String sentence) {
            synchronized (listener) {
                listener.waiting(sentence);
            }
        }

        @Override
        public void readAgain(String sentence) {
            synchronized (listener) {
                listener.readAgain(sentence);
            }
        }

        @Override
        public void misfits(String sentence) {
            synchronized (listener) {
                listener.misfits(sentence);
            }
        }

        @Override
        public void made(MadeShard shard) {
            synchronized (listener) {
                listener.made(shard);
            }
        }
    }
}
