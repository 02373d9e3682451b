package io.cutwater.flink.connector.input;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads a topic between two offsets of each topic partition, committed records only: the topic partitions in ascending
 * order, each to its end before the next one, because only then is the order fixed.
 */
final class TopicInput implements OrderedInput {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MAX_REJECTED = 1024;

    private final EdgeInput.Topic input;
    private final List<Integer> topicPartitions;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final EdgeRecordDecoder decoder;
    private Iterator<ConsumerRecord<byte[], byte[]>> fetched = Collections.emptyIterator();
    private int part;
    private long offset;
    private long offsetsBefore;

    TopicInput(EdgeInput.Topic input, EdgeRecordDecoder decoder, InputPosition from) {
        this.input = input;
        topicPartitions = List.copyOf(new TreeSet<>(input.from().keySet()));
        this.decoder = decoder;
        part = from.part();
        for (int before = 0; before < part; before++) {
            offsetsBefore += until(before) - from(before);
        }
        consumer = new KafkaConsumer<>(ClientSettings.consumer(input.bootstrapServers(), input.properties()));
        begin(from.within().offset());
    }

    private long from(int part) {
        return input.from().getOrDefault(topicPartitions.get(part), 0L);
    }

    private long until(int part) {
        return Math.max(from(part), input.until().getOrDefault(topicPartitions.get(part), 0L));
    }

    private TopicPartition topicPartition() {
        return new TopicPartition(input.topic(), topicPartitions.get(part));
    }

    private boolean isAtEnd() {
        return part == topicPartitions.size();
    }

    /** Seeks to the topic partition of the current part. */
    private void begin(long first) {
        fetched = Collections.emptyIterator();
        if (isAtEnd()) {
            offset = 0;
            consumer.assign(List.of());
        } else {
            offset = Math.max(first, from(part));
            consumer.assign(List.of(topicPartition()));
            consumer.seek(topicPartition(), offset);
        }
    }

    @Override
    public boolean read(EdgeBatch into) throws IOException, InterruptedException {
        try {
            return readOn(into);
        } catch (InterruptException e) {
            Thread.interrupted(); // the client sets it again
            throw new InterruptedException("reading topic %s was interrupted".formatted(input.topic()));
        } catch (OffsetOutOfRangeException e) {
            throw FinalFailure.of(
                    ("topic %s, topic partition %d: offsets from %d to %d are to be read, and not all of them are there (%s)."
                                    + " Its retention must be longer than the job needs to read them twice: raise it, and"
                                    + " begin again")
                            .formatted(
                                    input.topic(), topicPartitions.get(part), offset, until(part) - 1, e.getMessage()));
        } catch (KafkaException e) {
            throw new IOException(
                    "cannot read topic %s at %s: %s".formatted(input.topic(), input.bootstrapServers(), e.getMessage()),
                    e);
        }
    }

    private boolean readOn(EdgeBatch into) throws IOException, InterruptedException {
        long silentSince = System.nanoTime();
        while (!isAtEnd()
                && into.size() < EdgeBatch.DEFAULT_CAPACITY
                && into.rejected().size() < MAX_REJECTED) {
            if (fetched.hasNext()) {
                take(fetched.next(), into);
            } else if (offset >= until(part)) {
                offsetsBefore += until(part) - from(part);
                part++;
                begin(0);
            } else {
                long before = offset;
                poll();
                if (offset > before || fetched.hasNext()) {
                    silentSince = System.nanoTime();
                } else if (System.nanoTime() - silentSince > PATIENCE.toNanos()) {
                    throw new IOException(
                            "topic %s at %s returned no record after offset %d of topic partition %d for %d s; check the broker, and whether a transaction is still open"
                                    .formatted(
                                            input.topic(),
                                            input.bootstrapServers(),
                                            offset,
                                            topicPartitions.get(part),
                                            PATIENCE.toSeconds()));
                }
            }
        }
        into.setProgress(offsetsBefore + (isAtEnd() ? 0 : offset - from(part)));
        return !into.isEmpty() || !into.rejected().isEmpty();
    }

    private void poll() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("reading topic %s was interrupted".formatted(input.topic()));
        }
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        fetched = records.iterator();
        if (!fetched.hasNext()) {
            // After transaction markers, which are no records.
            offset = consumer.position(topicPartition());
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record, EdgeBatch into) {
        if (record.offset() < until(part)) {
            decoder.decode(record, into);
        }
        offset = record.offset() + 1;
    }

    @Override
    public InputPosition position() {
        return new InputPosition(part, new EdgeFilePosition(offset, 0, 0));
    }

    @Override
    public void close() {
        try {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
        }
    }
}
