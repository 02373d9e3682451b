package io.cutwater.flink.connector.feedback;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of vertex updates. Kafka's consumer does not report a broker that is down or a topic that is gone: it
 * polls, and nothing comes. A table would then wait for ever, so after a period of silence the reader asks the broker.
 *
 * <p>Foreign and malformed records are logged, counted and skipped. They are not dead letters: those are edges of the
 * user, and are read again after a crash, which updates are not. If a skipped record was a damaged update of this job,
 * the table fails on the gap, and all updates are sent again.
 */
final class LoopReader implements UpdateSource.Reader {
    private static final Logger LOG = LoggerFactory.getLogger(LoopReader.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final int first;
    private final int end;
    private final int buckets;
    private final int topicPartitions;
    private final Duration silence;
    private final Duration patience;
    private final AtomicLong malformed = new AtomicLong();
    private long heardNanos = System.nanoTime();
    private long sentMillis;
    private long waiting;

    /**
     * @param consumer positioned where reading begins; closed with this reader
     * @param first the first bucket whose updates are wanted
     * @param end end of these buckets (exclusive); updates of others are skipped undecoded
     * @param silence time without a record after which the reader asks the broker for the topic
     * @param patience how long the answer may take before the reader fails
     */
    LoopReader(
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            int first,
            int end,
            int buckets,
            int topicPartitions,
            Duration silence,
            Duration patience) {
        this.consumer = consumer;
        this.topic = topic;
        this.first = first;
        this.end = end;
        this.buckets = buckets;
        this.topicPartitions = topicPartitions;
        this.silence = silence;
        this.patience = patience;
    }

    @Override
    public List<VertexUpdate> poll() {
        List<VertexUpdate> updates = new ArrayList<>();
        try {
            sentMillis = Long.MAX_VALUE;
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                VertexUpdate update = decode(record);
                if (update != null && isInOrder(update, record.partition())) {
                    updates.add(update);
                    sentMillis = Math.min(sentMillis, record.timestamp());
                }
            }
            countWaiting();
            if (!updates.isEmpty()) {
                heardNanos = System.nanoTime();
            } else if (System.nanoTime() - heardNanos > silence.toNanos()) {
                requireTopic();
            }
        } catch (WakeupException e) {
            // Nothing came before the reader was closed.
        } catch (InvalidOffsetException e) {
            throw new IllegalStateException(
                    ("topic %s no longer has the next update (%s): was it emptied or created again while the job"
                                    + " ran? The job restarts from its last checkpoint")
                            .formatted(topic, e.getMessage()),
                    e);
        }
        return updates;
    }

    private @Nullable VertexUpdate decode(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        if (isOfOthers(record.key())) {
            return null;
        }
        try {
            if (value == null) {
                throw new IllegalArgumentException("it has no value");
            }
            return VertexUpdateCodec.decode(value);
        } catch (IllegalArgumentException e) {
            long count = malformed.incrementAndGet();
            // The first, second, fourth, eighth, …: many such records do not fill the log.
            if (Long.bitCount(count) == 1) {
                LOG.warn(
                        "skipped a malformed vertex update in topic {}, topic partition {}, offset {}: {}; it is"
                                + " number {} here. Only the job may write to this topic",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        e.getMessage(),
                        count);
            }
            return null;
        }
    }

    /** Returns whether a record says that it is of a bucket of another reader of the same topic partition. */
    private boolean isOfOthers(byte @Nullable [] key) {
        int bucket = key == null ? first : VertexUpdateCodec.bucket(key);
        return bucket >= 0 && bucket < buckets && (bucket < first || bucket >= end);
    }

    /**
     * Checks that a record is in the topic partition of its bucket; elsewhere, a copy could be read before the
     * original.
     */
    private boolean isInOrder(VertexUpdate update, int topicPartition) {
        int bucket = update.bucket();
        return bucket >= 0
                && bucket < buckets
                && topicPartition == VertexUpdateCodec.topicPartition(bucket, buckets, topicPartitions);
    }

    private void countWaiting() {
        long sum = 0;
        for (TopicPartition partition : consumer.assignment()) {
            sum += consumer.currentLag(partition).orElse(0);
        }
        waiting = sum;
    }

    private void requireTopic() {
        try {
            consumer.endOffsets(consumer.assignment(), patience);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    ("topic %s could not be reached for %d s: is the broker down, or was the topic deleted? Once both are"
                                    + " there the job restarts from its last checkpoint")
                            .formatted(topic, silence.plus(patience).toSeconds()),
                    e);
        }
        heardNanos = System.nanoTime();
    }

    @Override
    public long sentMillis() {
        return sentMillis;
    }

    @Override
    public long waiting() {
        return waiting;
    }

    @Override
    public long malformed() {
        return malformed.get();
    }

    @Override
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
