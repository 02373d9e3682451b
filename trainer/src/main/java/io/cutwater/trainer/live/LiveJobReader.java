package io.cutwater.trainer.live;

import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.book.BookTopicReader;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.Misfits;
import io.cutwater.trainer.journal.BookJournal;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the committed output of a live job from its topics, and waits for topics, records and brokers that are not
 * there yet.
 */
final class LiveJobReader implements Closeable {
    /** Largest share of vertices whose data may not fit, unless the user chose the shape. */
    private static final double MAX_MISFITS = 0.01;

    private final TopicShardsOptions options;
    private final TopicShardsListener listener;
    private final RetryingAdmin broker;
    private volatile @Nullable ShardCut last;

    LiveJobReader(TopicShardsOptions options, TopicShardsListener listener) {
        this.options = options;
        this.listener = listener;
        broker = new RetryingAdmin(options, listener);
    }

    private Topics topics() {
        return options.topics();
    }

    /** Returns the newest cut, see {@link TopicShards#latest}. */
    ShardCut latest() throws IOException, InterruptedException {
        String notYet = "no job has committed shards to topic %s at %s yet"
                .formatted(topics().shards(), options.bootstrapServers());
        return broker.ask(notYet, admin -> {
            requireWholeRun(admin);
            ShardCut known = last;
            RunReport before = report();
            if (before == null) {
                return null;
            }
            if (known != null
                    && known.shards() == before.quality().partitions()
                    && hasEnds(known, ends(admin, before))) {
                return known;
            }
            // A re-partitioning may change the number of shards in between.
            List<Map<Integer, Long>> ends = ends(admin, before);
            RunReport after = report();
            int shards = Math.max(
                    before.quality().partitions(),
                    after == null ? 0 : after.quality().partitions());
            if (ends.get(0).values().stream().allMatch(end -> end == 0)) {
                return null;
            }
            ShardCut cut = new ShardCut(
                    shards,
                    List.copyOf(ends.get(0).values()),
                    List.copyOf(ends.get(1).values()));
            last = cut;
            return cut;
        });
    }

    /**
     * Refuses the shards of a bounded run that did not finish. One check is enough, because a second run into the same
     * topics is refused.
     */
    private void requireWholeRun(TopicAdmin admin) {
        if (last == null) {
            new BoundedRunMark(options.bootstrapServers(), options.properties(), topics()).require(admin);
        }
    }

    /** Returns the ends of the topic partitions that the job writes shards to, and those of the book. */
    private List<Map<Integer, Long>> ends(TopicAdmin admin, RunReport report) throws IOException {
        List<Map<Integer, Long>> ends = new CommittedEnds(options.bootstrapServers(), options.properties(), topics())
                .of(admin, List.of(topics().shards(), topics().partitionBook()));
        Map<Integer, Long> shards = ends.get(0);
        int written = report.shardTopicPartitions();
        if (written > shards.size()) {
            throw new IOException(
                    "topic %s has %d partitions, but its job writes shards to %d: the topic was replaced after the job started"
                            .formatted(topics().shards(), shards.size(), written));
        }
        // Jobs of earlier builds do not report it; they write to all partitions.
        shards.keySet().removeIf(topicPartition -> written > 0 && topicPartition >= written);
        return ends;
    }

    private static boolean hasEnds(ShardCut cut, List<Map<Integer, Long>> ends) {
        return cut.shardOffsets().equals(List.copyOf(ends.get(0).values()))
                && cut.bookOffsets().equals(List.copyOf(ends.get(1).values()));
    }

    /** Returns the job's last report; null if there is none. */
    private @Nullable RunReport report() {
        return new QualityReader(options.bootstrapServers(), options.properties()).last(topics());
    }

    /** Returns what the job places. */
    PartitioningKind kind() throws IOException, InterruptedException {
        String notYet =
                "no job has reported to topic %s at %s yet".formatted(topics().quality(), options.bootstrapServers());
        return broker.ask(notYet, admin -> {
            RunReport report = report();
            return report == null ? null : report.kind();
        });
    }

    /** Returns the shape of the vertices, see {@link TopicShards#shape}. */
    DataShape shape() throws IOException, InterruptedException {
        ShapeScan scan = new ShapeScan(options.shape());
        int given = options.shape().features();
        String notYet = "no vertex in topic %s has %s and a class yet; was the job submitted with --vertex-data?"
                .formatted(
                        topics().shards(),
                        options.shape().embeddings() > 0
                                ? "no features"
                                : given == 0 ? "features" : given + " features");
        int topicPartitions = latest().shardOffsets().size();
        DataShape shape = broker.ask(notYet, admin -> {
            String topic = topics().shards();
            ShardTopicReader reader = new ShardTopicReader(options.bootstrapServers(), options.properties());
            return scan.read(
                    admin.offsets().beginnings(topic),
                    admin.offsets().ends(topic),
                    (from, to) -> reader.read(topic, topicPartitions, from, to, scan));
        });
        tell(scan.misfits(shape));
        return shape;
    }

    /**
     * Reports vertices that do not fit. A few of them are trained without the data that do not fit; many are refused,
     * because they are probably a mistake.
     */
    private void tell(Misfits misfits) throws IOException {
        if (misfits.count() == 0) {
            return;
        }
        String sentence = "topic %s: %s".formatted(topics().shards(), misfits.words());
        if (options.shape().embeddings() > 0) {
            throw new IOException("%s, and --embeddings is for vertices without features; leave it out, or the features"
                    .formatted(sentence));
        }
        if (options.shape().features() == 0 && misfits.share() > MAX_MISFITS) {
            throw new IOException(
                    "%s; write corrected records to topic vertices, or choose the number of features with --feature-count N, which ignores the features of the other vertices"
                            .formatted(sentence));
        }
        listener.misfits(sentence + "; they are trained without these features or labels");
    }

    /** Returns the unique id of a topic. */
    String id(String topic) throws IOException, InterruptedException {
        return broker.ask("", admin -> admin.topicId(topic));
    }

    /**
     * Reads a range of a topic partition of the shards.
     *
     * @param topicPartitions number of topic partitions that the job writes to
     */
    void readShards(int topicPartition, int topicPartitions, long from, long to, ChangeHandler into)
            throws IOException, InterruptedException {
        String topic = topics().shards();
        long end = broker.ask("", admin -> admin.offsets().ends(topic).getOrDefault(topicPartition, 0L));
        if (to > end) {
            throw new IOException(
                    "the cut is at offset %d of topic partition %d of topic %s, which ends at offset %d: the cut belongs to another topic; start a new training"
                            .formatted(to, topicPartition, topic, end));
        }
        long beginning =
                broker.ask("", admin -> admin.offsets().beginnings(topic).getOrDefault(topicPartition, 0L));
        if (beginning > from) {
            throw new IOException(
                    "topic %s begins at offset %d in topic partition %d, but the shards were read up to offset %d only: retention has deleted the records in between; set retention.ms=-1 on the topic before the next job"
                            .formatted(topic, beginning, topicPartition, from));
        }
        try {
            new ShardTopicReader(options.bootstrapServers(), options.properties())
                    .read(topic, topicPartitions, Map.of(topicPartition, from), Map.of(topicPartition, to), into);
        } catch (BrokerException e) {
            throw RetryingAdmin.failed(e);
        }
    }

    /** Reads a range of the partition book. */
    void readBook(List<Long> from, List<Long> to, BookJournal.Handler into) throws IOException, InterruptedException {
        BookTopicReader reader = new BookTopicReader(options.bootstrapServers(), options.properties());
        try {
            reader.read(topics().partitionBook(), byNumber(from), byNumber(to), new BookTopicReader.BookHandler() {
                @Override
                public void entry(PartitionBookEntry entry) {
                    try {
                        into.entry(entry.vertex(), entry.owner(), entry.degree());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }

                @Override
                public void gone(long vertex) {
                    try {
                        into.gone(vertex);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (BrokerException e) {
            throw RetryingAdmin.failed(e);
        }
    }

    private static Map<Integer, Long> byNumber(List<Long> offsets) {
        Map<Integer, Long> byNumber = new HashMap<>();
        for (int topicPartition = 0; topicPartition < offsets.size(); topicPartition++) {
            byNumber.put(topicPartition, offsets.get(topicPartition));
        }
        return byNumber;
    }

    @Override
    public void close() {
        broker.close();
    }
}
