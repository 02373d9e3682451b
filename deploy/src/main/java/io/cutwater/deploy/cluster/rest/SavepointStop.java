package io.cutwater.deploy.cluster.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stops one job with a savepoint, and reports what it waits for. */
final class SavepointStop {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration POLL = Duration.ofMillis(100);
    /** A job that starts without trouble takes less, and needs no report. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final int ATTEMPTS = 3;

    private final FlinkHttp http;
    private final Consumer<Duration> sleeper;
    private final Consumer<String> waiting;
    private final String id;
    private final Duration timeout;
    private final long start = System.nanoTime();
    private String told = "";

    /** @param waiting receives a sentence about what delays the stop, each time that changes */
    SavepointStop(FlinkHttp http, Consumer<Duration> sleeper, Consumer<String> waiting, String id, Duration timeout) {
        this.http = http;
        this.sleeper = sleeper;
        this.waiting = waiting;
        this.id = id;
        this.timeout = timeout;
    }

    /** @return the savepoint's path */
    String run(@Nullable String folder) throws FlinkException {
        for (int attempt = 1; ; attempt++) {
            awaitTasks();
            JsonNode answer = awaitSavepoint(trigger(folder));
            JsonNode failure = answer.path("failure-cause");
            if (failure.isMissingNode()) {
                awaitEnd();
                return answer.path("location").asText();
            }
            // A task may have died meanwhile, and the earlier answer may have been too old to tell.
            if (attempt == ATTEMPTS || isOver()) {
                throw FlinkHttp.refused("the savepoint of job %s has failed, and the job continues: %s"
                        .formatted(
                                id,
                                FlinkHttp.firstLine(failure.path("stack-trace")
                                        .asText(failure.path("class").asText()))));
            }
            sleeper.accept(FlinkRest.ANSWER_AGE);
        }
    }

    private void awaitTasks() throws FlinkException {
        JsonNode job = http.get("/jobs/" + id);
        String state = http.jobState(id);
        while (LiveJob.hasEnded(state) || !ProgressReader.allTasksRun(job)) {
            if (LiveJob.hasEnded(state)) {
                throw FlinkHttp.refused(
                        "job %s has ended already, it is %s; ./cutwater resume %s goes on from its last state"
                                .formatted(id, state, id));
            }
            if (isOver()) {
                throw FlinkHttp.refused(
                        "job %s is %s and not all of its tasks have run within %d s, so no savepoint can be made%s; allow more time with --timeout"
                                .formatted(id, state, timeout.toSeconds(), holdUp()));
            }
            tell("job %s is %s and not all of its tasks run, which a savepoint needs".formatted(id, state));
            sleeper.accept(POLL);
            job = http.get("/jobs/" + id);
            state = http.jobState(id);
        }
    }

    private String trigger(@Nullable String folder) throws FlinkException {
        ObjectNode request = JSON.createObjectNode().put("drain", false);
        if (folder != null) {
            request.put("targetDirectory", folder);
        }
        return http.send("POST", "/jobs/" + id + "/stop", request.toString())
                .path("request-id")
                .asText();
    }

    private JsonNode awaitSavepoint(String trigger) throws FlinkException {
        String path = "/jobs/" + id + "/savepoints/" + trigger;
        JsonNode answer = http.get(path);
        while (!answer.path("status").path("id").asText().equals("COMPLETED")) {
            checkTime();
            tell("the savepoint of job %s is being made".formatted(id));
            sleeper.accept(POLL);
            answer = http.get(path);
        }
        return answer.path("operation");
    }

    private void awaitEnd() throws FlinkException {
        while (!LiveJob.hasEnded(http.jobState(id))) {
            checkTime();
            tell("job %s has made its savepoint and commits what is in it".formatted(id));
            sleeper.accept(POLL);
        }
    }

    private boolean isOver() {
        return System.nanoTime() - start > timeout.toNanos();
    }

    private void checkTime() throws FlinkException {
        if (isOver()) {
            throw FlinkHttp.refused(
                    "job %s has not stopped within %d s%s, and may do so later; check ./cutwater status, or allow more time with --timeout"
                            .formatted(id, timeout.toSeconds(), holdUp()));
        }
    }

    /** States of single tasks come and go; the same sentence is not repeated at once. */
    private void tell(String sentence) throws FlinkException {
        if (!sentence.equals(told) && System.nanoTime() - start > SILENCE.toNanos()) {
            told = sentence;
            waiting.accept(sentence + holdUp());
        }
    }

    private String holdUp() throws FlinkException {
        JobProgress progress = new ProgressReader(http).read(id, timeout);
        return progress.reason().isEmpty() ? "" : " (" + progress.reason() + ")";
    }
}
