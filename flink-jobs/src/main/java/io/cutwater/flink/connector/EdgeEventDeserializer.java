package io.cutwater.flink.connector;

import io.cutwater.flink.stream.StreamType;
import io.cutwater.kafka.record.EdgeEventDecoder;
import io.cutwater.kafka.record.EdgeEventFormat;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * One topic record, as a batch of the edges in it. The batch is used again for the next record: the operator behind it
 * is in the same chain and takes the edges out at once.
 */
final class EdgeEventDeserializer implements KafkaRecordDeserializationSchema<EdgeBatch> {
    private static final long serialVersionUID = 1;
    private static final String NO_REMOVALS =
            "the record takes an edge away, and this job does not keep its edges; submit it with --keep-edges";

    private final EdgeEventFormat format;
    private final boolean takesRemovals;

    // Made in open(), which comes before the first record.
    @SuppressWarnings("NullAway.Init")
    private transient EdgeEventDecoder decoder;

    @SuppressWarnings("NullAway.Init")
    private transient EdgeBatch batch;

    private transient long records;

    /** @param takesRemovals whether edges may be taken away; a record that does is rejected otherwise */
    EdgeEventDeserializer(EdgeEventFormat format, boolean takesRemovals) {
        this.format = format;
        this.takesRemovals = takesRemovals;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        decoder = takesRemovals ? format.decoder() : format.decoderRefusingRemovals(NO_REMOVALS);
        batch = new EdgeBatch();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<EdgeBatch> out) {
        batch.clear();
        decoder.decode(record.topic(), record.partition(), record.offset(), record.key(), record.value(), batch);
        batch.setProgress(++records);
        out.collect(batch);
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return StreamType.EDGE_BATCH;
    }
}
