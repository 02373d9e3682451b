package io.cutwater.flink.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What we ask of a Flink cluster besides taking a job. Plain requests to its documented REST endpoint, which stays the
 * same over the versions of Flink 2, where its own client must be of the cluster's version.
 *
 * <p>Every method throws a {@link FlinkException} with one sentence if the cluster does not answer or refuses.
 */
public final class FlinkRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int NOT_FOUND = 404;
    private static final int FIRST_ERROR = 400;
    private static final String ID = "id";

    private final FlinkAddress address;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    public FlinkRest(FlinkAddress address) {
        this.address = address;
    }

    /** The version of the cluster, such as 2.3.0. */
    public String version() throws FlinkException {
        return get("/config").path("flink-version").asText();
    }

    /** The ids of the TaskManagers that are registered. */
    public List<String> taskManagers() throws FlinkException {
        List<String> ids = new ArrayList<>();
        for (JsonNode taskManager : get("/taskmanagers").path("taskmanagers")) {
            ids.add(taskManager.path(ID).asText());
        }
        return ids;
    }

    /**
     * Our jobs, those that have ended among them, as long as the cluster remembers them.
     *
     * @param namePrefix how the names of our jobs begin
     */
    public List<LiveJob> jobs(String namePrefix) throws FlinkException {
        List<LiveJob> jobs = new ArrayList<>();
        for (JsonNode job : get("/jobs/overview").path("jobs")) {
            if (job.path("name").asText().startsWith(namePrefix)) {
                jobs.add(job(job.path("jid").asText()));
            }
        }
        return jobs;
    }

    /**
     * One job, ours or not.
     *
     * @throws FlinkException also if the cluster knows no such job
     */
    public LiveJob job(String id) throws FlinkException {
        JsonNode job = get("/jobs/" + id);
        Map<String, String> options = new HashMap<>();
        get("/jobs/" + id + "/config")
                .path("execution-config")
                .path("user-config")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asText()));
        long restores = get("/jobs/" + id + "/checkpoints")
                .path("counts")
                .path("restored")
                .asLong();
        return new LiveJob(
                id,
                job.path("name").asText(),
                job.path("state").asText(),
                Instant.ofEpochMilli(job.path("start-time").asLong()),
                restores,
                options);
    }

    /** Whether the cluster knows a job of that id. */
    public boolean knows(String id) throws FlinkException {
        for (JsonNode job : get("/jobs/overview").path("jobs")) {
            if (job.path("jid").asText().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Where a job's latest complete savepoint or checkpoint is, whichever is newer; null if there is none yet. Of a job
     * that was stopped only its savepoint is left: Flink removes the checkpoints of a job that has finished, though its
     * statistics go on naming the last one, which may be newer than the savepoint.
     */
    public @Nullable String latestState(String id) throws FlinkException {
        JsonNode latest = get("/jobs/" + id + "/checkpoints").path("latest");
        JsonNode checkpoint = latest.path("completed");
        JsonNode savepoint = latest.path("savepoint");
        if (get("/jobs/" + id).path("state").asText().equals("FINISHED")) {
            return savepoint.path("external_path").textValue();
        }
        JsonNode newer = savepoint.path(ID).asLong(-1) > checkpoint.path(ID).asLong(-1) ? savepoint : checkpoint;
        return newer.path("external_path").textValue();
    }

    /** The folder in which checkpoints of new jobs are made, as the cluster is configured; null for none. */
    public @Nullable String checkpointFolder() throws FlinkException {
        String folder = null;
        for (JsonNode entry : get("/jobmanager/config")) {
            String key = entry.path("key").asText();
            if (key.equals("execution.checkpointing.dir") || key.equals("state.checkpoints.dir")) {
                folder = entry.path("value").asText();
            }
        }
        return folder;
    }

    /**
     * Stops a job with a savepoint and waits for both; what it has done up to there is committed.
     *
     * @param folder for the savepoint; null for the one that the cluster is configured with
     * @return where the savepoint is
     */
    public String stop(String id, @Nullable String folder, Duration timeout) throws FlinkException {
        ObjectNode request = JSON.createObjectNode().put("drain", false);
        if (folder != null) {
            request.put("targetDirectory", folder);
        }
        long start = System.nanoTime();
        String trigger = send("POST", "/jobs/" + id + "/stop", request.toString())
                .path("request-id")
                .asText();
        String savepoint = null;
        while (savepoint == null || !job(id).hasEnded()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw refused(
                        "job %s has not stopped within %d s; --timeout allows more".formatted(id, timeout.toSeconds()));
            }
            LockSupport.parkNanos(POLL.toNanos());
            savepoint = savepoint(get("/jobs/" + id + "/savepoints/" + trigger), id);
        }
        return savepoint;
    }

    private static @Nullable String savepoint(JsonNode answer, String id) throws FlinkException {
        if (!answer.path("status").path(ID).asText().equals("COMPLETED")) {
            return null;
        }
        JsonNode failure = answer.path("operation").path("failure-cause");
        if (!failure.isMissingNode()) {
            throw refused("the savepoint of job %s has failed, and the job goes on: %s"
                    .formatted(
                            id,
                            firstLine(failure.path("stack-trace")
                                    .asText(failure.path("class").asText()))));
        }
        return answer.path("operation").path("location").asText();
    }

    private JsonNode get(String path) throws FlinkException {
        return send("GET", path, "");
    }

    private JsonNode send(String method, String path, String body) throws FlinkException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                .build();
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() >= FIRST_ERROR) {
                throw refused(refusal(response.statusCode(), path, response.body()));
            }
            return JSON.readTree(response.body());
        } catch (FlinkException e) {
            throw e;
        } catch (IOException e) {
            throw new FlinkException("no Flink cluster answers at %s; check --flink".formatted(address), true, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FlinkException("interrupted while waiting for Flink at " + address, true, e);
        }
    }

    private String refusal(int status, String path, String body) {
        if (status == NOT_FOUND && path.startsWith("/jobs/")) {
            return "the Flink cluster at %s knows no job %s; ./cutwater status lists them"
                    .formatted(address, path.split("/", -1)[2]);
        }
        return "the Flink cluster at %s refuses %s: %s".formatted(address, path, errors(body));
    }

    private static String errors(String body) {
        try {
            JsonNode errors = JSON.readTree(body).path("errors");
            return firstLine(errors.path(errors.size() - 1).asText(body));
        } catch (IOException e) {
            return firstLine(body);
        }
    }

    private static String firstLine(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("it does not say why");
    }

    private static FlinkException refused(String sentence) {
        return new FlinkException(sentence, false, null);
    }
}
