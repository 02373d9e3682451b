package io.cutwater.kafka.topic;

/**
 * Tells a topic from another one of the same name: one that was made when it was deleted, or one of another cluster.
 *
 * @param clusterId of the Kafka cluster
 * @param topicId that the cluster gave the topic when it was made
 */
public record TopicIdentity(String clusterId, String topicId) {}
