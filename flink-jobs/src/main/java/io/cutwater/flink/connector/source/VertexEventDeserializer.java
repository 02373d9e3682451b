package io.cutwater.flink.connector.source;

import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.client.RecordLimits;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes one record of topic {@code vertices}; JSON is converted to the binary format. */
final class VertexEventDeserializer implements KafkaRecordDeserializationSchema<VertexEvent> {
    private static final long serialVersionUID = 1;

    // Created in open(), which comes before the first record.
    @SuppressWarnings("NullAway.Init")
    private transient VertexRecordCodec codec;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        codec = new VertexRecordCodec();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<VertexEvent> out) {
        out.collect(event(record));
    }

    VertexEvent event(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.value() == null) {
                return new VertexEvent(codec.vertex(record.key(), null), null, null);
            }
            VertexRecord vertex = codec.decode(record.key(), record.value());
            byte[] data = VertexRecordCodec.value(vertex);
            RecordLimits.requireVertexFits(vertex.vertex(), data);
            return new VertexEvent(vertex.vertex(), data, null);
        } catch (IllegalArgumentException e) {
            return new VertexEvent(0, null, DeadLetterRecords.rejected(record, e));
        }
    }

    @Override
    public TypeInformation<VertexEvent> getProducedType() {
        return VertexEvent.TYPE;
    }
}
