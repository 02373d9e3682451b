package io.cutwater.flink.connector.source;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.mapped.TruncatedTableException;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one topic record into a batch of its edges. The batch is reused for the next record: the next operator is in
 * the same chain and takes the edges out at once.
 */
final class EdgeEventDeserializer implements KafkaRecordDeserializationSchema<EdgeBatch> {
    private static final long serialVersionUID = 4;
    /** Reason for which a live job refuses a removal. */
    static final String KEEPS_NO_EDGES =
            "the record removes an edge, but this job keeps no edges; submit the job with --keep-edges";

    private final RecordFormat format;
    private final @Nullable String refusalOfRemovals;
    private final boolean removesVertices;

    // Created in open(), which comes before the first record.
    @SuppressWarnings("NullAway.Init")
    private transient EdgeRecordDecoder decoder;

    @SuppressWarnings("NullAway.Init")
    private transient EdgeBatch batch;

    private transient long records;

    /**
     * @param format of the records that name none
     * @param refusalOfRemovals reason for which removals are rejected; null to accept them
     * @param removesVertices whether also removals of vertices are accepted
     */
    EdgeEventDeserializer(RecordFormat format, @Nullable String refusalOfRemovals, boolean removesVertices) {
        this.format = format;
        this.refusalOfRemovals = refusalOfRemovals;
        this.removesVertices = removesVertices;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        decoder = new EdgeRecordDecoder(format, refusalOfRemovals, removesVertices);
        batch = new EdgeBatch();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<EdgeBatch> out) {
        batch.clear();
        try {
            decoder.decode(record, batch);
        } catch (TruncatedTableException e) {
            throw FinalFailure.of(String.valueOf(e.getMessage()));
        }
        batch.setProgress(++records);
        out.collect(batch);
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return GraphTypes.EDGE_BATCH;
    }
}
