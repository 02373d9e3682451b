package io.cutwater.deploy.page.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.query.LiveComparison;
import io.cutwater.deploy.page.query.Neighbourhood;
import io.cutwater.deploy.page.query.VertexLookup;
import io.cutwater.deploy.page.state.BookSample;
import io.cutwater.deploy.page.state.PageState;
import io.cutwater.deploy.page.state.TopicFeed;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.repartition.live.JobCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves the live page of a graph over HTTP or HTTPS, with the server of the JDK: a page has few viewers, and no other
 * library is needed. It only reads, unless viewers may send commands to the job: other methods than GET and HEAD are
 * refused.
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
    private static final String EVENTS = "/events";
    private static final String VERTEX = "/api/vertex";
    private static final String NEIGHBOURS = "/api/neighbours";
    private static final String COMPARE = "/api/compare";
    private static final String COMMANDS = "/api/commands";

    private final HttpServer server;
    private final boolean usesTls;
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, VIEWERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), PageServer::daemon);
    private final PageAccess access;
    private final PageFiles files;
    private final PageState state;
    private final BookSample book = new BookSample(SAMPLE);
    private final VertexLookup lookup;
    private final Neighbourhood neighbourhood;
    private final LiveComparison comparison;
    private final PageCommands commands;
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
        neighbourhood = new Neighbourhood(request, book);
        comparison = new LiveComparison(request);
        commands = new PageCommands(request);
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
            String path = exchange.getRequestURI().getPath();
            if (!PageAccess.isForThisHost(exchange)) {
                send(exchange, 421, "this server is for the loopback address only");
            } else if (!access.allows(exchange)) {
                headers.add("WWW-Authenticate", "Basic realm=\"Cutwater\", charset=\"UTF-8\"");
                headers.add("WWW-Authenticate", "Bearer realm=\"Cutwater\"");
                send(exchange, 401, "user and password, or a bearer token, are needed");
            } else if (isForPages(path) && PageAccess.isFromAnotherSite(exchange)) {
                send(exchange, 403, "only pages of this server may ask for " + path);
            } else if (method.equals("POST") && path.equals(COMMANDS) && access.allowsCommands()) {
                command(exchange);
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                headers.set("Allow", "GET, HEAD");
                send(exchange, 405, "this page only reads");
            } else {
                route(exchange, path);
            }
        }
    }

    /** Returns whether answers cost work or a thread of this server, which other web sites must not take. */
    private static boolean isForPages(String path) {
        return path.startsWith("/api/") || path.equals(EVENTS);
    }

    private void command(HttpExchange exchange) throws IOException {
        try {
            JobCommand command = commands.send(exchange);
            send(
                    exchange,
                    202,
                    JSON_TYPE,
                    JSON.writeValueAsBytes(JSON.createObjectNode().put("id", command.id())));
        } catch (PageCommands.RefusedException e) {
            send(exchange, e.status(), String.valueOf(e.getMessage()));
        }
    }

    private void route(HttpExchange exchange, String path) throws IOException {
        PageFiles.StaticFile file = files.get(path);
        if (file != null) {
            send(exchange, 200, file.type(), file.bytes());
            return;
        }
        switch (path) {
            case EVENTS -> events.send(exchange);
            case "/api/state" -> send(exchange, state.tree(System.currentTimeMillis()));
            case "/api/copies" -> send(exchange, book.copies(state.partitions(), JSON.createObjectNode()));
            case VERTEX, NEIGHBOURS -> vertex(exchange, path);
            case COMPARE -> compare(exchange);
            case COMMANDS ->
                send(
                        exchange,
                        JSON.createObjectNode()
                                .put("isAllowed", access.allowsCommands())
                                .put("token", access.allowsCommands() ? commands.token() : ""));
            default -> send(exchange, 404, "there is no " + path);
        }
    }

    private void compare(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String last = query != null && query.startsWith("last=") ? query.substring(5) : "";
        if (!last.matches("[1-9][0-9]{0,6}") || Long.parseLong(last) > LiveComparison.MOST) {
            send(exchange, 400, "last is a number of edges, 1 to %,d".formatted(LiveComparison.MOST));
        } else if (state.partitions() == 0) {
            send(exchange, 503, "no job has committed a report yet");
        } else {
            try {
                send(
                        exchange,
                        comparison.put(
                                state.partitions(),
                                state.isOfVertices(),
                                Long.parseLong(last),
                                JSON.createObjectNode()));
            } catch (IOException | IllegalStateException | BrokerException e) {
                send(exchange, 503, String.valueOf(e.getMessage()));
            }
        }
    }

    private void vertex(HttpExchange exchange, String path) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String id = query != null && query.startsWith("id=")
                ? URLDecoder.decode(query.substring(3), StandardCharsets.UTF_8).strip()
                : "";
        try {
            boolean isDrawn = path.equals(NEIGHBOURS);
            OptionalLong found = isDrawn ? VertexLookup.id(id) : lookup.vertex(id);
            if (found.isEmpty()) {
                send(
                        exchange,
                        400,
                        "a vertex id is a whole number between −2^63 and 2^63 − 1, or a text that topic ids has");
                return;
            }
            long vertex = found.getAsLong();
            if (isDrawn) {
                send(exchange, neighbourhood.put(vertex, JSON.createObjectNode()));
                return;
            }
            Optional<PartitionBookEntry> entry = lookup.find(vertex);
            if (entry.isPresent()) {
                ObjectNode tree = VertexLookup.put(entry.get(), JSON.createObjectNode());
                lookup.label(vertex).ifPresent(label -> tree.put("label", label));
                send(exchange, VertexLookup.id(id).equals(found) ? tree : tree.put("text", id));
            } else {
                send(exchange, 404, "the partition book has no vertex " + id);
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
