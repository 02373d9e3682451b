package io.cutwater.kafka.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Determines which job owns a set of topics. Each submission of a job has its own id and claims the topics once, with
 * an epoch above all others that it finds. The claim with the highest epoch counts, and of two with the same epoch the
 * one with the higher id. So several tasks of one submission may claim concurrently, and compaction, which keeps one
 * claim per id, does not change the owner.
 *
 * <p>Not thread-safe.
 */
public final class JobOwnership implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final String topic;
    private final String id;
    private final String job;
    private final TopicAdmin admin;
    private Map<Integer, Long> read = Map.of();
    private @Nullable Owner owner;
    private boolean hasClaimed;

    /**
     * A claim on the topics.
     *
     * @param id of the submission
     * @param epoch above those of all claims known to it
     * @param job id of the job in Flink's cluster
     * @param since the time of day on its machine
     */
    public record Owner(String id, long epoch, String job, String since) {
        boolean isAbove(@Nullable Owner other) {
            return other == null || epoch > other.epoch || epoch == other.epoch && id.compareTo(other.id) > 0;
        }
    }

    /**
     * Connects to the topic.
     *
     * @param properties further client properties, such as those of TLS
     * @param topic with one topic partition
     * @param id of this submission, the same in all of its attempts and tasks
     * @param job id of the job in Flink's cluster, for the errors of others
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public JobOwnership(String bootstrapServers, Map<String, ?> properties, String topic, String id, String job) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topic = topic;
        this.id = id;
        this.job = job;
        admin = TopicAdmin.connect(bootstrapServers, properties);
    }

    /**
     * Returns the owner of the topics; this submission claims them if it never has.
     *
     * @return null if it is this submission
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public @Nullable Owner otherOwner() {
        readOn();
        if (!hasClaimed) {
            claim();
            readOn();
        }
        Owner now = owner;
        return now == null || now.id().equals(id) ? null : now;
    }

    /**
     * Returns the claim that counts, without making one; null if no job has claimed the topics.
     *
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public @Nullable Owner lastClaim() {
        readOn();
        return owner;
    }

    private void readOn() {
        Map<Integer, Long> ends = admin.offsets().written(topic);
        if (!ends.equals(read)) {
            // From the beginning: a topic that was created again has lost the claims.
            owner = null;
            hasClaimed = false;
            new TopicReader(bootstrapServers, properties).readAll(topic, this::take);
            read = ends;
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        if (value == null) {
            return;
        }
        Owner claim = decode(value, record.offset());
        hasClaimed |= claim.id().equals(id);
        if (claim.isAbove(owner)) {
            owner = claim;
        }
    }

    private Owner decode(byte[] value, long offset) {
        try {
            JsonNode json = JSON.readTree(value);
            if (json.path("version").asInt() == VERSION && json.hasNonNull("owner") && json.hasNonNull("epoch")) {
                return new Owner(
                        json.path("owner").asText(),
                        json.path("epoch").asLong(),
                        json.path("job").asText(),
                        json.path("since").asText());
            }
        } catch (IOException e) {
            throw notAClaim(offset, e);
        }
        throw notAClaim(offset, null);
    }

    private BrokerException notAClaim(long offset, @Nullable IOException cause) {
        return new BrokerException(
                "topic %s, offset %d is not a claim of version %d on the topics of a job; only live jobs may write there"
                        .formatted(topic, offset, VERSION),
                cause);
    }

    private void claim() {
        long epoch = owner == null ? 1 : owner.epoch() + 1;
        byte[] value = JSON.createObjectNode()
                .put("version", VERSION)
                .put("owner", id)
                .put("epoch", epoch)
                .put("job", job)
                .put("since", Instant.now().toString())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(bootstrapServers, properties))) {
            producer.send(new ProducerRecord<>(topic, 0, id.getBytes(StandardCharsets.UTF_8), value))
                    .get();
        } catch (ExecutionException e) {
            throw RecordSender.notWritten(topic, bootstrapServers, e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RecordSender.notWritten(topic, bootstrapServers, e);
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topic, bootstrapServers, e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
