package io.cutwater.kafka.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Marks on topic {@code runs} whether the bounded run that writes a graph's shards has completed: a failed run leaves
 * shards that look complete. Readers of the shards call {@link #require}. The mark holds for one shards topic, by its
 * id: a topic that is deleted and created again has no mark, and neither has that of a live job.
 */
public final class BoundedRunMark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;
    private static final byte[] KEY = "bounded".getBytes(StandardCharsets.UTF_8);
    private static final String COMPLETE = "complete";
    private static final String RUNNING = "running";

    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final Topics topics;

    /** @param properties further client properties, such as those of TLS */
    public BoundedRunMark(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
        this.topics = topics;
    }

    /**
     * Marks the run as running; call it before its first record.
     *
     * @throws BrokerException if the mark cannot be written
     */
    public void begin() {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.spec(topics.runs(), 1));
        }
        write(RUNNING, "");
    }

    /** Marks the run as complete; call it when everything is committed. */
    public void complete() {
        write(COMPLETE, "");
    }

    /**
     * Marks the run as failed.
     *
     * @param reason why the shards are incomplete, as a clause
     */
    public void fail(String reason) {
        write("failed", reason);
    }

    /**
     * Removes the mark; call it before a live job writes these topics, in which an earlier run has committed nothing.
     */
    public void clear() {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.partitionCount(topics.runs());
        } catch (TopicMissingException e) {
            return;
        }
        complete();
    }

    /**
     * Rejects shards of a run that is not complete.
     *
     * @throws IncompleteRunException if there is such a run, or a later build wrote the mark
     * @throws BrokerException if the broker does not answer
     */
    public void require(TopicAdmin admin) {
        try {
            admin.partitionCount(topics.runs());
            require(admin.topicId(topics.shards()));
        } catch (TopicMissingException e) {
            // no bounded run, or no shards yet
        }
    }

    private void require(String shards) {
        JsonNode mark = last();
        if (mark == null || !mark.path("shards").asText().equals(shards)) {
            return;
        }
        if (mark.path("version").asInt() > VERSION) {
            throw new IncompleteRunException(
                    "topic %s was written by a later build, whose mark this one cannot read; use that build"
                            .formatted(topics.runs()),
                    false);
        }
        String state = mark.path("state").asText();
        if (state.equals(COMPLETE)) {
            return;
        }
        boolean mayEnd = state.equals(RUNNING);
        throw new IncompleteRunException(
                "topic %s holds the shards of a `partition --publish` that %s; %s"
                        .formatted(
                                topics.shards(),
                                mayEnd
                                        ? "has not come to its end: it runs still, or was killed"
                                        : "failed: " + mark.path("reason").asText(),
                                mayEnd
                                        ? "wait for its end, or delete topics %s and %s and publish again"
                                                .formatted(topics.shards(), topics.partitionBook())
                                        : "delete topics %s and %s and publish again"
                                                .formatted(topics.shards(), topics.partitionBook())),
                mayEnd);
    }

    private @Nullable JsonNode last() {
        byte[][] last = new byte[1][];
        new TopicReader(bootstrapServers, properties).readAll(topics.runs(), record -> last[0] = record.value());
        if (last[0] == null) {
            return null;
        }
        try {
            return JSON.readTree(last[0]);
        } catch (IOException e) {
            throw new BrokerException(
                    "topic %s does not end with the mark of a run; check --topic-prefix".formatted(topics.runs()), e);
        }
    }

    private void write(String state, String reason) {
        String shards;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            shards = admin.topicId(topics.shards());
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(bootstrapServers, properties))) {
            byte[] value = JSON.writeValueAsBytes(JSON.createObjectNode()
                    .put("version", VERSION)
                    .put("state", state)
                    .put("shards", shards)
                    .put("reason", reason));
            producer.send(new ProducerRecord<>(topics.runs(), KEY, value)).get();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (KafkaException | ExecutionException e) {
            throw new BrokerException(
                    "cannot write to topic %s at %s: %s".formatted(topics.runs(), bootstrapServers, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException("interrupted while writing to topic " + topics.runs(), e);
        }
    }
}
