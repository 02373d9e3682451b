package io.cutwater.deploy.cli.training.progress;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.torch.DeviceMemory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Serves the metrics of a training to Prometheus at {@code GET /metrics}; gauges show the last round. */
public final class TrainingMetrics implements RoundListener, AutoCloseable {
    private static final String PREFIX = "cutwater.train.";
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter seconds = counter("seconds", "time of the rounds, tests included");
    private final Counter edges = counter("edges", "edges of all mini-batches");
    private final Counter seeds = counter("seeds", "training vertices, counted once per epoch");
    private final Counter bytes = counter("averaged.bytes", "bytes of models sent, both ways");
    private final Counter forwardSent = exchange("sent", "forward");
    private final Counter forwardAvoided = exchange("avoided", "forward");
    private final Counter backwardSent = exchange("sent", "backward");
    private final Counter backwardAvoided = exchange("avoided", "backward");
    private final Counter otherSent = exchange("sent", "other");
    private final Counter batchSent = exchange("sent", "batch");
    private final Counter batchAvoided = exchange("avoided", "batch");
    private final Counter mapped = counter("mapped.bytes", "bytes read in files of other processes on the host");
    private final Counter missing = counter("missing.shards", "shards that a round continued without");
    private final Counter merges = counter("merges", "changes of the shards to a newer cut of the graph");
    private volatile @Nullable RoundReport last;

    private TrainingMetrics(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts the endpoint.
     *
     * @param devices on which this process trains
     * @param hasRounds false for a worker of a coordinator, which serves the memory of its devices alone
     * @throws IOException if the address cannot be bound; the message is meant for users
     */
    public static TrainingMetrics serve(InetSocketAddress address, List<DeviceMemory> devices, boolean hasRounds)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "--metrics: cannot listen on %s: %s; choose another port".formatted(address, e.getMessage()), e);
        }
        TrainingMetrics metrics = new TrainingMetrics(server);
        if (!hasRounds) {
            metrics.registry.clear();
        }
        devices.forEach(metrics::add);
        server.createContext("/metrics", metrics::answer);
        server.start();
        return metrics;
    }

    /** Returns the address that the endpoint listens on. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = registry.scrape(TYPE).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", TYPE);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void add(DeviceMemory device) {
        Gauge.builder(PREFIX + "device.memory.bytes", device, DeviceMemory::usedBytes)
                .description("memory in use of a device on which the process trains")
                .tag("device", device.name())
                .strongReference(true)
                .register(registry);
        Gauge.builder(PREFIX + "device.memory.limit.bytes", device, DeviceMemory::limitBytes)
                .description("memory of a device on which the process trains")
                .tag("device", device.name())
                .strongReference(true)
                .register(registry);
    }

    private Counter counter(String name, String help) {
        return Counter.builder(PREFIX + name).description(help).register(registry);
    }

    private Counter exchange(String what, String direction) {
        return Counter.builder(PREFIX + "exchange." + what + ".bytes")
                .description("bytes of rows that shards " + (what.equals("sent") ? "sent" : "did not have to send"))
                .tag("direction", direction)
                .register(registry);
    }

    /** Registers a gauge over the last report, once: accuracies appear with the first vertices that have one. */
    private void gauge(String name, String help, ToDoubleFunction<RoundReport> value) {
        if (registry.find(PREFIX + name).gauge() == null) {
            Gauge.builder(PREFIX + name, this, metrics -> value.applyAsDouble(Objects.requireNonNull(metrics.last)))
                    .description(help)
                    .register(registry);
        }
    }

    @Override
    public void roundDone(RoundReport report) {
        seconds.increment(report.seconds());
        edges.increment(report.work().edges());
        seeds.increment(report.work().seeds());
        bytes.increment(report.bytesAveraged() - bytes.count()); // the report has the sum, that of a resumed run too
        forwardSent.increment(report.traffic().forwardSent());
        forwardAvoided.increment(report.traffic().forwardAvoided());
        backwardSent.increment(report.traffic().backwardSent());
        backwardAvoided.increment(report.traffic().backwardAvoided());
        otherSent.increment(report.traffic().otherSent());
        batchSent.increment(report.traffic().batchSent());
        batchAvoided.increment(report.traffic().batchAvoided());
        mapped.increment(report.traffic().mapped());
        RoundReport before = last;
        if (before != null && !before.cut().equals(report.cut())) {
            merges.increment();
        }
        last = report;
        gauge("round", "rounds done", RoundReport::round);
        gauge("epoch", "epochs done", RoundReport::epochs);
        gauge(
                "loss",
                "mean loss of the training vertices in the last round",
                round -> round.work().loss());
        addAccuracy(report, VertexSplit.VAL, "validation");
        addAccuracy(report, VertexSplit.TEST, "test");
        gauge(
                "waiting.share",
                "share of the last round's training spent waiting for mini-batches and gradients",
                round -> round.work().waitingShare());
        gauge(
                "batch.waiting.share",
                "share of the last round's training spent waiting for mini-batches",
                round -> round.work().batchWaitingShare());
        gauge("shards", "shards of the graph", round -> round.cut().shards());
        gauge(
                "graph.vertices",
                "vertices of the last round's shards",
                round -> round.size().vertices());
        gauge(
                "graph.edges",
                "edges of the last round's shards, counted in each shard",
                round -> round.size().edges());
        if (report.locality().rows() > 0) {
            gauge(
                    "local.seed.share",
                    "share of the last round's training vertices that their shard owns",
                    round -> round.locality().seedShare());
            gauge(
                    "local.row.share",
                    "share of the last round's rows of features that were in their shard",
                    round -> round.locality().rowShare());
        }
        if (!report.cut().shardOffsets().isEmpty()) {
            gauge(
                    "topic.offset",
                    "end of the cut, summed over the topic's partitions",
                    round -> round.cut().shardOffsets().stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }
    }

    private void addAccuracy(RoundReport report, VertexSplit split, String name) {
        if (report.counts().total(split) > 0) {
            gauge(
                    name + ".accuracy",
                    "share of the " + name + " vertices that are classified correctly",
                    round -> round.counts().accuracy(split));
        }
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        missing.increment();
    }

    @Override
    public void close() {
        server.stop(0);
        registry.close();
    }
}
