package io.cutwater.deploy.processes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A collector of OpenTelemetry that accepts OTLP over HTTP and keeps the names of the metrics. */
final class OtlpReceiver implements AutoCloseable {
    /** Names are the only texts of this form in the protocol buffers of Flink's reporter. */
    private static final Pattern NAME = Pattern.compile("flink\\.[A-Za-z_]+(?:\\.[A-Za-z_]+)+");

    private final Set<String> names = new ConcurrentSkipListSet<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/metrics", this::accept);
        server.createContext("/v1/traces", this::accept);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Set<String> names() {
        return names;
    }

    private void accept(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
            NAME.matcher(body).results().forEach(name -> names.add(name.group()));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
