package io.cutwater.flink.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.LogicalScopeProvider;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics of a Flink process at {@code GET /metrics}, in the text format of Prometheus. In contrast to
 * Flink's own reporter it has counters as counters, names and units as Prometheus wants them, and listens on one
 * address. Flink makes it from {@code metrics.reporter.NAME.factory.class}, with the jar of the job in a folder of its
 * {@code plugins}.
 *
 * <p>Settings: {@code host}, on which to listen, the loopback address by default, and {@code port}, one port or a range
 * {@code FROM-TO} from which it takes the first free one, 9249 by default.
 */
final class PrometheusEndpoint implements MetricReporter {
    private static final Logger LOG = LoggerFactory.getLogger(PrometheusEndpoint.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final String PORT = "9249";
    private static final int MAX_PORT = 65_535;
    /** Variables with another value after each restart, which would make new series. */
    private static final Set<String> LEFT_OUT =
            Set.of("<task_attempt_id>", "<task_attempt_num>", "<task_id>", "<operator_id>");

    /** Scrapes that are answered at the same time; more of them wait. */
    static final int THREADS = 4;

    private static final int WAITING_SCRAPES = 16;
    /** Longer than Prometheus waits by default. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);

    private final Map<String, MetricFamily> families = new TreeMap<>();
    private final Duration timeLimit;
    private @Nullable HttpServer server;
    private @Nullable ThreadPoolExecutor scrapes;
    private @Nullable ScheduledThreadPoolExecutor limits;

    PrometheusEndpoint() {
        this(TIME_LIMIT);
    }

    /** @param timeLimit after which the connection of a client is closed that does not read its answer */
    PrometheusEndpoint(Duration timeLimit) {
        this.timeLimit = timeLimit;
    }

    @Override
    public void open(MetricConfig config) {
        String host = config.getString("host", LOOPBACK);
        String ports = config.getString("port", PORT);
        try {
            HttpServer bound = bind(host, ports);
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    timeLimit.toMillis(),
                    TimeUnit.MILLISECONDS,
                    new ArrayBlockingQueue<>(WAITING_SCRAPES),
                    PrometheusEndpoint::thread);
            threads.allowCoreThreadTimeOut(true);
            ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, PrometheusEndpoint::thread);
            timer.setRemoveOnCancelPolicy(true);
            bound.setExecutor(threads);
            bound.createContext("/metrics", exchange -> answer(exchange, timer));
            bound.start();
            scrapes = threads;
            limits = timer;
            server = bound;
            LOG.info("Prometheus finds the metrics of this process at {}", bound.getAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot serve metrics at %s:%s; choose another port".formatted(host, ports), e);
        }
    }

    private static HttpServer bind(String host, String ports) throws IOException {
        if (!ports.matches("[0-9]{1,5}(-[0-9]{1,5})?")) {
            throw new IllegalArgumentException("port must be a port or a range such as 9249-9259: " + ports);
        }
        String[] range = ports.split("-", -1);
        int last = Math.min(MAX_PORT, Integer.parseInt(range[range.length - 1]));
        BindException taken = new BindException("no port in " + ports);
        for (int port = Integer.parseInt(range[0]); port <= last; port++) {
            try {
                return HttpServer.create(new InetSocketAddress(host, port), 0);
            } catch (BindException e) {
                taken = e;
            }
        }
        throw taken;
    }

    /** Returns the port that it listens on. */
    int port() {
        if (server == null) {
            throw new IllegalStateException("not open");
        }
        return server.getAddress().getPort();
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "prometheus-endpoint");
        thread.setDaemon(true);
        return thread;
    }

    private void answer(HttpExchange exchange, ScheduledExecutorService timer) throws IOException {
        try (exchange) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            write(body);
            exchange.getResponseHeaders().set("Content-Type", PrometheusTextFormatWriter.CONTENT_TYPE);
            // Ends a write that blocks, because the client reads nothing.
            Future<?> limit = timer.schedule(exchange::close, timeLimit.toMillis(), TimeUnit.MILLISECONDS);
            try {
                exchange.sendResponseHeaders(200, body.size());
                body.writeTo(exchange.getResponseBody());
            } finally {
                limit.cancel(false);
            }
        }
    }

    private synchronized void write(ByteArrayOutputStream body) throws IOException {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        families.values().forEach(family -> snapshots.add(family.snapshot()));
        PrometheusTextFormatWriter.create().write(body, new MetricSnapshots(snapshots));
    }

    @Override
    public synchronized void notifyOfAddedMetric(Metric metric, String metricName, MetricGroup group) {
        String scope = scope(group);
        MetricName name = MetricName.of(scope, metricName, metric instanceof Counter);
        String help = MetricName.isOurs(scope)
                ? JobMetrics.help(metricName)
                : "Metric %s of Flink's scope %s.".formatted(metricName, scope);
        MetricFamily family = families.computeIfAbsent(
                name.text(), absent -> new MetricFamily(name, help, metric instanceof Histogram));
        if (family.takes(name, metric)) {
            family.put(labels(group), metric);
        } else {
            LOG.warn("metric {} of {} is left out: another one of this name has another type", metricName, scope);
        }
    }

    @Override
    public synchronized void notifyOfRemovedMetric(Metric metric, String metricName, MetricGroup group) {
        MetricName name = MetricName.of(scope(group), metricName, metric instanceof Counter);
        MetricFamily family = families.get(name.text());
        if (family != null && family.takes(name, metric)) {
            family.remove(labels(group), metric);
            if (family.isEmpty()) {
                families.remove(name.text());
            }
        }
    }

    private static String scope(MetricGroup group) {
        return LogicalScopeProvider.castFrom(group).getLogicalScope(text -> text, '.');
    }

    private static Labels labels(MetricGroup group) {
        Map<String, String> labels = new TreeMap<>();
        group.getAllVariables().forEach((name, value) -> {
            if (!LEFT_OUT.contains(name)) {
                labels.put(MetricName.snakeCase(name.substring(1, name.length() - 1)), value);
            }
        });
        return Labels.of(labels.keySet().toArray(String[]::new), labels.values().toArray(String[]::new));
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
        if (scrapes != null) {
            scrapes.shutdownNow();
        }
        if (limits != null) {
            limits.shutdownNow();
        }
    }
}
