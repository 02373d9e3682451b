package io.cutwater.flink.job;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.topic.Topics;

/** Requests of live jobs for tests; their topics are created. */
public final class LiveRequests {
    private LiveRequests() {}

    /**
     * Creates the topics of a job, and returns its request.
     *
     * @param restored whether the job continues from a savepoint or checkpoint
     */
    public static PartitionRequest of(LiveJobOptions options, boolean restored) {
        return LivePartitionJob.request(options, LiveTopics.prepare(options, restored));
    }

    /**
     * Returns the request of a job that keeps its edges, so that they can be removed and moved.
     *
     * @param kind {@code edge} or {@code vertex}
     */
    static PartitionRequest keepingEdges(String bootstrapServers, Topics topics, String kind, int partitions) {
        return keepingEdges(bootstrapServers, topics, kind, partitions, 1, 1, false);
    }

    /**
     * Like the other method, with vertices in so many tasks and so many assigners.
     *
     * @param restored whether the job continues from a savepoint or checkpoint
     */
    static PartitionRequest keepingEdges(
            String bootstrapServers,
            Topics topics,
            String kind,
            int partitions,
            int tables,
            int assigners,
            boolean restored) {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                bootstrapServers,
                "--topic-prefix",
                topics.prefix(),
                "--partitions",
                "" + partitions,
                "--kind",
                kind,
                "--parallelism",
                "" + tables,
                "--assigners",
                "" + assigners,
                "--event-format",
                "json",
                "--wait-limit",
                "200ms",
                "--keep-edges",
                "true",
                "--remove-vertices",
                "true",
                "--refine",
                assigners == 1 ? "20%" : "0");
        return of(options, restored);
    }
}
