package io.cutwater.kafka.topic;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What the broker allows the user of a connection. Nothing is changed, and the user needs no right to list access
 * control lists. A broker without an authorizer allows everything.
 */
public final class OwnRights {
    private final Admin admin;
    private final AdminAnswers answers;

    OwnRights(Admin admin, AdminAnswers answers) {
        this.admin = admin;
        this.answers = answers;
    }

    /**
     * Returns the operations that the user may do with topics.
     *
     * @return by topic; without those that do not exist, as far as the user may know that, and with no operations if
     *     the user may not even describe the topic
     * @throws BrokerException if the broker does not answer
     */
    public Map<String, Set<TopicOperation>> ofTopics(Collection<String> topics) {
        Map<String, Set<TopicOperation>> rights = new TreeMap<>();
        Map<String, KafkaFuture<TopicDescription>> described = admin.describeTopics(
                        topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        described.forEach((topic, future) -> {
            try {
                Set<AclOperation> allowed =
                        answers.await("describe topic " + topic, future).authorizedOperations();
                // Brokers before 2.3 do not say it.
                Set<TopicOperation> operations = EnumSet.allOf(TopicOperation.class);
                if (allowed != null) {
                    operations.removeIf(operation -> !allowed.contains(AclOperation.valueOf(operation.name())));
                }
                rights.put(topic, operations);
            } catch (BrokerException e) {
                if (e.isDenied()) {
                    rights.put(topic, Set.of());
                } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        });
        return rights;
    }

    /**
     * Asks whether the user may create a topic that does not exist, with its settings; creates none.
     *
     * @return the broker's reason why not; empty if the user may
     * @throws BrokerException if the broker does not answer
     */
    public Optional<String> refusalToCreate(TopicSpec spec) {
        try {
            answers.await(
                    "create topic " + spec.name(),
                    admin.createTopics(List.of(spec.toNewTopic()), new CreateTopicsOptions().validateOnly(true))
                            .all());
            return Optional.empty();
        } catch (BrokerException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return Optional.empty();
            }
            if (e instanceof BrokerUnavailableException || e.getCause() == null) {
                throw e;
            }
            return Optional.of(AdminAnswers.rootMessage(e.getCause()));
        }
    }

    /**
     * Returns whether the user may describe a transactional id. Who may not may not write with it either; whether who
     * may can write with it shows when a producer begins.
     *
     * @param id need not exist
     * @throws BrokerException if the broker does not answer
     */
    public boolean mayDescribeTransactions(String id) {
        try {
            answers.await(
                    "describe transactional id " + id,
                    admin.describeTransactions(List.of(id)).description(id));
            return true;
        } catch (BrokerException e) {
            if (e.isDenied()) {
                return false;
            }
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return true;
            }
            throw e;
        }
    }
}
