package io.cutwater.deploy.cluster.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queries and commands to a Flink cluster, except the submission of jobs. Plain requests to its documented REST
 * endpoint, which is stable over the versions of Flink 2, whereas Flink's own client must have the cluster's version.
 *
 * <p>Every method throws a {@link FlinkException} with one sentence if the cluster does not answer or refuses.
 */
public final class FlinkRest {
    /** Flink's answers are up to {@code web.refresh-interval} old, 3 s by default. */
    static final Duration ANSWER_AGE = Duration.ofSeconds(4);

    private static final String FIRST_TASK = "0.";
    private static final String OUR_METRICS = ".cutwater.";
    private static final String ID = "id";
    private static final String STATE = "state";

    private final FlinkHttp http;
    private final Consumer<Duration> sleeper;

    public FlinkRest(FlinkAddress address, FlinkCredentials credentials) {
        this(address, credentials, duration -> LockSupport.parkNanos(duration.toNanos()));
    }

    /** @param sleeper waits that long, or less */
    FlinkRest(FlinkAddress address, FlinkCredentials credentials, Consumer<Duration> sleeper) {
        http = new FlinkHttp(address, credentials);
        this.sleeper = sleeper;
    }

    /** Returns the version of the cluster, such as 2.3.0. */
    public String version() throws FlinkException {
        return http.get("/config").path("flink-version").asText();
    }

    /** Fails while the JobManager answers but does not accept jobs yet, because it has not become the leader. */
    public void checkLeads() throws FlinkException {
        http.get("/jobs/overview");
    }

    /** Returns the ids of the registered TaskManagers. */
    public List<String> taskManagers() throws FlinkException {
        List<String> ids = new ArrayList<>();
        for (JsonNode taskManager : http.get("/taskmanagers").path("taskmanagers")) {
            ids.add(taskManager.path(ID).asText());
        }
        return ids;
    }

    /**
     * Returns our jobs, including those that have ended, as long as the cluster remembers them.
     *
     * @param namePrefix with which the names of our jobs begin
     */
    public List<LiveJob> jobs(String namePrefix) throws FlinkException {
        List<LiveJob> jobs = new ArrayList<>();
        for (JsonNode job : http.get("/jobs/overview").path("jobs")) {
            if (job.path("name").asText().startsWith(namePrefix)) {
                addIfKnown(job.path("jid").asText(), jobs);
            }
        }
        return jobs;
    }

    /** A job that has ended may be forgotten between the list and the request for it. */
    private void addIfKnown(String id, List<LiveJob> jobs) throws FlinkException {
        try {
            jobs.add(job(id));
        } catch (FlinkException e) {
            if (e.isUnreachable() || knows(id)) {
                throw e;
            }
        }
    }

    /**
     * Returns a job, ours or not.
     *
     * @throws FlinkException also if the cluster knows no such job
     */
    public LiveJob job(String id) throws FlinkException {
        JsonNode job = http.get("/jobs/" + id);
        Map<String, String> options = new HashMap<>();
        http.get("/jobs/" + id + "/config")
                .path("execution-config")
                .path("user-config")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asText()));
        long restores = http.get("/jobs/" + id + "/checkpoints")
                .path("counts")
                .path("restored")
                .asLong();
        return new LiveJob(
                id,
                job.path("name").asText(),
                http.jobState(id),
                Instant.ofEpochMilli(job.path("start-time").asLong()),
                restores,
                options);
    }

    /**
     * Returns values of our own metrics of the first task of a job's source, by their names without the group; metrics
     * that it does not show, or not yet, are absent.
     */
    public Map<String, String> sourceMetrics(String id, Set<String> names) throws FlinkException {
        Map<String, String> values = new HashMap<>();
        for (JsonNode vertex : http.get("/jobs/" + id).path("vertices")) {
            if (vertex.path("name").asText().startsWith("Source:")) {
                String path = "/jobs/%s/vertices/%s/metrics"
                        .formatted(id, vertex.path(ID).asText());
                for (JsonNode metric : http.get(path)) {
                    String full = metric.path(ID).asText();
                    String name = full.substring(full.lastIndexOf('.') + 1);
                    if (names.contains(name) && full.startsWith(FIRST_TASK) && full.contains(OUR_METRICS)) {
                        String query = "?get=" + URLEncoder.encode(full, StandardCharsets.UTF_8);
                        values.put(
                                name,
                                http.get(path + query).path(0).path("value").asText());
                    }
                }
            }
        }
        return values;
    }

    /** Returns whether the cluster knows a job of that id. */
    public boolean knows(String id) throws FlinkException {
        for (JsonNode job : http.get("/jobs/overview").path("jobs")) {
            if (job.path("jid").asText().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the path of a job's latest complete savepoint or checkpoint, whichever is newer; null if there is none
     * yet. Of a stopped job only its savepoint is left: Flink deletes the checkpoints of a finished job, though its
     * statistics still name the last one, which may be newer than the savepoint.
     */
    public @Nullable String latestState(String id) throws FlinkException {
        // The state first: the final statistics of a job are known only after its end.
        String state = http.jobState(id);
        JsonNode job = description(id, state);
        awaitFinalStatistics(job);
        JsonNode latest = http.get("/jobs/" + id + "/checkpoints").path("latest");
        JsonNode checkpoint = latest.path("completed");
        JsonNode savepoint = latest.path("savepoint");
        if (state.equals("FINISHED")) {
            return savepoint.path("external_path").textValue();
        }
        JsonNode newer = savepoint.path(ID).asLong(-1) > checkpoint.path(ID).asLong(-1) ? savepoint : checkpoint;
        return newer.path("external_path").textValue();
    }

    /**
     * Reads the description of a job, which Flink may have cached.
     *
     * @param state of the job by its JobMaster
     * @throws FlinkException also if the job has ended and its description does not become that of a job that has
     */
    private JsonNode description(String id, String state) throws FlinkException {
        JsonNode job = http.get("/jobs/" + id);
        for (int reads = 1;
                LiveJob.hasEnded(state) && !LiveJob.hasEnded(job.path(STATE).asText());
                reads++) {
            if (reads == 2) {
                throw FlinkHttp.refused(
                        "job %s is %s, but Flink still describes it as %s, so its last state is unknown: the clock of the JobManager was set back; try again when it has caught up, or name the last state with --from"
                                .formatted(id, state, job.path(STATE).asText()));
            }
            sleeper.accept(ANSWER_AGE);
            job = http.get("/jobs/" + id);
        }
        return job;
    }

    /** Until then the statistics of a job that has just ended may be from a moment before its end. */
    private void awaitFinalStatistics(JsonNode job) {
        long end = job.path("end-time").asLong(-1);
        if (end >= 0) {
            long age = Math.max(0, job.path("now").asLong(end) - end);
            sleeper.accept(ANSWER_AGE.minusMillis(Math.min(age, ANSWER_AGE.toMillis())));
        }
    }

    /** Returns the configured folder for checkpoints of new jobs; null for none. */
    public @Nullable String checkpointFolder() throws FlinkException {
        return configured("execution.checkpointing.dir", "state.checkpoints.dir");
    }

    /** Returns the configured folder for savepoints; null for none. */
    public @Nullable String savepointFolder() throws FlinkException {
        return configured("execution.checkpointing.savepoint-dir", "state.savepoints.dir");
    }

    private @Nullable String configured(String key, String formerKey) throws FlinkException {
        String value = null;
        for (JsonNode entry : http.get("/jobmanager/config")) {
            String name = entry.path("key").asText();
            if (name.equals(key) || name.equals(formerKey)) {
                value = entry.path("value").asText();
            }
        }
        return value;
    }

    /**
     * Stops a job with a savepoint and waits for both; everything up to the savepoint is committed. A job that is being
     * started or restarted is waited for, because Flink makes a savepoint only when all of its tasks run.
     *
     * @param folder for the savepoint; null for the one that the cluster is configured with
     * @param waiting receives a sentence about what delays the stop, each time that changes
     * @return the savepoint's path
     */
    public String stop(String id, @Nullable String folder, Duration timeout, Consumer<String> waiting)
            throws FlinkException {
        return new SavepointStop(http, sleeper, waiting, id, timeout).run(folder);
    }

    /**
     * Returns whether a job makes progress.
     *
     * @param patience after which a running job should have completed another checkpoint
     */
    public JobProgress progress(String id, Duration patience) throws FlinkException {
        return new ProgressReader(http).read(id, patience);
    }

    /** Returns the present slots. */
    public ClusterSlots slots() throws FlinkException {
        return new ProgressReader(http).slots();
    }
}
