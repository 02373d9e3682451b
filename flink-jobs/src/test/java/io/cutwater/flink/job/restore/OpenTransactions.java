package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/**
 * Open Kafka transactions of a job's sinks.
 *
 * @param servers addresses of the broker
 * @param prefix prefix of the job's topics
 */
record OpenTransactions(String servers, String prefix) {
    List<String> open() throws Exception {
        try (Admin admin = admin()) {
            return admin
                    .listTransactions(new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING)))
                    .all()
                    .get()
                    .stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.contains("-" + prefix))
                    .toList();
        }
    }

    void terminate(List<String> transactions) throws Exception {
        assertThat(transactions).isNotEmpty();
        try (Admin admin = admin()) {
            for (String id : transactions) {
                admin.forceTerminateTransaction(id).result().get();
            }
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", servers));
    }
}
