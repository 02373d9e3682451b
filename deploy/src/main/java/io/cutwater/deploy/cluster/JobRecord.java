package io.cutwater.deploy.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a job that was submitted from here, so that it can go on after its cluster has forgotten it.
 *
 * @param id that the cluster gave it
 * @param flink the cluster
 * @param options that it was submitted with, by name
 * @param checkpoints folder in which the cluster makes the checkpoints of its jobs, as a URI; null if it has none
 * @param savepoints folder in which the job's savepoints are made, as a URI; null if it is not known
 * @param restoredFrom the state with which it began; null for none
 * @param savepoint with which it was stopped; null if it was not
 * @param resumedAs the job that goes on for it; null if none does
 */
public record JobRecord(
        String id,
        String flink,
        Map<String, String> options,
        @Nullable String checkpoints,
        @Nullable String savepoints,
        @Nullable String restoredFrom,
        @Nullable String savepoint,
        @Nullable String resumedAs) {
    JobRecord withSavepoints(String savepointFolder) {
        return new JobRecord(id, flink, options, checkpoints, savepointFolder, restoredFrom, savepoint, resumedAs);
    }

    JobRecord withSavepoint(String path) {
        return new JobRecord(id, flink, options, checkpoints, savepoints, restoredFrom, path, resumedAs);
    }

    JobRecord withSuccessor(String successor) {
        return new JobRecord(id, flink, options, checkpoints, savepoints, restoredFrom, savepoint, successor);
    }
}
