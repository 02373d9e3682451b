package io.cutwater.flink.connector;

import io.cutwater.flink.operator.UpdateSource;
import io.cutwater.kafka.record.VertexUpdateCodec;
import io.cutwater.state.loop.VertexUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads the loop's topic. Kafka's consumer is silent about a broker that is down and a topic that is gone: it polls,
 * and nothing comes. A table would then stand still for ever, so after a silence the reader asks.
 */
final class LoopReader implements UpdateSource.Reader {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final Duration silence;
    private final Duration patience;
    private long heardNanos = System.nanoTime();
    private long sentMillis;
    private long waiting;

    /**
     * @param silence without a record, after which it asks the broker for the topic
     * @param patience how long the answer may take before the reader fails
     */
    LoopReader(KafkaConsumer<byte[], byte[]> consumer, String topic, Duration silence, Duration patience) {
        this.consumer = consumer;
        this.topic = topic;
        this.silence = silence;
        this.patience = patience;
    }

    @Override
    public List<VertexUpdate> poll() {
        List<VertexUpdate> updates = new ArrayList<>();
        try {
            sentMillis = Long.MAX_VALUE;
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                updates.add(VertexUpdateCodec.decode(record.value()));
                sentMillis = Math.min(sentMillis, record.timestamp());
            }
            countWaiting();
            if (!updates.isEmpty()) {
                heardNanos = System.nanoTime();
            } else if (System.nanoTime() - heardNanos > silence.toNanos()) {
                requireTopic();
            }
        } catch (WakeupException e) {
            // Nothing came before the reader was told to end.
        } catch (InvalidOffsetException e) {
            throw new IllegalStateException(
                    ("topic %s does not have the next update any more (%s): was it emptied, or made anew, while the job"
                                    + " ran? The job goes on from its last checkpoint")
                            .formatted(topic, e.getMessage()),
                    e);
        }
        return updates;
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
                                    + " there the job goes on from its last checkpoint")
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
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
