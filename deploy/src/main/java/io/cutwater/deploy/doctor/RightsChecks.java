package io.cutwater.deploy.doctor;

import io.cutwater.kafka.topic.OwnRights;
import io.cutwater.kafka.topic.TopicOperation;
import io.cutwater.kafka.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks of what the broker allows the user of a connection, for each process that this user may be meant for. Nothing
 * uses a consumer group, so rights on groups are not needed.
 */
final class RightsChecks {
    static final String RIGHTS = "Rights";
    private static final String TRANSACTIONS = "cutwater-";

    private final OwnRights rights;
    private final String command;
    private final Topics topics;
    private final Map<String, Set<TopicOperation>> allowed;
    private final boolean readsBrokerSettings;

    /**
     * Asks the broker.
     *
     * @param readsBrokerSettings whether the user may read the settings of a broker
     */
    RightsChecks(OwnRights rights, String bootstrapServers, Topics topics, boolean readsBrokerSettings) {
        this.rights = rights;
        this.topics = topics;
        this.readsBrokerSettings = readsBrokerSettings;
        command =
                "run kafka-acls.sh --bootstrap-server %s --add --allow-principal User:NAME".formatted(bootstrapServers);
        Set<String> names = new TreeSet<>();
        for (TopicUser user : TopicUser.values()) {
            user.needs(topics).forEach(need -> names.add(need.topic()));
        }
        allowed = rights.ofTopics(names);
    }

    /** Returns the operations that the user may do with a topic; empty if it does not exist. */
    Optional<Set<TopicOperation>> allowed(String topic) {
        return Optional.ofNullable(allowed.get(topic));
    }

    /** Returns the findings: warnings if the user suffices for one of the processes, otherwise failures. */
    List<Finding> findings() {
        Map<TopicUser, List<Finding>> lacks = new LinkedHashMap<>();
        for (TopicUser user : TopicUser.values()) {
            lacks.put(user, lacks(user));
        }
        boolean suffices = lacks.values().stream().anyMatch(List::isEmpty);
        List<Finding> findings = new ArrayList<>();
        lacks.forEach((user, missing) -> {
            if (missing.isEmpty()) {
                findings.add(Finding.ok(RIGHTS, sufficient(user)));
            }
            for (Finding each : missing) {
                findings.add(suffices ? Finding.warning(RIGHTS, each.text(), each.advice()) : each);
            }
        });
        return findings;
    }

    private String sufficient(TopicUser user) {
        String text = "the user may do what a %s does with the topics".formatted(user.word());
        List<String> without = new ArrayList<>();
        for (TopicUser.Need need : user.needs(topics)) {
            if (!need.condition().isEmpty() && !missing(need).isEmpty()) {
                without.add("; %s also needs %s on %s"
                        .formatted(need.condition(), words(missing(need), ", "), need.topic()));
            }
        }
        return text + String.join("", without);
    }

    private Set<TopicOperation> missing(TopicUser.Need need) {
        Set<TopicOperation> given = allowed.get(need.topic());
        if (given == null) {
            return Set.of();
        }
        Set<TopicOperation> missing = EnumSet.copyOf(need.operations());
        missing.removeAll(given);
        return missing;
    }

    private List<Finding> lacks(TopicUser user) {
        Map<Set<TopicOperation>, List<String>> missing = new LinkedHashMap<>();
        Map<String, List<String>> notCreated = new LinkedHashMap<>();
        for (TopicUser.Need need : user.needs(topics)) {
            if (!need.condition().isEmpty()) {
                continue;
            }
            if (!allowed.containsKey(need.topic())) {
                if (need.creates()) {
                    rights.refusalToCreate(topics.spec(need.topic(), 1))
                            .ifPresent(reason -> notCreated
                                    .computeIfAbsent(reason, absent -> new ArrayList<>())
                                    .add(need.topic()));
                }
            } else if (!missing(need).isEmpty()) {
                missing.computeIfAbsent(missing(need), absent -> new ArrayList<>())
                        .add(need.topic());
            }
        }
        List<Finding> findings = new ArrayList<>();
        missing.forEach((operations, names) -> findings.add(Finding.failed(
                RIGHTS,
                "as %s the user lacks %s on topics %s"
                        .formatted(user.word(), words(operations, ", "), String.join(", ", names)),
                grant(operations) + options("--topic", names))));
        notCreated.forEach((reason, names) -> findings.add(Finding.failed(
                RIGHTS,
                "topics %s do not exist, and as %s the user may not CREATE them: %s"
                        .formatted(String.join(", ", names), user.word(), reason),
                "create them, or " + grant(Set.of(TopicOperation.CREATE)) + options("--topic", names))));
        if (user == TopicUser.JOB) {
            addRightsOfWriters(findings);
        }
        return findings;
    }

    private void addRightsOfWriters(List<Finding> findings) {
        if (!readsBrokerSettings) {
            findings.add(Finding.failed(
                    RIGHTS,
                    "as job the user lacks DESCRIBE_CONFIGS on the cluster, for the longest transaction",
                    grant(Set.of(TopicOperation.DESCRIBE_CONFIGS)) + " --cluster"));
        }
        if (!rights.mayDescribeTransactions(TRANSACTIONS + "doctor")) {
            findings.add(Finding.failed(
                    RIGHTS,
                    "as job the user lacks DESCRIBE and WRITE on transactional ids that begin with " + TRANSACTIONS,
                    grant(EnumSet.of(TopicOperation.DESCRIBE, TopicOperation.WRITE))
                            + " --resource-pattern-type prefixed --transactional-id " + TRANSACTIONS));
        }
    }

    private String grant(Set<TopicOperation> operations) {
        return command + options("--operation", operations);
    }

    private static String options(String option, Collection<?> values) {
        return values.stream().map(value -> " " + option + " " + value).collect(Collectors.joining());
    }

    private static String words(Set<TopicOperation> operations, String separator) {
        return operations.stream().map(TopicOperation::name).collect(Collectors.joining(separator));
    }
}
