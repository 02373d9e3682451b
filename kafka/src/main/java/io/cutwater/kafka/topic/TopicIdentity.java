package io.cutwater.kafka.topic;

/**
 * Distinguishes a topic from another one of the same name: one that was created after it was deleted, or one of another
 * cluster.
 *
 * @param clusterId of the Kafka cluster
 * @param topicId that the cluster gave the topic when it was created
 */
public record TopicIdentity(String clusterId, String topicId) {}
