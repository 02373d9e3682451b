package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.client.ClientSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** What was written to a topic: the edges that its shards must have, and the reasons of its dead letters. */
final class SentPayments {
    private static final String MAX_BYTES = Integer.toString(4 << 20);

    private final String servers;
    private final String topic;
    private final List<String> edges = new ArrayList<>();
    private final Map<String, String> reasons = new TreeMap<>();

    /** Creates a topic of two partitions that accepts records of more than 1 MiB. */
    SentPayments(String servers, String topic) throws Exception {
        this.servers = servers;
        this.topic = topic;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            NewTopic created = new NewTopic(topic, 2, (short) 1).configs(Map.of("max.message.bytes", MAX_BYTES));
            admin.createTopics(List.of(created)).all().get();
        }
    }

    /** Writes records, from the first to the last. */
    void send(List<PaymentRecord> payments) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                ClientSettings.producer(servers, Map.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_BYTES)))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (PaymentRecord payment : payments) {
                sent.add(producer.send(new ProducerRecord<byte[], byte[]>(
                        topic, (Integer) null, (byte[]) null, payment.value(), payment.headers())));
            }
            for (int i = 0; i < payments.size(); i++) {
                PaymentRecord payment = payments.get(i);
                RecordMetadata at = sent.get(i).get();
                if (payment.reason() == null) {
                    edges.add(payment.edge());
                } else {
                    reasons.put(at.partition() + " " + at.offset(), payment.reason());
                }
            }
        }
    }

    /** Returns the lines {@code u v} of the edges, sorted. */
    List<String> edges() {
        return edges.stream().sorted().toList();
    }

    /** Writes the edges to a file. */
    Path write(Path file) throws IOException {
        return Files.write(file, edges);
    }

    /**
     * Checks dead letters.
     *
     * @param letters reasons by topic partition and offset
     */
    void assertDeadLetters(Map<String, String> letters) {
        assertThat(letters.keySet()).as(letters.toString()).isEqualTo(reasons.keySet());
        reasons.forEach((place, reason) ->
                assertThat(letters.get(place)).as("%s at %s", reason, place).matches("(?s).*" + reason + ".*"));
    }
}
