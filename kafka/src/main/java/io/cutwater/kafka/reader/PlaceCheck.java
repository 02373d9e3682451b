package io.cutwater.kafka.reader;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Checks that a reader of a topic can continue at its position: no record was deleted, lost, or replaced. */
public final class PlaceCheck {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The time within which a broker answers how far the records of an epoch reach. */
    private static final Duration EPOCH_PATIENCE = Duration.ofSeconds(5);

    private final String bootstrapServers;
    private final Map<String, ?> properties;

    /** @param properties further client properties, such as those of TLS */
    public PlaceCheck(String bootstrapServers, Map<String, ?> properties) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
    }

    /**
     * Returns the positions at which the reader cannot continue, in ascending order of topic partitions.
     *
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public List<TopicLoss> losses(String topic, List<ReadPlace> places) {
        Map<Integer, Long> begins;
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            begins = admin.offsets().beginnings(topic);
            ends = admin.offsets().written(topic);
        }
        List<TopicLoss> losses = new ArrayList<>();
        List<ReadPlace> suspects = new ArrayList<>();
        for (ReadPlace place : places) {
            int p = place.topicPartition();
            Long begin = begins.get(p);
            if (begin == null) {
                losses.add(new TopicLoss(p, TopicLoss.Kind.MISSING, 0, place.offset(), 0, 0));
            } else if (place.offset() < begin) {
                losses.add(new TopicLoss(p, TopicLoss.Kind.GONE, place.offset(), begin, begin, begin));
            } else if (place.offset() > ends.getOrDefault(p, 0L)
                    || place.last() != null && place.last().offset() >= begin) {
                suspects.add(place);
            }
        }
        if (!suspects.isEmpty()) {
            addTruncated(topic, suspects, ends, losses);
        }
        losses.sort(Comparator.comparingInt(TopicLoss::topicPartition));
        return losses;
    }

    private void addTruncated(String topic, List<ReadPlace> suspects, Map<Integer, Long> ends, List<TopicLoss> losses) {
        Map<String, Object> settings = new HashMap<>(ClientSettings.consumer(bootstrapServers, properties));
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            for (ReadPlace place : suspects) {
                TopicLoss loss = truncated(consumer, topic, place, ends.getOrDefault(place.topicPartition(), 0L));
                if (loss != null) {
                    losses.add(loss);
                }
            }
        } catch (KafkaException e) {
            throw new BrokerException(
                    "cannot read topic %s at %s: %s".formatted(topic, bootstrapServers, e.getMessage()), e);
        }
    }

    private @Nullable TopicLoss truncated(
            KafkaConsumer<byte[], byte[]> consumer, String topic, ReadPlace place, long end) {
        TopicPartition topicPartition = new TopicPartition(topic, place.topicPartition());
        ReadMark last = place.last();
        if (place.offset() > end) {
            long next =
                    Math.min(end, divergence(consumer, topicPartition, place).orElse(end));
            return new TopicLoss(place.topicPartition(), TopicLoss.Kind.BEYOND, next, place.offset(), next, end);
        }
        if (last == null) {
            return null;
        }
        ConsumerRecord<byte[], byte[]> found = recordAt(consumer, topicPartition, last.offset());
        if (found != null && ReadMark.of(found).hash() == last.hash()) {
            return null;
        }
        OptionalLong divergence = divergence(consumer, topicPartition, place);
        if (found == null && divergence.isEmpty()) {
            // Compaction removes single records. Only the epochs distinguish that from a truncated log.
            return null;
        }
        // Without epochs the first replaced record is unknown: the reader continues after what it had read.
        long from = divergence.orElse(last.offset());
        long next = divergence.orElse(place.offset());
        return new TopicLoss(place.topicPartition(), TopicLoss.Kind.REPLACED, from, place.offset(), next, end);
    }

    /** Returns the record at an offset; null if there is none. */
    private @Nullable ConsumerRecord<byte[], byte[]> recordAt(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition topicPartition, long offset) {
        consumer.assign(List.of(topicPartition));
        consumer.seek(topicPartition, offset);
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                return record.offset() == offset ? record : null;
            }
            if (consumer.position(topicPartition) > offset) {
                return null;
            }
        }
        throw new BrokerException("%s at %s gave no record from offset %d on for %d s; check the broker and its log"
                .formatted(topicPartition, bootstrapServers, offset, PATIENCE.toSeconds()));
    }

    /**
     * Returns the offset from which the leader's epochs show another log than the one that was read; empty if they show
     * none.
     */
    private static OptionalLong divergence(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition topicPartition, ReadPlace place) {
        if (place.last() == null || place.last().leaderEpoch() == ReadMark.NO_EPOCH) {
            return OptionalLong.empty();
        }
        consumer.assign(List.of(topicPartition));
        consumer.seek(
                topicPartition,
                new OffsetAndMetadata(place.offset(), Optional.of(place.last().leaderEpoch()), ""));
        try {
            // The client compares epochs before it fetches.
            long start = System.nanoTime();
            while (System.nanoTime() - start < EPOCH_PATIENCE.toNanos()) {
                if (!consumer.poll(POLL).isEmpty()) {
                    return OptionalLong.empty();
                }
            }
        } catch (LogTruncationException e) {
            OffsetAndMetadata divergent = e.divergentOffsets().get(topicPartition);
            return divergent == null ? OptionalLong.empty() : OptionalLong.of(divergent.offset());
        } catch (OffsetOutOfRangeException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }
}
