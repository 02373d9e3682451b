package io.cutwater.deploy.cdc;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.format.Avro;
import io.debezium.engine.format.JsonByteArray;
import io.debezium.engine.format.SerializationFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the change events of Debezium's embedded engine to topics, as a connector of Kafka Connect does: each event at
 * least once, and those of a row in their order. It runs until it is terminated.
 *
 * <p>Its argument is a file with the properties of the engine, and with {@value #SERVERS} for the producer.
 */
public final class ChangeFeed implements DebeziumEngine.ChangeConsumer<ChangeEvent<byte[], byte[]>> {
    private static final String SERVERS = "bootstrap.servers";

    private final Producer<byte[], byte[]> producer;

    private ChangeFeed(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    public static void main(String[] arguments) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
            properties.load(in);
        }
        String servers = (String) properties.remove(SERVERS);
        boolean[] failed = new boolean[1];
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of(SERVERS, servers, ProducerConfig.LINGER_MS_CONFIG, 5, ProducerConfig.ACKS_CONFIG, "all"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                DebeziumEngine<ChangeEvent<byte[], byte[]>> engine = DebeziumEngine.create(format(properties))
                        .using(properties)
                        .using((isSuccess, message, error) -> {
                            failed[0] = !isSuccess;
                            System.out.println("the engine has ended: " + message);
                            if (error != null) {
                                error.printStackTrace();
                            }
                        })
                        .notifying(new ChangeFeed(producer))
                        .build()) {
            engine.run();
        }
        System.exit(failed[0] ? 1 : 0);
    }

    /** Returns the format of records: JSON, or Avro if the properties name a converter. */
    private static Class<? extends SerializationFormat<byte[]>> format(Properties properties) {
        return properties.containsKey("converter.class") ? Avro.class : JsonByteArray.class;
    }

    @Override
    public boolean supportsTombstoneEvents() {
        return true;
    }

    @Override
    public void handleBatch(
            List<ChangeEvent<byte[], byte[]>> events, RecordCommitter<ChangeEvent<byte[], byte[]>> committer)
            throws InterruptedException {
        List<Future<?>> sent = new ArrayList<>();
        for (ChangeEvent<byte[], byte[]> event : events) {
            sent.add(producer.send(new ProducerRecord<>(event.destination(), event.key(), event.value())));
        }
        for (int i = 0; i < sent.size(); i++) {
            try {
                sent.get(i).get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("an event cannot be written to Kafka", e.getCause());
            }
            committer.markProcessed(events.get(i));
        }
        committer.markBatchFinished();
    }
}
