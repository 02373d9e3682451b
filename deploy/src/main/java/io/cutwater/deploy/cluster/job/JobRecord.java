package io.cutwater.deploy.cluster.job;

import io.cutwater.kafka.topic.TopicIdentity;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Record of a job that was submitted from here, so that it can continue after its cluster has forgotten it.
 *
 * @param id that the cluster gave it
 * @param flink the cluster
 * @param options that it was submitted with, by name
 * @param checkpoints folder in which the cluster makes the checkpoints of its jobs, as a URI; null if it has none
 * @param savepoints folder in which the job's savepoints are made, as a URI; null if it is not known
 * @param restoredFrom the state with which it began; null for none
 * @param savepoint with which it was stopped; null if it was not
 * @param resumedAs the job that continues it; null if none does
 * @param topics identities of the topics that it reads, by name; null in the records of earlier builds
 */
record JobRecord(
        String id,
        String flink,
        Map<String, String> options,
        @Nullable String checkpoints,
        @Nullable String savepoints,
        @Nullable String restoredFrom,
        @Nullable String savepoint,
        @Nullable String resumedAs,
        @Nullable Map<String, TopicIdentity> topics) {
    /** Returns the name of the topic that it reads. */
    String edges() {
        return new Topics(options.getOrDefault("topic-prefix", "")).edges();
    }

    JobRecord withSavepoints(String savepointFolder) {
        return new JobRecord(
                id, flink, options, checkpoints, savepointFolder, restoredFrom, savepoint, resumedAs, topics);
    }

    JobRecord withSavepoint(String path) {
        return new JobRecord(id, flink, options, checkpoints, savepoints, restoredFrom, path, resumedAs, topics);
    }

    JobRecord withSuccessor(String successor) {
        return new JobRecord(id, flink, options, checkpoints, savepoints, restoredFrom, savepoint, successor, topics);
    }
}
