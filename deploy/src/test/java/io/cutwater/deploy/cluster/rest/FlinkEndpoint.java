package io.cutwater.deploy.cluster.rest;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An endpoint that answers as Flink does in moments that a real cluster shows only now and then. */
public final class FlinkEndpoint implements AutoCloseable {
    /** By path, one after the other; the last one is given again and again. */
    private final Map<String, Deque<String>> answers = new HashMap<>();

    private final HttpServer server;

    /** Starts an endpoint that knows no job. */
    public FlinkEndpoint() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            Deque<String> left = answers.get(exchange.getRequestURI().getPath());
            String answer = left == null ? null : left.size() > 1 ? left.poll() : left.peek();
            byte[] body = (answer == null ? "{\"errors\":[\"not found\"]}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** Returns {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the answers to requests for a path; the description of a job also answers the request for its state. */
    public void answer(String path, String... inTurn) {
        answers.put(path, new ArrayDeque<>(List.of(inTurn)));
        if (path.matches("/jobs/[0-9a-f]{32}")) {
            Stream<String> states = Arrays.stream(inTurn)
                    .map(job -> job.replaceFirst("(?s)^\\{\"state\": ?(\"[A-Z]+\").*", "{\"status\":$1}"));
            answers.put(path + "/status", new ArrayDeque<>(states.toList()));
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
