package io.cutwater.kafka.reader;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.topic.BrokerException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads committed records of several topics as they are written, in order within each topic partition. A topic that
 * does not exist yet is read once it does; records that were deleted before they were read are left out. Not
 * thread-safe.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Duration LOOK_FOR_TOPICS = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final String bootstrapServers;
    private final Map<String, Instant> begins;
    private final KafkaConsumer<byte[], byte[]> consumer;
    /** End of what was committed when each topic partition was first read. */
    private final Map<TopicPartition, Long> firstEnds = new HashMap<>();

    private long nextLook;

    /**
     * Prepares to read; the broker is first asked by {@link #poll}.
     *
     * @param properties further client properties, such as those of TLS
     * @param begins for each topic, the time of the first record to read; {@link Instant#MIN} for all records
     * @throws BrokerException if a client property is wrong
     */
    public TopicFollower(String bootstrapServers, Map<String, ?> properties, Map<String, Instant> begins) {
        this.bootstrapServers = bootstrapServers;
        this.begins = new TreeMap<>(begins);
        nextLook = System.nanoTime();
        try {
            consumer = new KafkaConsumer<>(ClientSettings.consumer(bootstrapServers, properties));
        } catch (KafkaException e) {
            throw notRead(e);
        }
    }

    /**
     * Waits for records and passes them to the handler.
     *
     * @param wait the longest wait
     * @return the number of records
     * @throws BrokerException if the broker is down when it is asked for the topics, or refuses a request; the next
     *     call tries again
     */
    public int poll(Duration wait, Consumer<FollowedRecord> handler) {
        try {
            if (System.nanoTime() - nextLook >= 0) {
                nextLook = System.nanoTime() + LOOK_FOR_TOPICS.toNanos();
                lookForTopics();
            }
            if (consumer.assignment().isEmpty()) {
                Thread.sleep(wait.toMillis());
                return 0;
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(wait);
            records.forEach(record -> handler.accept(followed(record)));
            return records.count();
        } catch (OffsetOutOfRangeException e) {
            // Deleted by retention, or the topic was created again.
            consumer.seekToBeginning(e.offsetOutOfRangePartitions().keySet());
            return 0;
        } catch (InterruptException | InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        } catch (KafkaException e) {
            throw notRead(e);
        }
    }

    /** Returns whether all records that a topic had when it was first read have been read; true for a missing topic. */
    public boolean hasCaughtUp() {
        firstEnds.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
        return firstEnds.isEmpty();
    }

    private void lookForTopics() {
        Set<TopicPartition> known = consumer.assignment();
        List<TopicPartition> fresh = new ArrayList<>();
        Map<String, List<PartitionInfo>> topics = consumer.listTopics(ANSWER);
        for (String topic : begins.keySet()) {
            for (PartitionInfo info : topics.getOrDefault(topic, List.of())) {
                TopicPartition topicPartition = new TopicPartition(topic, info.partition());
                if (!known.contains(topicPartition)) {
                    fresh.add(topicPartition);
                }
            }
        }
        if (!fresh.isEmpty()) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(fresh);
            Set<TopicPartition> all = new HashSet<>(known);
            all.addAll(fresh);
            consumer.assign(all);
            seek(fresh, ends);
            firstEnds.putAll(ends);
        }
    }

    private void seek(Collection<TopicPartition> fresh, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> times = new HashMap<>();
        for (TopicPartition each : fresh) {
            Instant begin = begins.getOrDefault(each.topic(), Instant.MIN);
            if (begin.equals(Instant.MIN)) {
                consumer.seekToBeginning(List.of(each));
            } else {
                times.put(each, begin.toEpochMilli());
            }
        }
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
        for (TopicPartition each : times.keySet()) {
            OffsetAndTimestamp first = found.get(each);
            consumer.seek(each, first == null ? ends.getOrDefault(each, 0L) : first.offset());
        }
    }

    private static FollowedRecord followed(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach(header -> {
            if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        });
        return new FollowedRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                headers);
    }

    private BrokerException notRead(KafkaException e) {
        return new BrokerException(
                "cannot read topics %s at %s: %s"
                        .formatted(String.join(", ", begins.keySet()), bootstrapServers, e.getMessage()),
                e);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
