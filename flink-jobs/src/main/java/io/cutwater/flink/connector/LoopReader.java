package io.cutwater.flink.connector;

import io.cutwater.flink.operator.UpdateSource;
import io.cutwater.kafka.record.VertexUpdateCodec;
import io.cutwater.state.loop.VertexUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads updates off the topic of a loop, and past what somebody else has put there. A record that is no update is
 * logged and counted, and no dead letter: those are edges of the user's, and are read again after a crash, which the
 * loop is not. If it was an update of ours that has suffered, the table fails over the gap, and all is sent again.
 */
final class LoopReader implements UpdateSource.Reader {
    private static final Logger LOG = LoggerFactory.getLogger(LoopReader.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final int buckets;
    private final int topicPartitions;
    private final AtomicLong malformed = new AtomicLong();

    /** @param consumer is where it is to begin; closed with this */
    LoopReader(KafkaConsumer<byte[], byte[]> consumer, int buckets, int topicPartitions) {
        this.consumer = consumer;
        this.buckets = buckets;
        this.topicPartitions = topicPartitions;
    }

    @Override
    public List<VertexUpdate> poll() {
        List<VertexUpdate> updates = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                VertexUpdate update = decode(record);
                if (update != null && isInOrder(update, record.partition())) {
                    updates.add(update);
                }
            }
        } catch (WakeupException e) {
            // Nothing came before the reader was told to end.
        }
        return updates;
    }

    private @Nullable VertexUpdate decode(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        try {
            if (value == null) {
                throw new IllegalArgumentException("it has no value");
            }
            return VertexUpdateCodec.decode(value);
        } catch (IllegalArgumentException e) {
            long count = malformed.incrementAndGet();
            // The first, second, fourth, eighth, …: a flood does not fill the log.
            if (Long.bitCount(count) == 1) {
                LOG.warn(
                        "topic {}, topic partition {}, offset {} is no vertex update and was passed over: {}; it is"
                                + " number {} of such here. Nobody but the job should write to this topic",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        e.getMessage(),
                        count);
            }
            return null;
        }
    }

    /** Elsewhere than where its bucket lies, a copy could be read before what it is a copy of. */
    private boolean isInOrder(VertexUpdate update, int topicPartition) {
        int bucket = update.bucket();
        return bucket >= 0
                && bucket < buckets
                && topicPartition == VertexUpdateCodec.topicPartition(bucket, buckets, topicPartitions);
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
