package io.cutwater.flink.connector.transaction.fate;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the fate of transactions: first for its record of the transactional id, which it forgets after
 * {@code transactional.id.expiration.ms}, then the topic itself, where committed readers see a record or do not.
 */
public final class TransactionFates implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration RETRY_WAIT = Duration.ofMillis(20);

    private final SinkTopic topic;
    private final Admin admin;

    public enum Fate {
        COMMITTED,
        /** Its records wait for a commit, which is still possible. */
        OPEN,
        /** Aborted, or unknown. */
        LOST
    }

    public TransactionFates(SinkTopic topic) {
        this.topic = topic;
        Map<String, Object> settings = new HashMap<>(topic.properties());
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, topic.bootstrapServers());
        admin = Admin.create(settings);
    }

    /** @throws IOException if the broker does not answer, which says nothing about the transaction */
    public Fate of(PendingTransaction transaction) throws IOException {
        TransactionDescription known = describe(transaction.transactionalId());
        Fate byId = known == null ? null : byId(transaction, known);
        if (byId != null) {
            return byId;
        }
        return transaction.offsets().count() > 0 && isCommitted(transaction) ? Fate.COMMITTED : Fate.LOST;
    }

    /** Returns null if the broker's record is about a later use of the id. */
    private static @Nullable Fate byId(PendingTransaction asked, TransactionDescription known) {
        int epochs = known.producerEpoch() - asked.epoch();
        boolean isSameUse = asked.isKnownById() || known.producerId() == asked.producerId();
        // The broker may increase the epoch by one when it ends a transaction.
        boolean isItsEnd = asked.isKnownById() || epochs == 0 || epochs == 1;
        return switch (known.state()) {
            case COMPLETE_COMMIT, PREPARE_COMMIT -> isSameUse && isItsEnd ? Fate.COMMITTED : null;
            case COMPLETE_ABORT, PREPARE_ABORT, PREPARE_EPOCH_FENCE -> isSameUse && isItsEnd ? Fate.LOST : null;
            case ONGOING -> isSameUse && (asked.isKnownById() || epochs == 0) ? Fate.OPEN : null;
            default -> null;
        };
    }

    /**
     * Returns null if the broker does not know the id; waits while it is about to abort, because readers do not see
     * that yet.
     */
    private @Nullable TransactionDescription describe(String transactionalId) throws IOException {
        long start = System.nanoTime();
        while (true) {
            TransactionDescription description = describeNow(transactionalId);
            boolean isAborting = description != null
                    && (description.state() == TransactionState.PREPARE_ABORT
                            || description.state() == TransactionState.PREPARE_EPOCH_FENCE);
            if (!isAborting || System.nanoTime() - start > TIMEOUT.toNanos()) {
                return description;
            }
            LockSupport.parkNanos(RETRY_WAIT.toNanos());
        }
    }

    private @Nullable TransactionDescription describeNow(String transactionalId) throws IOException {
        String work = "cannot ask the Kafka broker at %s for transaction %s: "
                .formatted(topic.bootstrapServers(), transactionalId);
        try {
            return admin.describeTransactions(List.of(transactionalId))
                    .description(transactionalId)
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return null;
            }
            throw new IOException(work + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException(work + "no answer within %d s".formatted(TIMEOUT.toSeconds()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(work + "interrupted", e);
        }
    }

    /**
     * Returns whether committed readers see its records. All of them or none are committed, so one is enough; if all
     * are deleted by now, readers see the same in both cases, and nothing is missing.
     */
    private boolean isCommitted(PendingTransaction transaction) {
        boolean isAllDeleted = true;
        for (Map.Entry<String, OffsetRanges> topic :
                transaction.offsets().byTopic().entrySet()) {
            Map<Integer, Long> begins = remainingBegins(topic.getKey(), topic.getValue());
            isAllDeleted &= begins.isEmpty();
            if (read(topic.getKey(), topic.getValue(), begins, "read_committed", record -> {}) > 0) {
                return true;
            }
        }
        return isAllDeleted;
    }

    /**
     * Reads the records of an aborted transaction, which an abort hides from committed readers but leaves in the log.
     *
     * @return number of records that are there
     */
    public long replay(PendingTransaction transaction, Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        long found = 0;
        for (Map.Entry<String, OffsetRanges> topic :
                transaction.offsets().byTopic().entrySet()) {
            Map<Integer, Long> begins = remainingBegins(topic.getKey(), topic.getValue());
            found += read(topic.getKey(), topic.getValue(), begins, "read_uncommitted", handler);
        }
        return found;
    }

    private long read(
            String name,
            OffsetRanges offsets,
            Map<Integer, Long> begins,
            String isolation,
            Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        Map<String, String> properties = new HashMap<>(topic.properties());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        Map<Integer, Long> ends = offsets.ends();
        ends.keySet().retainAll(begins.keySet());
        long[] found = new long[1];
        new TopicReader(topic.bootstrapServers(), properties).read(name, begins, ends, record -> {
            if (offsets.contains(record.partition(), record.offset())) {
                found[0]++;
                handler.accept(record);
            }
        });
        return found[0];
    }

    /** Returns the begins of the records, without the topic partitions whose records retention has deleted. */
    private Map<Integer, Long> remainingBegins(String name, OffsetRanges offsets) {
        Map<Integer, Long> begins = offsets.begins();
        Map<Integer, Long> ends = offsets.ends();
        try (TopicAdmin topics = TopicAdmin.connect(topic.bootstrapServers(), topic.properties())) {
            Map<Integer, Long> first = topics.offsets().beginnings(name);
            begins.replaceAll((p, begin) -> Math.max(begin, first.getOrDefault(p, Long.MAX_VALUE)));
            begins.entrySet().removeIf(begin -> begin.getValue() >= ends.getOrDefault(begin.getKey(), 0L));
        }
        return begins;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
