package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;

/**
 * State of a sink's writer in a checkpoint.
 *
 * @param connector the state of the Kafka connector
 * @param job that wrote it, as Flink's id; empty in the state of an earlier build
 * @param pending transactions that are not known to be committed
 */
record WriterState(KafkaWriterState connector, String job, List<PendingTransaction> pending) {
    WriterState {
        pending = List.copyOf(pending);
    }
}
