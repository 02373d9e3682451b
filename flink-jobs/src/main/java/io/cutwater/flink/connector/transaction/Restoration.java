package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.LostTransactionException;
import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import io.cutwater.flink.connector.transaction.fate.SinkTopic;
import io.cutwater.flink.connector.transaction.fate.TransactionFates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.internal.CheckpointTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fate of the transactions of a writer's restored state, found out before the writer writes anything.
 *
 * @param connector the connector's state, without transactions that have ended
 * @param open transactions that the committer commits
 * @param replayed aborted transactions whose records the writer writes again
 * @param accepts whether the job continues without records that can no longer be replayed
 * @param refusal reason for which the job cannot continue; null if it can
 */
record Restoration(
        List<KafkaWriterState> connector,
        List<PendingTransaction> open,
        List<PendingTransaction> replayed,
        boolean accepts,
        @Nullable LostTransactionException refusal) {
    private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);

    /**
     * Asks the broker for every transaction of the states.
     *
     * @param job that restores, as Flink's id; a state of another job is the one from which this job was resumed
     */
    static Restoration of(Collection<WriterState> states, SinkTopic topic, String job) throws IOException {
        List<PendingTransaction> open = new ArrayList<>();
        List<PendingTransaction> replayed = new ArrayList<>();
        List<PendingTransaction> accepted = new ArrayList<>();
        List<PendingTransaction> refused = new ArrayList<>();
        boolean accepts = false;
        try (TransactionFates fates = new TransactionFates(topic)) {
            for (WriterState state : states) {
                accepts = topic.lost().accepts() && !state.job().equals(job);
                for (PendingTransaction transaction : state.pending()) {
                    switch (fates.of(transaction)) {
                        case COMMITTED -> {}
                        case OPEN -> open.add(transaction);
                        case LOST -> {
                            if (topic.lost().replays() && !transaction.isKnownById()) {
                                replayed.add(transaction);
                            } else if (accepts) {
                                accepted.add(transaction);
                            } else {
                                refused.add(transaction);
                            }
                        }
                    }
                }
            }
        }
        if (!accepted.isEmpty()) {
            LOG.warn("Continuing, as --accept-loss allows: {}", LostTransactionException.missing(accepted, topic));
        }
        return new Restoration(
                withOpen(states, open),
                open,
                replayed,
                accepts,
                refused.isEmpty() ? null : LostTransactionException.of(refused, topic));
    }

    private static List<KafkaWriterState> withOpen(Collection<WriterState> states, List<PendingTransaction> open) {
        Set<String> ids = new HashSet<>();
        open.forEach(transaction -> ids.add(transaction.transactionalId()));
        List<KafkaWriterState> reduced = new ArrayList<>();
        for (WriterState state : states) {
            KafkaWriterState connector = state.connector();
            List<CheckpointTransaction> kept = connector.getPrecommittedTransactionalIds().stream()
                    .filter(transaction -> ids.contains(transaction.getTransactionalId()))
                    .toList();
            reduced.add(new KafkaWriterState(
                    connector.getTransactionalIdPrefix(),
                    connector.getOwnedSubtaskId(),
                    connector.getTotalNumberOfOwnedSubtasks(),
                    connector.getTransactionOwnership(),
                    kept));
        }
        return reduced;
    }
}
