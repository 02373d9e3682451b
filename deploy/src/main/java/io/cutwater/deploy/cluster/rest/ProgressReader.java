package io.cutwater.deploy.cluster.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.deploy.cluster.rest.JobProgress.Kind;
import java.time.Duration;

/** Finds out from a Flink cluster's REST endpoint whether a job makes progress, and if not, why. */
final class ProgressReader {
    /**
     * Number of failures to request; Flink keeps 16 for each job unless {@code web.exception-history-size} says more.
     */
    private static final int FAILURES = 1000;

    private static final String NO_SLOTS = "NoResourceAvailableException";
    private static final String RUNNING = "RUNNING";
    private static final double MILLIS = 1e3;

    private final FlinkHttp http;

    ProgressReader(FlinkHttp http) {
        this.http = http;
    }

    /** A job's failures, as far as the cluster remembers them. */
    private record Failures(long restarts, boolean isAtLeast, long lastMillis, boolean lastWantsSlots, String cause) {
        static Failures of(JsonNode history) {
            long restarts = 0;
            String cause = "";
            long lastMillis = -1;
            boolean lastWantsSlots = false;
            for (JsonNode entry : history.path("entries")) {
                String trace = entry.path("stacktrace")
                        .asText(entry.path("exceptionName").asText());
                boolean wantsSlots = trace.contains(NO_SLOTS);
                restarts += wantsSlots ? 0 : 1;
                long millis = entry.path("timestamp").asLong();
                if (millis > lastMillis) {
                    lastMillis = millis;
                    lastWantsSlots = wantsSlots;
                    cause = FailureCause.of(trace);
                }
            }
            return new Failures(restarts, history.path("truncated").asBoolean(), lastMillis, lastWantsSlots, cause);
        }

        JobProgress progress(Kind kind, String reason, long ended) {
            return new JobProgress(kind, reason, Math.max(0, restarts - ended), isAtLeast);
        }
    }

    /** @param patience after which a running job should have completed another checkpoint */
    JobProgress read(String id, Duration patience) throws FlinkException {
        JsonNode job = http.get("/jobs/" + id);
        String state = http.jobState(id);
        Failures failures = Failures.of(http.get("/jobs/%s/exceptions?maxExceptions=%d".formatted(id, FAILURES))
                .path("exceptionHistory"));
        if (LiveJob.hasEnded(state)) {
            return state.equals("FAILED")
                    ? failures.progress(Kind.FAILED, "it has failed: " + failures.cause, 1)
                    : failures.progress(Kind.ENDED, "", 0);
        }
        JsonNode latest = http.get("/jobs/" + id + "/checkpoints").path("latest");
        long completed = latest.path("completed").path("latest_ack_timestamp").asLong(-1);
        if (!allTasksRun(job)) {
            return starting(job, failures, completed);
        }
        if (failures.lastMillis > completed) {
            return failures.progress(
                    Kind.RESTARTS,
                    "no checkpoint has completed since it was restarted %s ago, after: %s"
                            .formatted(seconds(job.path("now").asLong() - failures.lastMillis), failures.cause),
                    0);
        }
        long idle = job.path("now").asLong()
                - Math.max(completed, job.path("timestamps").path(RUNNING).asLong());
        return idle <= patience.toMillis()
                ? failures.progress(Kind.RUNS, "", 0)
                : failures.progress(Kind.STALLS, stalled(idle, latest.path("failed")), 0);
    }

    private JobProgress starting(JsonNode job, Failures failures, long completed) throws FlinkException {
        boolean hasFailed = failures.lastMillis > completed;
        ClusterSlots slots = slots();
        int needed = slotsNeeded(job);
        boolean wantsSlots = hasFailed && failures.lastWantsSlots || slots.total() < needed && !slots.isGrowing();
        if (wantsSlots) {
            return failures.progress(
                    Kind.WAITS_FOR_SLOTS,
                    "waiting for slots: it needs %d, and the cluster has %d in all, %d of them free"
                            .formatted(needed, slots.total(), slots.free()),
                    0);
        }
        return hasFailed
                ? failures.progress(Kind.RESTARTS, "it is being restarted, after: " + failures.cause, 0)
                : failures.progress(Kind.STARTS, "", 0);
    }

    private static String stalled(long idleMillis, JsonNode failed) {
        String why = failed.path("failure_message").asText("");
        return "no checkpoint has completed for %s%s"
                .formatted(seconds(idleMillis), why.isEmpty() ? "" : ": " + FlinkHttp.firstLine(why));
    }

    private static String seconds(long millis) {
        return "%d s".formatted(Math.round(Math.max(0, millis) / MILLIS));
    }

    /** All of our operators share slots, so a job needs as many as its widest operator has tasks. */
    private static int slotsNeeded(JsonNode job) {
        int needed = 1;
        for (JsonNode vertex : job.path("vertices")) {
            needed = Math.max(needed, vertex.path("parallelism").asInt());
        }
        return needed;
    }

    static boolean allTasksRun(JsonNode job) {
        boolean all = job.path("state").asText().equals(RUNNING);
        for (JsonNode vertex : job.path("vertices")) {
            all &= vertex.path("status").asText().equals(RUNNING);
        }
        return all;
    }

    ClusterSlots slots() throws FlinkException {
        JsonNode overview = http.get("/overview");
        boolean isGrowing = false;
        for (JsonNode entry : http.get("/jobmanager/config")) {
            String key = entry.path("key").asText();
            isGrowing |= key.startsWith("kubernetes.") || key.startsWith("yarn.");
        }
        return new ClusterSlots(
                overview.path("taskmanagers").asInt(),
                overview.path("slots-total").asInt(),
                overview.path("slots-available").asInt(),
                overview.path("jobs-running").asInt(),
                isGrowing);
    }
}
