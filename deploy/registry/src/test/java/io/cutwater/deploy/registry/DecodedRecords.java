package io.cutwater.deploy.registry;

import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.graph.EdgeBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** The records of one topic, decoded one after the other. */
final class DecodedRecords {
    private final String topic;
    private final RecordFormat format;
    private final EdgeEventDecoder decoder;
    private final EdgeBatch batch = new EdgeBatch();

    /** @param more options beside those of the mapping, with their values in turn */
    DecodedRecords(String topic, String format, String url, String source, String target, String... more) {
        this.topic = topic;
        Map<String, String> options = new HashMap<>(
                Map.of("event-format", format, "schema-registry", url, "source", source, "target", target));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        this.format = RecordFormatOptions.parse(options);
        decoder = this.format.decoder(null);
    }

    /** Checks the fields against the newest schema of the topic. */
    void check() {
        format.check(topic);
    }

    void decode(Headers headers, byte... value) {
        decoder.decode(
                new ConsumerRecord<>(
                        topic,
                        0,
                        17,
                        0,
                        TimestampType.CREATE_TIME,
                        -1,
                        value.length,
                        null,
                        value,
                        headers,
                        Optional.empty()),
                batch);
    }

    void decode(byte... value) {
        decode(new RecordHeaders(), value);
    }

    void decode(PaymentRecord payment) {
        decode(payment.headers(), payment.value());
    }

    /** Returns the edges and the rejected records so far. */
    EdgeBatch batch() {
        return batch;
    }
}
