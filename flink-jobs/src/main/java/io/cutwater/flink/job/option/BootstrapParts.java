package io.cutwater.flink.job.option;

import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.GraphPart;
import org.apache.flink.configuration.ConfigOption;
import org.jspecify.annotations.Nullable;

/**
 * In how many parts a history is placed: of threads in one task, or of tasks. Its places depend on their number.
 *
 * @param threads of the task that reads the history
 * @param tasks that read it, 1 if there are several threads
 */
record BootstrapParts(int threads, int tasks) {
    /**
     * Reads the options.
     *
     * @param history the value of {@code --bootstrap}, where a job that has begun has its offsets
     * @param isSeenByOne whether one task must see all edges
     * @param spread the tables; null in the fused topology
     */
    static BootstrapParts parse(
            OptionValues values,
            PartitionerOptions partitioner,
            boolean bootstraps,
            @Nullable History history,
            @Nullable StartPlaces startFrom,
            boolean isSeenByOne,
            @Nullable SpreadOptions spread) {
        boolean places =
                bootstraps && BulkRequest.placesParts(Algorithms.of(partitioner).beforeLive(partitioner));
        int threads = (int) values.integer(LiveJobConfig.BOOTSTRAP_THREADS, 1, GraphPart.MOST_SHARED);
        if (threads > 1) {
            refuse(values, LiveJobConfig.BOOTSTRAP_THREADS, partitioner, bootstraps, places, startFrom);
        }
        if (!values.given().containsKey(LiveJobConfig.BOOTSTRAP_TASKS.key())) {
            boolean mayDeal = places && threads == 1 && startFrom == null && !isSeenByOne && history == null;
            return new BootstrapParts(
                    threads, mayDeal && spread != null ? Math.min(spread.tables(), GraphPart.MOST_SHARED) : 1);
        }
        int tasks = (int) values.integer(LiveJobConfig.BOOTSTRAP_TASKS, 1, GraphPart.MOST_SHARED);
        if (tasks == 1) {
            return new BootstrapParts(threads, 1);
        }
        refuse(values, LiveJobConfig.BOOTSTRAP_TASKS, partitioner, bootstraps, places, startFrom);
        if (threads > 1) {
            throw values.wrong(
                    LiveJobConfig.BOOTSTRAP_TASKS,
                    "is not for several --bootstrap-threads, which are in one task; omit one of them");
        }
        if (isSeenByOne) {
            throw values.wrong(
                    LiveJobConfig.BOOTSTRAP_TASKS,
                    "is not for text ids, --ttl or --remove-vertices, for which one task sees all edges; omit it");
        }
        if (spread == null || tasks > spread.buckets()) {
            throw values.wrong(
                    LiveJobConfig.BOOTSTRAP_TASKS,
                    "is for the distributed topology, and at most --max-parallelism; give --parallelism, or omit it");
        }
        return new BootstrapParts(1, tasks);
    }

    private static void refuse(
            OptionValues values,
            ConfigOption<?> option,
            PartitionerOptions partitioner,
            boolean bootstraps,
            boolean places,
            @Nullable StartPlaces startFrom) {
        if (startFrom != null) {
            throw values.wrong(option, "is not for --start-from, whose places one thread takes over; omit it");
        }
        if (!bootstraps) {
            throw values.wrong(
                    option,
                    "is for bulk passes over the history; give --bootstrap with --algorithm cutwater, or omit it");
        }
        if (!places) {
            throw values.wrong(
                    option,
                    "is for --algorithm cutwater; %s makes its bulk passes in one thread, so omit it"
                            .formatted(partitioner.algorithm()));
        }
    }
}
