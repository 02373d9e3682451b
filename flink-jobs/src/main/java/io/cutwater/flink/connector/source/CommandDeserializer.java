package io.cutwater.flink.connector.source;

import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.command.JobCommandJson;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes one record of topic {@code commands}. */
final class CommandDeserializer implements KafkaRecordDeserializationSchema<CommandEvent> {
    private static final long serialVersionUID = 1;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<CommandEvent> out) {
        out.collect(event(record));
    }

    static CommandEvent event(ConsumerRecord<byte[], byte[]> record) {
        try {
            return new CommandEvent(JobCommandJson.read(record.value() == null ? new byte[0] : record.value()), null);
        } catch (IllegalArgumentException e) {
            return new CommandEvent(null, DeadLetterRecords.rejected(record, e));
        }
    }

    @Override
    public TypeInformation<CommandEvent> getProducedType() {
        return CommandEvent.TYPE;
    }
}
