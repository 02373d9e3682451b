package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import io.cutwater.flink.connector.transaction.fate.SinkTopic;
import io.cutwater.flink.connector.transaction.fate.TopicOffsets;
import io.cutwater.flink.connector.transaction.fate.TransactionFates;
import io.cutwater.flink.connector.transaction.fate.TransactionFates.Fate;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.jspecify.annotations.Nullable;

/**
 * Commits the transactions that can be committed, and fails where the connector's own committer would log a refused
 * commit and continue.
 *
 * <p>Restored transactions that have ended are not checked here: {@link Restoration} has found out how they ended.
 */
final class CheckedCommitter implements Committer<KafkaCommittable> {
    private final Committer<KafkaCommittable> connector;
    private final SinkTopic topic;
    private final long restoredCheckpoint;

    /** @param restoredCheckpoint number of the checkpoint from which the job continues; below all numbers for none */
    CheckedCommitter(Committer<KafkaCommittable> connector, SinkTopic topic, long restoredCheckpoint) {
        this.connector = connector;
        this.topic = topic;
        this.restoredCheckpoint = restoredCheckpoint;
    }

    @Override
    public void commit(Collection<CommitRequest<KafkaCommittable>> requests) throws IOException, InterruptedException {
        for (CommitRequest<KafkaCommittable> request : requests) {
            KafkaCommittable committable = request.getCommittable();
            if (!isRestored(committable) || isOpen(committable)) {
                commit(request);
            }
        }
    }

    /** A transaction of this attempt comes with its producer, or has a later checkpoint's number in its id. */
    private boolean isRestored(KafkaCommittable committable) {
        String id = committable.getTransactionalId();
        return committable.getProducer().isEmpty()
                && Long.parseLong(id.substring(id.lastIndexOf('-') + 1)) <= restoredCheckpoint;
    }

    private void commit(CommitRequest<KafkaCommittable> request) throws IOException, InterruptedException {
        Refusable refusable = new Refusable(request);
        connector.commit(List.of(refusable));
        if (refusable.refusal != null) {
            throw new IOException(
                    "Kafka refuses to commit transaction %s to topic %s: %s"
                            .formatted(
                                    request.getCommittable().getTransactionalId(),
                                    topic.name(),
                                    refusable.refusal.getMessage()),
                    refusable.refusal);
        }
    }

    private boolean isOpen(KafkaCommittable committable) throws IOException {
        try (TransactionFates fates = new TransactionFates(topic)) {
            PendingTransaction transaction = new PendingTransaction(
                    committable.getTransactionalId(),
                    committable.getProducerId(),
                    committable.getEpoch(),
                    0,
                    new TopicOffsets());
            return fates.of(transaction) == Fate.OPEN;
        }
    }

    @Override
    public void close() throws Exception {
        connector.close();
    }

    /** Records a refusal that Flink would treat as success. */
    private static final class Refusable implements CommitRequest<KafkaCommittable> {
        private final CommitRequest<KafkaCommittable> request;
        private @Nullable Throwable refusal;

        Refusable(CommitRequest<KafkaCommittable> request) {
            this.request = request;
        }

        @Override
        public void signalFailedWithKnownReason(Throwable reason) {
            refusal = reason;
        }

        @Override
        public KafkaCommittable getCommittable() {
            return request.getCommittable();
        }

        @Override
        public int getNumberOfRetries() {
            return request.getNumberOfRetries();
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable reason) {
            request.signalFailedWithUnknownReason(reason);
        }

        @Override
        public void retryLater() {
            request.retryLater();
        }

        @Override
        public void updateAndRetryLater(KafkaCommittable committable) {
            request.updateAndRetryLater(committable);
        }

        @Override
        public void signalAlreadyCommitted() {
            request.signalAlreadyCommitted();
        }
    }
}
