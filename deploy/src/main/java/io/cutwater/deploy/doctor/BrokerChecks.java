package io.cutwater.deploy.doctor;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicOperation;
import io.cutwater.kafka.topic.TopicSettings;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Checks of the Kafka brokers, and of the topics of a graph as far as they exist. */
public final class BrokerChecks {
    private static final String BROKER = "Kafka";
    private static final String TOPICS = "Topics";
    /** How long a stopped job keeps its open transactions. */
    private static final Duration TRANSACTION = Duration.ofHours(1);

    private BrokerChecks() {}

    /**
     * Asks the brokers.
     *
     * @param properties further client properties, such as those of TLS
     */
    public static List<Finding> all(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        List<Finding> findings = new ArrayList<>();
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            findings.add(Finding.ok(BROKER, "a broker answers at " + bootstrapServers));
            OptionalLong longest = longestTransaction(admin);
            longest.ifPresent(millis -> findings.add(transactions(millis)));
            RightsChecks rights = new RightsChecks(admin.rights(), bootstrapServers, topics, longest.isPresent());
            findings.addAll(rights.findings());
            findings.addAll(topics(admin, bootstrapServers, topics, rights));
        } catch (BrokerException e) {
            findings.add(Finding.failed(
                    BROKER, String.valueOf(e.getMessage()), "check --bootstrap-servers and --kafka-properties"));
        }
        return findings;
    }

    /** Returns the longest transaction in milliseconds; empty if the user may not ask for it. */
    private static OptionalLong longestTransaction(TopicAdmin admin) {
        try {
            return OptionalLong.of(admin.transactionMaxTimeoutMillis());
        } catch (BrokerException e) {
            if (e.isDenied()) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /** Returns the finding about the longest transaction that a broker allows. */
    static Finding transactions(long millis) {
        String text = "the broker allows transactions of %d s".formatted(millis / 1000);
        return millis < TRANSACTION.toMillis()
                ? Finding.warning(
                        BROKER,
                        text,
                        "a job that is down for longer loses what it has not committed; set transaction.max.timeout.ms of the broker to an hour or more")
                : Finding.ok(BROKER, text);
    }

    private static List<Finding> topics(TopicAdmin admin, String bootstrapServers, Topics topics, RightsChecks rights) {
        List<TopicSpec> specs = new ArrayList<>(topics.outputs(1));
        specs.addAll(topics.control());
        specs.add(topics.spec(topics.vertices(), 1));
        specs.add(topics.texts());
        // Cutwater creates the missing ones, with the settings that it needs.
        List<TopicSpec> existing = specs.stream()
                .filter(spec -> rights.allowed(spec.name())
                        .filter(operations -> operations.contains(TopicOperation.DESCRIBE_CONFIGS))
                        .isPresent())
                .toList();
        List<Finding> findings = new ArrayList<>();
        TopicSettings settings = new TopicSettings(admin, bootstrapServers);
        settings.warnings(existing)
                .forEach(warning -> findings.add(Finding.warning(TOPICS, before(warning), after(warning))));
        try {
            settings.requireWritable(existing);
        } catch (BrokerException e) {
            String message = String.valueOf(e.getMessage());
            findings.add(Finding.failed(TOPICS, before(message), after(message)));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    TOPICS,
                    "the settings of %d topics with prefix '%s' lose nothing; %d more do not exist, or cannot be seen"
                            .formatted(existing.size(), topics.prefix(), specs.size() - existing.size())));
        }
        return findings;
    }

    /** Messages about settings end with the command that changes them. */
    private static String before(String message) {
        int command = message.lastIndexOf("; run ");
        return command < 0 ? message : message.substring(0, command);
    }

    private static String after(String message) {
        int command = message.lastIndexOf("; run ");
        return command < 0 ? "" : message.substring(command + 2);
    }
}
