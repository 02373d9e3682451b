package io.cutwater.kafka.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Requests to a broker before and around a job. Every method fails within a minute, {@link #connect} within 10 seconds,
 * with a {@link BrokerException} whose message is meant for users.
 */
public final class TopicAdmin implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RETRY_WAIT = Duration.ofMillis(5);
    /** The broker's setting for the longest transaction that it allows. */
    private static final String TRANSACTION_MAX_TIMEOUT = "transaction.max.timeout.ms";

    private final String bootstrapServers;
    private final Admin admin;
    private final AdminAnswers answers;
    private final OffsetAdmin offsets;

    private TopicAdmin(String bootstrapServers, Admin admin) {
        this.bootstrapServers = bootstrapServers;
        this.admin = admin;
        answers = new AdminAnswers(bootstrapServers);
        offsets = new OffsetAdmin(this, admin, answers);
    }

    /**
     * Connects and waits until a broker answers.
     *
     * @param bootstrapServers {@code host:port,…}
     * @param properties further client properties, such as those of TLS
     * @throws BrokerUnavailableException if no broker answers within 10 seconds
     */
    public static TopicAdmin connect(String bootstrapServers, Map<String, ?> properties) {
        return connect(bootstrapServers, properties, CONNECT_TIMEOUT);
    }

    static TopicAdmin connect(String bootstrapServers, Map<String, ?> properties, Duration timeout) {
        Map<String, Object> settings = new HashMap<>(properties);
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        Admin admin;
        try {
            admin = Admin.create(settings);
        } catch (KafkaException e) {
            // Without its cause, whose message would appear in the trace of --debug.
            throw new BrokerUnavailableException(
                    "cannot use the Kafka broker at %s: %s; check --bootstrap-servers and the client properties"
                            .formatted(
                                    bootstrapServers, new SecretValues(properties).hide(AdminAnswers.rootMessage(e))),
                    null);
        }
        TopicAdmin connected = new TopicAdmin(bootstrapServers, admin);
        try {
            connected.awaitBroker(timeout);
            return connected;
        } catch (BrokerException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    private void awaitBroker(Duration timeout) {
        try {
            admin.describeCluster().nodes().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new BrokerUnavailableException(
                    "no Kafka broker answers at %s within %d s; check --bootstrap-servers"
                            .formatted(bootstrapServers, timeout.toSeconds()),
                    e);
        } catch (ExecutionException e) {
            throw new BrokerUnavailableException(
                    "the Kafka broker at %s refuses the connection: %s; check --bootstrap-servers and the client properties"
                            .formatted(bootstrapServers, AdminAnswers.rootMessage(e)),
                    e);
        } catch (InterruptedException e) {
            throw AdminAnswers.interrupted("connecting to " + bootstrapServers, e);
        }
    }

    /** Returns the unique id of the Kafka cluster. */
    public String clusterId() {
        return await("ask for the cluster's id", admin.describeCluster().clusterId());
    }

    /** Returns the queries of the offsets of topics. */
    public OffsetAdmin offsets() {
        return offsets;
    }

    /** Returns the queries of what the user may do. */
    public OwnRights rights() {
        return new OwnRights(admin, answers);
    }

    /**
     * Creates missing topics, with the broker's default replication factor, and returns once they can be used; existing
     * ones stay unchanged.
     */
    public void ensure(TopicSpec... specs) {
        ensure(List.of(specs));
    }

    /** Creates missing topics of a list, see {@link #ensure(TopicSpec...)}. */
    public void ensure(List<TopicSpec> specs) {
        List<TopicSpec> missing = new ArrayList<>(specs);
        Set<String> existing = await("list the topics", admin.listTopics().names());
        missing.removeIf(spec -> existing.contains(spec.name()));
        Map<String, KafkaFuture<Void>> created = admin.createTopics(
                        missing.stream().map(TopicSpec::toNewTopic).toList())
                .values();
        created.forEach((topic, future) -> {
            try {
                await("create topic " + topic, future);
            } catch (BrokerException e) {
                // Another run may have created it since the list was read.
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
            awaitLeaders(topic);
        });
    }

    // The controller creates a topic before the brokers know of it, and they know of it before they lead its
    // partitions.
    private void awaitLeaders(String topic) {
        long start = System.nanoTime();
        while (true) {
            try {
                offsets.committed(topic);
                return;
            } catch (TopicMissingException e) {
                if (System.nanoTime() - start > AdminAnswers.TIMEOUT.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_WAIT.toNanos());
            }
        }
    }

    /** Returns whether there is a topic of this name that the user may see. */
    public boolean exists(String topic) {
        return await("list the topics", admin.listTopics().names()).contains(topic);
    }

    /** Returns whether the user may see a topic of this name if there is one. */
    public boolean maySee(String topic) {
        try {
            describe(topic);
            return true;
        } catch (TopicMissingException e) {
            return true;
        } catch (BrokerException e) {
            if (e.getCause() instanceof TopicAuthorizationException) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Returns the number of topic partitions.
     *
     * @throws TopicMissingException if there is no such topic
     */
    public int partitionCount(String topic) {
        return describe(topic).partitions().size();
    }

    /**
     * Returns the settings of topics, including those inherited from the broker.
     *
     * @return by topic and name
     */
    Map<String, Map<String, String>> settings(Collection<String> topics) {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        Map<String, Map<String, String>> settings = new TreeMap<>();
        await("read the settings of topics", admin.describeConfigs(resources).all())
                .forEach((resource, config) -> {
                    Map<String, String> values = new TreeMap<>();
                    config.entries().forEach(entry -> values.put(entry.name(), String.valueOf(entry.value())));
                    settings.put(resource.name(), values);
                });
        return settings;
    }

    /**
     * Returns the unique id of a topic; a topic created again under the same name has another id.
     *
     * @throws TopicMissingException if there is no such topic
     */
    public String topicId(String topic) {
        return describe(topic).topicId().toString();
    }

    /**
     * Returns the ids of the topic and its cluster.
     *
     * @throws TopicMissingException if there is no such topic
     */
    public TopicIdentity identity(String topic) {
        // Both are requested at once: a job waits for the answer in each of its checkpoints.
        KafkaFuture<String> cluster = admin.describeCluster().clusterId();
        String topicId = topicId(topic);
        return new TopicIdentity(await("ask for the id of the cluster", cluster), topicId);
    }

    private TopicDescription describe(String topic) {
        try {
            return await(
                            "describe topic " + topic,
                            admin.describeTopics(List.of(topic)).allTopicNames())
                    .values()
                    .iterator()
                    .next();
        } catch (BrokerException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof InvalidTopicException) {
                throw new TopicMissingException(
                        "topic %s does not exist at %s; create it, or check --topic and --topic-prefix"
                                .formatted(topic, bootstrapServers),
                        e);
            }
            throw e;
        }
    }

    /**
     * Deletes the first records of topic partitions, as retention does.
     *
     * @param before the first offset that stays, by number of topic partition
     */
    public void deleteRecords(String topic, Map<Integer, Long> before) {
        Map<TopicPartition, RecordsToDelete> request = new HashMap<>();
        before.forEach((p, offset) -> request.put(new TopicPartition(topic, p), RecordsToDelete.beforeOffset(offset)));
        await("delete records of topic " + topic, admin.deleteRecords(request).all());
    }

    /** Returns the longest transaction that the broker allows, in milliseconds. */
    public long transactionMaxTimeoutMillis() {
        Node broker = await("list the brokers", admin.describeCluster().nodes())
                .iterator()
                .next();
        ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
        return Long.parseLong(await(
                        "read the broker's settings",
                        admin.describeConfigs(List.of(resource)).all())
                .values()
                .iterator()
                .next()
                .get(TRANSACTION_MAX_TIMEOUT)
                .value());
    }

    @Override
    public void close() {
        admin.close(CONNECT_TIMEOUT);
    }

    private <T> T await(String work, KafkaFuture<T> future) {
        return answers.await(work, future);
    }
}
