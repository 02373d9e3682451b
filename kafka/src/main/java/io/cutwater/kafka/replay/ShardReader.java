package io.cutwater.kafka.replay;

import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardTopicPartitions;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes shards of topic {@code shards} as they were at some commit. What a shard was does not change any more, so the
 * same question has the same answer, unless the topic's retention has deleted the beginning, which is refused.
 */
public final class ShardReader {
    private static final int FIRST_LOOK = 256;
    private static final int NEXT_LOOK = 8;

    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final String topic;
    private final ReadListener listener;

    /**
     * A shard as a commit left it.
     *
     * @param offset behind the commit, in the topic partition of the shard
     */
    public record Found(ShardReplay shard, int topicPartition, long offset) {}

    /** @param properties further client properties, such as those of TLS */
    public ShardReader(String bootstrapServers, Map<String, ?> properties, String topic) {
        this(bootstrapServers, properties, topic, ReadListener.NONE);
    }

    /** The same, with somebody who is told how far it is. */
    public ShardReader(String bootstrapServers, Map<String, ?> properties, String topic, ReadListener listener) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topic = topic;
        this.listener = listener;
    }

    /**
     * A shard as the last commit left it. One that the topic has no record of is empty, here and below.
     *
     * @param shard from 0
     * @throws BrokerException with one sentence if the topic cannot be read, its beginning is deleted, or an edge
     *     leaves a shard that is not there
     */
    public Found read(int shard) {
        try (TopicAdmin admin = connect()) {
            Place place = place(admin, shard);
            return replay(shard, place, end(admin, place.topicPartition()));
        }
    }

    /**
     * A shard as the last commit before an offset left it: no transaction is applied in part.
     *
     * @param offset of the shard's topic partition, from 0
     * @throws BrokerException as {@link #read} does, and if the offset is behind the end
     */
    public Found readAt(int shard, long offset) {
        try (TopicAdmin admin = connect()) {
            Place place = place(admin, shard);
            int topicPartition = place.topicPartition();
            long end = end(admin, topicPartition);
            if (offset > end) {
                throw new BrokerException(
                        "topic partition %d of topic %s, which has shard %d, ends at offset %d: give one up to that, not %d"
                                .formatted(topicPartition, topic, shard, end, offset));
            }
            return replay(shard, place, commitBefore(topicPartition, offset));
        }
    }

    /**
     * A shard as a reader of committed records had it at a time, by the broker's clock: a transaction counts if it was
     * committed before.
     *
     * @param time not in the future, whose commits nobody knows
     * @throws BrokerException as {@link #read} does
     */
    public Found readAt(int shard, Instant time) {
        try (TopicAdmin admin = connect()) {
            Place place = place(admin, shard);
            int topicPartition = place.topicPartition();
            long end = end(admin, topicPartition);
            // The mark of a commit has a time, too: one that came later is the first thing from then on, or behind it.
            long offset = Math.min(
                    end, admin.offsets().at(topic, topicPartition, time).orElse(end));
            return replay(shard, place, commitBefore(topicPartition, offset));
        }
    }

    /**
     * All shards that the topic has records of, at one moment; no more of them in memory at once than one topic
     * partition has.
     *
     * @throws BrokerException as {@link #read} does
     */
    public void readAll(Consumer<ShardReplay> consumer) {
        Map<Integer, Long> ends;
        int topicPartitions;
        try (TopicAdmin admin = connect()) {
            new WholeTopic(bootstrapServers, properties, topic).require(admin);
            topicPartitions = topicPartitions(admin);
            ends = ShardTopicPartitions.only(topicPartitions, admin.offsets().consistentEnds(topic));
        }
        ends.forEach((topicPartition, end) -> {
            Replays replays = new Replays(listener);
            read(new Place(topicPartition, topicPartitions), end, replays);
            replays.shards().values().forEach(consumer);
        });
    }

    private TopicAdmin connect() {
        return TopicAdmin.connect(bootstrapServers, properties);
    }

    /** The topic partition of a shard, out of so many that the job writes to. */
    private record Place(int topicPartition, int topicPartitions) {}

    private Place place(TopicAdmin admin, int shard) {
        new WholeTopic(bootstrapServers, properties, topic).require(admin);
        int topicPartitions = topicPartitions(admin);
        return new Place(ShardRecordCodec.topicPartition(shard, topicPartitions), topicPartitions);
    }

    private int topicPartitions(TopicAdmin admin) {
        return ShardTopicPartitions.of(admin, new QualityReader(bootstrapServers, properties), topic);
    }

    private long end(TopicAdmin admin, int topicPartition) {
        return admin.offsets().ends(topic).getOrDefault(topicPartition, 0L);
    }

    private Found replay(int shard, Place place, long offset) {
        Replays replays = new Replays(shard, listener);
        read(place, offset, replays);
        return new Found(replays.replay(shard), place.topicPartition(), offset);
    }

    private void read(Place place, long end, Replays replays) {
        Map<Integer, Long> begins = Map.of(place.topicPartition(), 0L);
        Map<Integer, Long> ends = Map.of(place.topicPartition(), end);
        new ShardTopicReader(bootstrapServers, properties)
                .read(topic, place.topicPartitions(), begins, ends, replays.begin(end));
    }

    /**
     * The last offset up to this one that lies behind a commit. Readers are not given the marks of transactions, but
     * they leave holes between offsets, and nothing else does in a topic that is not compacted.
     */
    private long commitBefore(int topicPartition, long offset) {
        TopicReader reader = new TopicReader(bootstrapServers, properties);
        for (long look = FIRST_LOOK; ; look *= NEXT_LOOK) {
            long from = Math.max(0, offset - look);
            Holes holes = new Holes(from);
            reader.read(topic, Map.of(topicPartition, from), Map.of(topicPartition, offset), record -> {
                holes.pass(record.offset());
            });
            holes.pass(offset);
            if (holes.last >= 0 || from == 0) {
                return Math.max(0, holes.last);
            }
        }
    }

    /** Finds the last offset in front of which some are missing. */
    private static final class Holes {
        private long next;
        private long last = -1;

        Holes(long from) {
            next = from;
        }

        void pass(long offset) {
            if (offset > next) {
                last = offset;
            }
            next = offset + 1;
        }
    }
}
