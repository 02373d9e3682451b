package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.LostTransactionException;
import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import io.cutwater.flink.connector.transaction.fate.SinkTopic;
import io.cutwater.flink.connector.transaction.fate.TopicOffsets;
import io.cutwater.flink.connector.transaction.fate.TransactionFates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink.PrecommittingStatefulSinkWriter;
import org.apache.flink.connector.kafka.sink.internal.CheckpointTransaction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector's writer, extended by a list in each checkpoint of the records whose transactions are not known to be
 * committed.
 */
final class TransactionalWriter<T>
        implements StatefulSinkWriter<T, WriterState>, CommittingSinkWriter<T, KafkaCommittable> {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);

    private final PrecommittingStatefulSinkWriter<Object, KafkaWriterState, KafkaCommittable> connector;
    private final WrittenRecords written;
    private final EdgeCount<T> edgeCount;
    private final String job;
    private final List<PendingTransaction> pending = new ArrayList<>();
    private long edges;
    private @Nullable LostTransactionException refusal;

    /** @param job that writes, as Flink's id */
    TransactionalWriter(
            PrecommittingStatefulSinkWriter<Object, KafkaWriterState, KafkaCommittable> connector,
            WrittenRecords written,
            EdgeCount<T> edgeCount,
            String job) {
        this.connector = connector;
        this.written = written;
        this.edgeCount = edgeCount;
        this.job = job;
    }

    /** Restores the state, and writes the records again that are to be replayed. */
    void restore(Restoration restoration, SinkTopic topic) {
        refusal = restoration.refusal();
        pending.addAll(restoration.open());
        if (restoration.replayed().isEmpty()) {
            return;
        }
        try (TransactionFates fates = new TransactionFates(topic)) {
            for (PendingTransaction lost : restoration.replayed()) {
                long found = fates.replay(lost, this::writeAgain);
                if (found != lost.offsets().count()) {
                    LostTransactionException incomplete = LostTransactionException.incomplete(lost, topic, found);
                    if (!restoration.accepts()) {
                        throw incomplete;
                    }
                    LOG.warn("Continuing, as --accept-loss allows: {}", incomplete.getMessage());
                }
                edges += lost.edges();
            }
        }
    }

    private void writeAgain(ConsumerRecord<byte[], byte[]> lost) {
        try {
            connector.write(
                    new AnyRecord.Replayed(new ProducerRecord<>(
                            lost.topic(), lost.partition(), lost.key(), lost.value(), lost.headers())),
                    NO_TIME);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while records were written again", e));
        }
    }

    private static final SinkWriter.Context NO_TIME = new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
            return Long.MIN_VALUE;
        }

        @Override
        public @Nullable Long timestamp() {
            return null;
        }
    };

    @Override
    public void write(T element, SinkWriter.Context context) throws IOException, InterruptedException {
        edges += edgeCount.of(element);
        connector.write(element, context);
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        // Not earlier, so that the topic with the edges, whose error says most, fails the job first.
        if (refusal != null) {
            throw refusal;
        }
        connector.flush(endOfInput);
    }

    @Override
    public Collection<KafkaCommittable> prepareCommit() throws IOException, InterruptedException {
        Collection<KafkaCommittable> committables = connector.prepareCommit();
        TopicOffsets offsets = written.take();
        for (KafkaCommittable committable : committables) {
            pending.add(new PendingTransaction(
                    committable.getTransactionalId(),
                    committable.getProducerId(),
                    committable.getEpoch(),
                    edges,
                    offsets));
        }
        edges = 0;
        return committables;
    }

    @Override
    public List<WriterState> snapshotState(long checkpointId) throws IOException {
        List<KafkaWriterState> states = connector.snapshotState(checkpointId);
        Set<String> open = states.stream()
                .flatMap(state -> state.getPrecommittedTransactionalIds().stream())
                .map(CheckpointTransaction::getTransactionalId)
                .collect(Collectors.toSet());
        pending.removeIf(transaction -> !open.contains(transaction.transactionalId()));
        // Sinks have one writer, and so one state.
        return states.stream()
                .map(state -> new WriterState(state, job, pending))
                .toList();
    }

    @Override
    public void close() throws Exception {
        connector.close();
    }
}
