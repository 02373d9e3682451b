package io.cutwater.deploy.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.topic.BrokerException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves the live page of a graph over HTTP or HTTPS, with the server of the JDK: a page has few viewers, and no other
 * library is needed. It only reads: other methods than GET and HEAD are refused.
 */
public final class PageServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JSON_TYPE = "application/json; charset=utf-8";
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    /** Each viewer occupies a thread. */
    private static final int VIEWERS = 100;

    private static final int SAMPLE = 100_000;
    private static final String VERTEX = "/api/vertex";

    private final HttpServer server;
    private final boolean usesTls;
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, VIEWERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), PageServer::daemon);
    private final PageAccess access;
    private final PageFiles files;
    private final PageState state;
    private final BookSample book = new BookSample(SAMPLE);
    private final VertexLookup lookup;
    private final EventStream events;
    private final TopicFeed feed;

    /**
     * Starts the server and begins to read the topics.
     *
     * @param address to listen on; port 0 for any free one
     * @param tls for HTTPS; null for HTTP
     * @throws IOException if the address cannot be bound; the message is meant for users
     * @throws BrokerException if a client property is wrong; the message is meant for users
     */
    public PageServer(PageRequest request, InetSocketAddress address, PageAccess access, @Nullable SSLContext tls)
            throws IOException {
        this.access = access;
        files = new PageFiles();
        state = new PageState(request);
        lookup = new VertexLookup(request, book);
        events = new EventStream(state);
        feed = new TopicFeed(request, state, book);
        usesTls = tls != null;
        server = bind(address, tls);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        feed.start();
        server.start();
    }

    private static HttpServer bind(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
        try {
            if (tls == null) {
                return HttpServer.create(address, 0);
            }
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            return secure;
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on %s:%d: %s; choose another address with --listen"
                            .formatted(address.getHostString(), address.getPort(), e.getMessage()),
                    e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "page viewer");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the address of the page. */
    public URI address() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().isAnyLocalAddress()
                ? "localhost"
                : bound.getAddress().getHostAddress();
        return URI.create("%s://%s:%d/"
                .formatted(usesTls ? "https" : "http", host.contains(":") ? "[" + host + "]" : host, bound.getPort()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cache-Control", "no-store");
            String method = exchange.getRequestMethod();
            if (!PageAccess.isForThisHost(exchange)) {
                send(exchange, 421, "this server is for the loopback address only");
            } else if (!access.allows(exchange)) {
                headers.add("WWW-Authenticate", "Basic realm=\"Cutwater\", charset=\"UTF-8\"");
                headers.add("WWW-Authenticate", "Bearer realm=\"Cutwater\"");
                send(exchange, 401, "user and password, or a bearer token, are needed");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                headers.set("Allow", "GET, HEAD");
                send(exchange, 405, "this page only reads");
            } else {
                route(exchange);
            }
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        PageFiles.StaticFile file = files.get(path);
        if (file != null) {
            send(exchange, 200, file.type(), file.bytes());
            return;
        }
        switch (path) {
            case "/events" -> events.send(exchange);
            case "/api/state" -> send(exchange, state.tree(System.currentTimeMillis()));
            case "/api/copies" -> send(exchange, book.copies(state.partitions(), JSON.createObjectNode()));
            case VERTEX -> vertex(exchange);
            default -> send(exchange, 404, "there is no " + path);
        }
    }

    private void vertex(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String id = query != null && query.startsWith("id=")
                ? URLDecoder.decode(query.substring(3), StandardCharsets.UTF_8).strip()
                : "";
        long vertex;
        try {
            vertex = Long.parseLong(id);
        } catch (NumberFormatException e) {
            send(exchange, 400, "a vertex id is a whole number between −2^63 and 2^63 − 1");
            return;
        }
        try {
            Optional<PartitionBookEntry> entry = lookup.find(vertex);
            if (entry.isPresent()) {
                send(exchange, VertexLookup.put(entry.get(), JSON.createObjectNode()));
            } else {
                send(exchange, 404, "the partition book has no vertex " + vertex);
            }
        } catch (IllegalStateException | BrokerException e) {
            send(exchange, 503, String.valueOf(e.getMessage()));
        }
    }

    private static void send(HttpExchange exchange, ObjectNode tree) throws IOException {
        send(exchange, 200, JSON_TYPE, JSON.writeValueAsBytes(tree));
    }

    private static void send(HttpExchange exchange, int status, String sentence) throws IOException {
        send(
                exchange,
                status,
                JSON_TYPE,
                JSON.writeValueAsBytes(JSON.createObjectNode().put("error", sentence)));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        events.close();
        feed.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
