package io.cutwater.kafka.reader;

import org.jspecify.annotations.Nullable;

/**
 * The position of a reader in a topic partition.
 *
 * @param topicPartition its number
 * @param offset of the next record to read, at least 0
 * @param last the last record before it; null if none was read, or if it is unknown
 */
public record ReadPlace(
        int topicPartition, long offset, @Nullable ReadMark last) {}
