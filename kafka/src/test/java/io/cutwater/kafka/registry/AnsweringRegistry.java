package io.cutwater.kafka.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server with answers of a registry, by path; for any other path it tells that there is no such schema. */
public final class AnsweringRegistry implements AutoCloseable {
    private static final String NOT_FOUND = "{\"error_code\":40403,\"message\":\"Schema 9 not found\"}";

    private final Map<String, String> answers = new HashMap<>();
    private final Deque<Integer> failures = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private String credentials = "";
    private @Nullable HttpServer server;

    public static String json(String schema, String more) {
        return "{\"schema\":%s%s}".formatted(new ObjectMapper().valueToTree(schema), more);
    }

    public Map<String, String> answers() {
        return answers;
    }

    /** HTTP statuses of the next answers, which are those of another server. */
    Deque<Integer> failures() {
        return failures;
    }

    /** Paths of the requests so far. */
    List<String> asked() {
        return asked;
    }

    /** Refuses requests with another header Authorization from now on. */
    void require(String authorization) {
        credentials = authorization;
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Starts the server, and returns its URL. */
    public String start() throws IOException {
        return "http://" + start(HttpServer.create(anyPort(), 0));
    }

    /** Starts a server, and returns its host and port. */
    String start(HttpServer created) {
        server = created;
        created.createContext("/", this::answer);
        created.start();
        return "localhost:" + created.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        asked.add(path);
        int status = 200;
        String body = answers.getOrDefault(path, NOT_FOUND);
        if (!failures.isEmpty()) {
            status = failures.pop();
            body = "<html>of another server</html>";
        } else if (!credentials.equals(given == null ? "" : given)) {
            status = 401;
        } else if (!answers.containsKey(path)) {
            status = 404;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
    }
}
