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
 * Transactions that are decided while their marks are not yet in all of their topic partitions. Only those that have a
 * mark to write in topics of interest count, so others on the same broker are in nobody's way, however many they are.
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

    /** One name for each, which a later transaction of the same producer does not have. */
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

    /** The broker takes a topic partition from the list when the mark is there. */
    private static boolean hasMarkToWrite(TransactionDescription transaction, Collection<String> topics) {
        return DECIDED.contains(transaction.state())
                && transaction.topicPartitions().stream().anyMatch(partition -> topics.contains(partition.topic()));
    }
}
