package io.cutwater.format.json;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import org.jspecify.annotations.Nullable;

/**
 * The report of one run: {@code report.json} and topic {@code quality}; see {@link ReportJson}.
 *
 * @param algorithm its name on the command line
 * @param seed of the partitioner
 * @param seconds wall time of the run, finite and at least 0
 * @param startUpSeconds part of {@code seconds} before the first edge was read, such as Flink's start; at least 0
 * @param peakMemoryBytes largest memory of the process, at least 0
 * @param unknownRemovals the number of removals of edges that did not exist, at least 0
 * @param shardTopicPartitions partitions of topic {@code shards} that the job writes to: shard s goes to partition s
 *     mod this number. It is fixed when the job begins. 0 if the shards are in no topic, or if an earlier build made
 *     the report
 * @param training distribution of the training vertices; null if they are unknown
 * @param coverage the number of vertices with features and labels; null without vertex data
 */
public record RunReport(
        String algorithm,
        long seed,
        Quality quality,
        double seconds,
        double startUpSeconds,
        long peakMemoryBytes,
        long unknownRemovals,
        int shardTopicPartitions,
        @Nullable TrainingQuality training,
        @Nullable VertexCoverage coverage) {
    public RunReport {
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("seconds must be finite and at least 0: " + seconds);
        }
        if (!(startUpSeconds >= 0 && startUpSeconds <= seconds)) {
            throw new IllegalArgumentException(
                    "startUpSeconds must be at least 0 and at most %s: %s".formatted(seconds, startUpSeconds));
        }
        if (training != null && training.perPartition().size() != quality.partitions()) {
            throw new IllegalArgumentException(
                    "there must be a count of training vertices for each of %d partitions: %d"
                            .formatted(
                                    quality.partitions(),
                                    training.perPartition().size()));
        }
        if (unknownRemovals < 0) {
            throw new IllegalArgumentException("unknownRemovals must be at least 0: " + unknownRemovals);
        }
        if (shardTopicPartitions < 0) {
            throw new IllegalArgumentException("shardTopicPartitions must be at least 0: " + shardTopicPartitions);
        }
        if (peakMemoryBytes < 0) {
            throw new IllegalArgumentException("peakMemoryBytes must be at least 0: " + peakMemoryBytes);
        }
    }

    /** Creates a report without start-up, removals and training vertices. */
    public RunReport(String algorithm, long seed, Quality quality, double seconds, long peakMemoryBytes) {
        this(algorithm, seed, quality, seconds, 0, peakMemoryBytes, 0, 0, null, null);
    }

    /** Returns a copy with this part of the time as start-up; at most {@link #seconds}. */
    public RunReport withStartUp(double startUpSeconds) {
        return with(startUpSeconds, unknownRemovals, shardTopicPartitions, training, coverage);
    }

    /** Returns a copy with this distribution of training vertices. */
    public RunReport withTraining(@Nullable TrainingQuality training) {
        return with(startUpSeconds, unknownRemovals, shardTopicPartitions, training, coverage);
    }

    /** Returns a copy with this coverage of features and labels. */
    public RunReport withCoverage(@Nullable VertexCoverage coverage) {
        return with(startUpSeconds, unknownRemovals, shardTopicPartitions, training, coverage);
    }

    /** Returns a copy with this number of removals of edges that did not exist. */
    public RunReport withUnknownRemovals(long unknownRemovals) {
        return with(startUpSeconds, unknownRemovals, shardTopicPartitions, training, coverage);
    }

    /** Returns a copy with this number of shard topic partitions. */
    public RunReport withShardTopicPartitions(int shardTopicPartitions) {
        return with(startUpSeconds, unknownRemovals, shardTopicPartitions, training, coverage);
    }

    private RunReport with(
            double startUpSeconds,
            long unknownRemovals,
            int shardTopicPartitions,
            @Nullable TrainingQuality training,
            @Nullable VertexCoverage coverage) {
        return new RunReport(
                algorithm,
                seed,
                quality,
                seconds,
                startUpSeconds,
                peakMemoryBytes,
                unknownRemovals,
                shardTopicPartitions,
                training,
                coverage);
    }

    public PartitioningKind kind() {
        return quality.kind();
    }

    /** Returns the rate without start-up; 0 if no time has passed, or so little that the rate is not finite. */
    public double edgesPerSecond() {
        double working = seconds - startUpSeconds;
        double rate = working > 0 ? quality.edges() / working : 0;
        return Double.isFinite(rate) ? rate : 0;
    }
}
