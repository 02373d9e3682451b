package io.cutwater.kafka.replay;

import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Replays shards of topic {@code shards} as of some commit. The past of a shard does not change, so the same request
 * gives the same result, unless the topic's retention has deleted the beginning, which is an error.
 */
public final class ShardReader {
    private static final int FIRST_LOOK = 256;
    private static final int NEXT_LOOK = 8;

    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final String topic;
    private final ReadListener listener;

    /**
     * A shard as of a commit.
     *
     * @param offset after the commit, in the topic partition of the shard
     */
    public record Found(ShardReplay shard, int topicPartition, long offset) {}

    /** @param properties further client properties, such as those of TLS */
    public ShardReader(String bootstrapServers, Map<String, ?> properties, String topic) {
        this(bootstrapServers, properties, topic, ReadListener.NONE);
    }

    /** Creates a reader that reports its progress to a listener. */
    public ShardReader(String bootstrapServers, Map<String, ?> properties, String topic, ReadListener listener) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topic = topic;
        this.listener = listener;
    }

    /**
     * Reads a shard as of the last commit. A shard without records is empty, here and below.
     *
     * @param shard from 0
     * @throws BrokerException if the topic cannot be read, its beginning is deleted, or an edge leaves a shard that
     *     does not have it
     */
    public Found read(int shard) {
        try (TopicAdmin admin = connect()) {
            Place place = place(admin, shard);
            return replay(shard, place, end(admin, place.topicPartition()));
        }
    }

    /**
     * Reads a shard as of the last commit before an offset: no transaction is applied in part.
     *
     * @param offset of the shard's topic partition, from 0
     * @throws BrokerException as {@link #read} does, and if the offset is after the end
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
     * Reads a shard as a reader of committed records would have seen it at a time, by the broker's clock: a transaction
     * counts if it was committed before.
     *
     * @param time not in the future
     * @throws BrokerException as {@link #read} does
     */
    public Found readAt(int shard, Instant time) {
        try (TopicAdmin admin = connect()) {
            Place place = place(admin, shard);
            int topicPartition = place.topicPartition();
            long end = end(admin, topicPartition);
            // The marker of a commit has a time, too: a later marker is the first record from then on, or after it.
            long offset = Math.min(
                    end, admin.offsets().at(topic, topicPartition, time).orElse(end));
            return replay(shard, place, commitBefore(topicPartition, offset));
        }
    }

    /**
     * Reads all shards with records, at one moment; at most the shards of one topic partition are in memory at once.
     *
     * @throws BrokerException as {@link #read} does
     */
    public void readAll(Consumer<ShardReplay> consumer) {
        Map<Integer, Long> ends;
        int topicPartitions;
        try (TopicAdmin admin = connect()) {
            new WholeTopic(bootstrapServers, properties, topic).require(admin);
            topicPartitions = topicPartitions(admin);
            ends = ShardTopicPartitions.ends(admin, bootstrapServers, properties, topic, topicPartitions);
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

    /** The topic partition of a shard, among those that the job writes to. */
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
     * Returns the last offset up to this one that is directly after a commit. Readers do not see transaction markers,
     * but these leave gaps between offsets, and nothing else does in a topic that is not compacted.
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

    /** Finds the last offset that follows a gap. */
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
