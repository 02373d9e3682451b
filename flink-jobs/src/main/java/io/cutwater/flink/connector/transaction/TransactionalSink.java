package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.lineage.Datasets;
import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.connector.transaction.fate.SinkTopic;
import java.io.IOException;
import java.util.Collection;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink.PrecommittingStatefulSinkWriter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.flink.util.IOUtils;

/**
 * Writes a topic in transactions that are committed with Flink's checkpoints, each record exactly once, or fails the
 * job.
 *
 * <p>The Kafka connector does the writing. Its own sink logs a commit that Kafka refuses, and continues without the
 * records. This sink checks every transaction that a restored state names, with the broker and the topic, before it
 * writes anything; {@link LostRecords} says what happens to the records of an aborted one. Nothing is copied for that:
 * an aborted transaction's records stay in the log of the topic, hidden from committed readers, so a checkpoint holds
 * their offsets only.
 *
 * @param <T> of the elements
 */
public final class TransactionalSink<T>
        implements Sink<T>,
                SupportsWriterState<T, WriterState>,
                SupportsCommitter<KafkaCommittable>,
                SupportsPostCommitTopology<KafkaCommittable>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final KafkaSink<Object> connector;
    private final SinkTopic topic;
    private final EdgeCount<T> edgeCount;

    private TransactionalSink(KafkaSink<Object> connector, SinkTopic topic, EdgeCount<T> edgeCount) {
        this.connector = connector;
        this.topic = topic;
        this.edgeCount = edgeCount;
    }

    /**
     * Creates a sink for one writer.
     *
     * @param producer settings of the producer
     * @param transactionalIdPrefix unique among the sinks of a Kafka cluster
     */
    public static <T> TransactionalSink<T> of(
            SinkTopic topic,
            Properties producer,
            String transactionalIdPrefix,
            KafkaRecordSerializationSchema<T> records,
            EdgeCount<T> edgeCount) {
        return new TransactionalSink<>(
                KafkaSink.<Object>builder()
                        .setBootstrapServers(topic.bootstrapServers())
                        .setKafkaProducerConfig(producer)
                        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                        .setTransactionalIdPrefix(transactionalIdPrefix)
                        .setRecordSerializer(new AnyRecord<>(records))
                        .build(),
                topic,
                edgeCount);
    }

    @Override
    public LineageVertex getLineageVertex() {
        return Datasets.topic(topic.bootstrapServers(), topic.name()).written();
    }

    @Override
    public TransactionalWriter<T> createWriter(WriterInitContext context) throws IOException {
        WrittenRecords written = new WrittenRecords();
        return new TransactionalWriter<>(
                connector.createWriter(new WatchedContext(context, written)), written, edgeCount, job(context));
    }

    @Override
    public StatefulSinkWriter<T, WriterState> restoreWriter(WriterInitContext context, Collection<WriterState> states)
            throws IOException {
        Restoration restoration = Restoration.of(states, topic, job(context));
        if (restoration.refusal() != null && topic.holdsEdges()) {
            throw restoration.refusal();
        }
        WrittenRecords written = new WrittenRecords();
        PrecommittingStatefulSinkWriter<Object, KafkaWriterState, KafkaCommittable> inner =
                connector.restoreWriter(new WatchedContext(context, written), restoration.connector());
        TransactionalWriter<T> writer = new TransactionalWriter<>(inner, written, edgeCount, job(context));
        try {
            writer.restore(restoration, topic);
            return writer;
        } catch (RuntimeException e) {
            IOUtils.closeQuietly(writer);
            throw e;
        }
    }

    private static String job(WriterInitContext context) {
        return context.getJobInfo().getJobId().toHexString();
    }

    @Override
    public SimpleVersionedSerializer<WriterState> getWriterStateSerializer() {
        return new WriterStateSerializer(connector.getWriterStateSerializer());
    }

    @Override
    public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) {
        return new CheckedCommitter(
                connector.createCommitter(context),
                topic,
                context.getRestoredCheckpointId().orElse(Long.MIN_VALUE));
    }

    @Override
    public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
        return connector.getCommittableSerializer();
    }

    @Override
    public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committables) {
        connector.addPostCommitTopology(committables);
    }
}
