package io.cutwater.kafka.topic;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/**
 * Finds decided transactions whose markers are not yet in all of their topic partitions. Only those with a marker to
 * write in the given topics count, so other transactions on the same broker do not matter.
 */
final class UnmarkedTransactions {
    private static final Set<TransactionState> DECIDED =
            Set.of(TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT);

    private final Admin admin;
    private final AdminAnswers answers;

    UnmarkedTransactions(Admin admin, AdminAnswers answers) {
        this.admin = admin;
        this.answers = answers;
    }

    /** Returns a unique name for each transaction; a later transaction of the same producer has another one. */
    Set<String> in(Collection<String> topics) {
        List<String> ids = answers
                .await(
                        "list the transactions",
                        admin.listTransactions(new ListTransactionsOptions().filterStates(DECIDED))
                                .all())
                .stream()
                .map(TransactionListing::transactionalId)
                .toList();
        Set<String> unmarked = new HashSet<>();
        if (ids.isEmpty()) {
            return unmarked;
        }
        DescribeTransactionsResult described = admin.describeTransactions(ids);
        for (String id : ids) {
            try {
                TransactionDescription transaction = answers.await("describe a transaction", described.description(id));
                if (hasMarkToWrite(transaction, topics)) {
                    unmarked.add(id + " " + transaction.transactionStartTimeMs());
                }
            } catch (BrokerException e) {
                if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
                    throw e;
                }
            }
        }
        return unmarked;
    }

    /** The broker removes a topic partition from the list when the marker is written. */
    private static boolean hasMarkToWrite(TransactionDescription transaction, Collection<String> topics) {
        return DECIDED.contains(transaction.state())
                && transaction.topicPartitions().stream().anyMatch(partition -> topics.contains(partition.topic()));
    }
}
