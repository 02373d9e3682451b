package io.cutwater.kafka.topic;

/** Operations on a topic that an access control list of the broker allows, under Kafka's names. */
public enum TopicOperation {
    READ,
    WRITE,
    CREATE,
    DESCRIBE,
    DESCRIBE_CONFIGS
}
