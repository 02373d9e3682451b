package io.cutwater.deploy.local;

import io.cutwater.flink.operator.SpreadOptions;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.table.DuplicateRule;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one bounded run is asked to do.
 *
 * @param ids text is for files alone
 * @param kind whether edges or vertices are partitioned
 * @param imbalance how far the fullest partition may be above the average, 0.05 for 5 %
 * @param out the output folder
 * @param overwrite whether a complete folder there may be replaced
 * @param maxBad share of records that may be dead letters before the run counts as failed, 0 to 1
 * @param cacheBytes bound of the vertex table's memory, at least 1
 * @param spread over how many tasks, null for the fused path
 * @param viaKafka whether files go through an embedded broker first
 * @param publishes whether the result goes to topics beside the input's, too
 * @param dedupe which edges count as duplicates and are dropped; null: duplicates stay
 * @param vertexFiles what each shard is to know of its vertices; null: nothing
 * @param vertexTopic the same from a topic; null for files or nothing
 * @param allowsMissingFeatures whether vertices may have no row where there are features
 */
public record RunRequest(
        InputRequest input,
        IdKind ids,
        PartitioningKind kind,
        PartitionerOptions partitioner,
        double imbalance,
        Path out,
        boolean overwrite,
        TableFormat format,
        double maxBad,
        long cacheBytes,
        @Nullable SpreadOptions spread,
        Duration checkpointInterval,
        boolean viaKafka,
        boolean publishes,
        @Nullable DuplicateRule dedupe,
        @Nullable VertexFiles vertexFiles,
        @Nullable VertexTopic vertexTopic,
        boolean allowsMissingFeatures) {
    /**
     * The same with what the topic said in a file.
     *
     * @param training the vertices that are to be spread, null for none
     */
    RunRequest withVertices(VertexFiles files, @Nullable TrainingVertices training) {
        return new RunRequest(
                input,
                ids,
                kind,
                partitioner.withTraining(training),
                imbalance,
                out,
                overwrite,
                format,
                maxBad,
                cacheBytes,
                spread,
                checkpointInterval,
                viaKafka,
                publishes,
                dedupe,
                files,
                null,
                allowsMissingFeatures);
    }
}
