package io.cutwater.flink.connector.topic;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.connector.restore.OwnerCheck;
import io.cutwater.kafka.reader.PlaceCheck;
import io.cutwater.kafka.reader.ReadMark;
import io.cutwater.kafka.reader.ReadPlace;
import io.cutwater.kafka.reader.TopicLoss;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicIdentity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that a reader continues in the same topic and at the same record: it checks when the reader gets a topic
 * partition, and at each checkpoint, because all records read so far are of that topic if its id is unchanged then.
 */
final class TopicGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicGuard.class);

    private final TopicSourceOptions topic;
    private final MetricGroup metrics;
    private final Map<Integer, TopicSplit> admitted = new HashMap<>();
    private @Nullable ConsumerRecord<byte[], byte[]>[] lastRead = newArray(4);
    private @Nullable TopicAdmin admin;
    private @Nullable TopicIdentity identity;
    private @Nullable OwnerCheck owner;
    private volatile long lost;

    /** @param metrics of the task, which contain the id of the job */
    TopicGuard(TopicSourceOptions topic, MetricGroup metrics) {
        this.topic = topic;
        this.metrics = metrics;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable ConsumerRecord<byte[], byte[]>[] newArray(int length) {
        return new ConsumerRecord[length];
    }

    /** Returns the number of accepted offsets that were deleted before they were read. */
    long lost() {
        return lost;
    }

    /** Records the last record of each topic partition. */
    void see(ConsumerRecord<byte[], byte[]> record) {
        int topicPartition = record.partition();
        if (topicPartition >= lastRead.length) {
            lastRead = Arrays.copyOf(lastRead, 2 * topicPartition);
        }
        lastRead[topicPartition] = record;
    }

    /**
     * Returns the splits from which reading may continue.
     *
     * @throws org.apache.flink.runtime.execution.SuppressRestartsException if records are lost or the topic is another
     *     one, and this is not accepted
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer
     */
    List<TopicSplit> admit(List<TopicSplit> splits) {
        if (splits.isEmpty()) {
            return List.of();
        }
        requireOwner();
        TopicIdentity now = admin().identity(topic.name());
        identity = now;
        Map<Integer, Long> begins = admin().offsets().beginnings(topic.name());
        List<TopicSplit> known = new ArrayList<>();
        List<TopicSplit> begun = new ArrayList<>();
        for (TopicSplit split : splits) {
            TopicSplit same = inTopic(split, now);
            long from = same.place().getStartingOffset();
            if (from >= 0) {
                known.add(same);
            } else if (begins.containsKey(same.place().getPartition()) || split.identity() == null) {
                // Fixed, so that a checkpoint before the first record does not start from a later beginning.
                begun.add(moved(same, begins.getOrDefault(same.place().getPartition(), 0L)));
            }
        }
        List<TopicSplit> good = withoutLosses(known);
        good.addAll(begun);
        List<TopicSplit> result = good.stream()
                .map(split -> new TopicSplit(
                        split.place(),
                        now,
                        split.last(),
                        split.lost(),
                        topic.rule().run()))
                .toList();
        result.forEach(split -> admitted.put(split.place().getPartition(), split));
        lost = admitted.values().stream().mapToLong(TopicSplit::lost).sum();
        return result;
    }

    /**
     * Returns the split if it belongs to the present topic; otherwise the beginning of the present topic, if that is
     * accepted.
     */
    private TopicSplit inTopic(TopicSplit split, TopicIdentity now) {
        TopicIdentity before = split.identity();
        if (before == null && split.isOfEarlierBuild()) {
            LOG.warn(
                    "the state of topic {}, topic partition {}, is of a build that did not keep the topic's id; the topic"
                            + " that is there now is taken for the same one: {}",
                    topic.name(),
                    split.place().getPartition(),
                    now);
        }
        if (before == null || before.equals(now)) {
            return split;
        }
        String difference = otherTopic(before, now);
        if (!topic.rule().takesNewTopic(split.run())) {
            throw FinalFailure.of(
                    ("%s; its offsets mean nothing there. Bring the topic back that the job has read, submit"
                                    + " the job again under another --topic-prefix, or resume it with --accept-new-topic, which"
                                    + " reads the new topic from its beginning, or from --start-offsets")
                            .formatted(difference));
        }
        LOG.warn("{}; the job continues at its beginning, as accepted", difference);
        long from = topic.from().getOrDefault(split.place().getPartition(), KafkaPartitionSplit.EARLIEST_OFFSET);
        return new TopicSplit(moved(split, from).place(), now, null, split.lost(), split.run());
    }

    private String otherTopic(TopicIdentity before, TopicIdentity now) {
        return before.clusterId().equals(now.clusterId())
                ? "topic %s was deleted and created again: its id is %s, but the job has read %s"
                        .formatted(topic.name(), now.topicId(), before.topicId())
                : "topic %s belongs to another Kafka cluster: the cluster at %s is %s, but the job has read from %s"
                        .formatted(topic.name(), topic.bootstrapServers(), now.clusterId(), before.clusterId());
    }

    private List<TopicSplit> withoutLosses(List<TopicSplit> splits) {
        Map<Integer, TopicSplit> good = new HashMap<>();
        List<ReadPlace> places = new ArrayList<>();
        for (TopicSplit split : splits) {
            good.put(split.place().getPartition(), split);
            places.add(new ReadPlace(split.place().getPartition(), split.place().getStartingOffset(), split.last()));
        }
        List<TopicLoss> refused = new ArrayList<>();
        for (TopicLoss loss :
                new PlaceCheck(topic.bootstrapServers(), topic.properties()).losses(topic.name(), places)) {
            TopicSplit split = splits.stream()
                    .filter(one -> one.place().getPartition() == loss.topicPartition())
                    .findFirst()
                    .orElseThrow();
            if (!topic.rule().takesLoss(split.run())) {
                refused.add(loss);
            } else if (loss.kind() == TopicLoss.Kind.MISSING) {
                LOG.warn("{}; the job continues without it, as accepted", loss.describe(topic.name()));
                good.remove(loss.topicPartition());
            } else {
                LOG.warn("{}; the job continues at offset {}, as accepted", loss.describe(topic.name()), loss.next());
                good.put(loss.topicPartition(), behind(split, loss));
            }
        }
        if (!refused.isEmpty()) {
            throw lost(refused);
        }
        return new ArrayList<>(good.values());
    }

    private RuntimeException lost(List<TopicLoss> losses) {
        return FinalFailure.of(
                losses.stream().map(loss -> loss.describe(topic.name())).collect(Collectors.joining("; "))
                        + ". Restore these records, submit the job again under another --topic-prefix, or resume it with"
                        + " --accept-loss, which continues without them");
    }

    private static TopicSplit behind(TopicSplit split, TopicLoss loss) {
        long gone = loss.kind() == TopicLoss.Kind.GONE ? loss.until() - loss.from() : 0;
        return new TopicSplit(
                moved(split, loss.next()).place(), split.identity(), null, split.lost() + gone, split.run());
    }

    /** Returns the split at another offset, with its end if it has one. */
    static TopicSplit moved(TopicSplit split, long offset) {
        KafkaPartitionSplit place = split.place();
        return split.at(new KafkaPartitionSplit(
                place.getTopicPartition(),
                offset,
                place.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET)));
    }

    /**
     * Returns the splits that a checkpoint stores.
     *
     * @throws RuntimeException as {@link #admit} does
     */
    List<TopicSplit> snapshot(List<KafkaPartitionSplit> places) {
        requireSame();
        List<TopicSplit> splits = new ArrayList<>();
        for (KafkaPartitionSplit place : places) {
            TopicSplit before = admitted.getOrDefault(place.getPartition(), TopicSplit.fresh(place));
            ConsumerRecord<byte[], byte[]> record =
                    place.getPartition() < lastRead.length ? lastRead[place.getPartition()] : null;
            splits.add(new TopicSplit(
                    place,
                    before.identity(),
                    record == null ? before.last() : ReadMark.of(record),
                    before.lost(),
                    before.run()));
        }
        return splits;
    }

    /**
     * Checks the ids: all records read so far are of this topic if its id is unchanged, because an id is never used
     * again. Everything written is valid if this job still owns its topics.
     */
    void requireSame() {
        requireOwner();
        TopicIdentity before = identity;
        if (before == null) {
            return;
        }
        TopicIdentity now = admin().identity(topic.name());
        if (!now.equals(before)) {
            String difference = otherTopic(before, now);
            throw topic.rule().isIdempotent()
                    ? new IllegalStateException(difference + "; the job goes on from its last checkpoint")
                    : FinalFailure.of(
                            difference
                                    + ". Submit the job again under another --topic-prefix, or resume it with --accept-new-topic");
        }
    }

    private void requireOwner() {
        if (owner == null) {
            owner = new OwnerCheck(topic.bootstrapServers(), topic.properties(), topic.rule(), metrics);
        }
        owner.require();
    }

    private TopicAdmin admin() {
        if (admin == null) {
            admin = TopicAdmin.connect(topic.bootstrapServers(), topic.properties());
        }
        return admin;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
        }
        if (owner != null) {
            owner.close();
        }
    }
}
