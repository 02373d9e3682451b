package io.cutwater.flink.job;

import io.cutwater.kafka.topic.Topics;

/** What tests ask of live jobs on topics. */
final class LiveRequests {
    private LiveRequests() {}

    /**
     * A job that keeps its edges, so that they can be removed and moved; its topics are made.
     *
     * @param kind {@code edge} or {@code vertex}
     */
    static PartitionRequest keepingEdges(String bootstrapServers, Topics topics, String kind, int partitions) {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                bootstrapServers,
                "--topic-prefix",
                topics.prefix(),
                "--partitions",
                "" + partitions,
                "--kind",
                kind,
                "--event-format",
                "json",
                "--wait-limit",
                "200ms",
                "--keep-edges",
                "true");
        return LivePartitionJob.request(options, LiveTopics.prepare(options, false));
    }
}
