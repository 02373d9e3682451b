package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.output.TopicOutputOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a partitioning job writes.
 *
 * @param staging staging area of the output folder; null for none
 * @param topics Kafka output; null for none
 * @param liveReport file that holds the latest report; null for none
 */
public record JobOutput(
        @Nullable Path staging,
        @Nullable TopicOutputOptions topics,
        @Nullable Path liveReport) {}
