package io.cutwater.deploy.cluster.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Sends requests to a Flink cluster's REST endpoint, and describes failures in a sentence. */
final class FlinkHttp {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Long enough for a busy JobManager on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int FIRST_ERROR = 400;

    private final FlinkAddress address;
    private final FlinkCredentials credentials;
    private @Nullable HttpClient client;

    FlinkHttp(FlinkAddress address, FlinkCredentials credentials) {
        this.address = address;
        this.credentials = credentials;
    }

    /** Keys are read when they are first needed. */
    private HttpClient client() throws IOException {
        if (client == null) {
            HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
            if (address.isSecure()) {
                builder.sslContext(credentials.sslContext()).version(HttpClient.Version.HTTP_1_1);
            }
            client = builder.build();
        }
        return client;
    }

    JsonNode get(String path) throws FlinkException {
        return send("GET", path, "");
    }

    JsonNode send(String method, String path, String body) throws FlinkException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.url() + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        if (credentials.authorization() != null) {
            request.header("Authorization", credentials.authorization());
        }
        try {
            HttpResponse<String> response =
                    client().send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() >= FIRST_ERROR) {
                throw refused(refusal(response.statusCode(), path, response.body()));
            }
            return JSON.readTree(response.body());
        } catch (FlinkException e) {
            throw e;
        } catch (SSLException e) {
            if (e.getCause() instanceof EOFException) {
                throw new FlinkException(
                        "the Flink cluster at %s closed the connection during the TLS handshake; if it runs, check https://"
                                        .formatted(address)
                                + " in --flink, and the stores of --flink-properties",
                        true,
                        e);
            }
            throw new FlinkException(
                    "the Flink cluster at %s and this command do not trust each other: %s; check https:// in --flink, and"
                                    .formatted(address, e.getMessage())
                            + " the stores of --flink-properties",
                    true,
                    e);
        } catch (IOException e) {
            throw new FlinkException("no Flink cluster answers at %s; check --flink".formatted(address), true, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FlinkException("interrupted while waiting for Flink at " + address, true, e);
        }
    }

    /**
     * Reads a job's state, such as {@code RUNNING}, from its JobMaster. The description of a job has a state too, but
     * Flink caches it by the wall clock: once that is set back, it stays as it was until the clock has caught up.
     */
    String jobState(String id) throws FlinkException {
        return get("/jobs/" + id + "/status").path("status").asText();
    }

    private String refusal(int status, String path, String body) {
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            return "the Flink cluster at %s refuses the login (status %d); check username and password, or authorization, in --flink-properties"
                    .formatted(address, status);
        }
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

    static String firstLine(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("it does not say why");
    }

    static FlinkException refused(String sentence) {
        return new FlinkException(sentence, false, null);
    }
}
