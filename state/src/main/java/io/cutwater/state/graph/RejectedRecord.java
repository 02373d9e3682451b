package io.cutwater.state.graph;

import org.jspecify.annotations.Nullable;

/**
 * A record of the input that is not an edge: a dead letter with its reason and origin.
 *
 * @param reason one sentence: what is wrong with it
 * @param origin the file's path or the topic's name
 * @param topicPartition the topic partition, or -1 for a file
 * @param offset the Kafka offset, or the 1-based line (row) of the file
 * @param key the record's key, null where it has none
 * @param value the record's bytes as they came
 */
public record RejectedRecord(
        String reason, String origin, int topicPartition, long offset, byte @Nullable [] key, byte[] value) {}
