package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Writes removals of vertices to topic {@code edges}, as a producer of a user does. No attempt leaves a record behind
 * the next one, because all have the same transactional id.
 */
final class VertexRemovals {
    private static final String PATIENCE_MILLIS = "5000";

    private final CampaignCluster cluster;
    private final Topics topics;

    VertexRemovals(CampaignCluster cluster, Topics topics) {
        this.cluster = cluster;
        this.topics = topics;
    }

    /** Returns whether all of them are in the topic, once; otherwise call it again. */
    boolean send(List<Long> vertices) {
        if (vertices.isEmpty()) {
            return true;
        }
        Map<String, Object> settings = new HashMap<>(ClientSettings.producer(cluster.servers(), Map.of()));
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + "vertex-removals");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings);
        try {
            producer.initTransactions();
            producer.beginTransaction();
            for (long vertex : vertices) {
                producer.send(removal(vertex));
            }
            producer.commitTransaction();
            cluster.log("removed %d vertices".formatted(vertices.size()));
            return true;
        } catch (KafkaException e) {
            cluster.log("removals of vertices: " + e.getMessage());
            return false;
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private ProducerRecord<byte[], byte[]> removal(long vertex) {
        byte[] value = "{\"op\":\"remove\",\"vertex\":%d}".formatted(vertex).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.edges(), value);
        record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
        return record;
    }
}
