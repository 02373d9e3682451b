package io.cutwater.deploy.cli.training;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a training stands after its last round, as Prometheus reads it: {@code GET /metrics}. */
final class TrainingMetrics implements RoundListener, AutoCloseable {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private volatile String text = "";
    private double seconds;
    private long edges;
    private long seeds;
    private long missing;
    private long merges;
    private @Nullable ShardCut cut;

    private TrainingMetrics(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to answer.
     *
     * @throws IOException with a sentence, if the address cannot be had
     */
    static TrainingMetrics serve(InetSocketAddress address) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "--metrics: cannot listen on %s: %s; choose another port".formatted(address, e.getMessage()), e);
        }
        TrainingMetrics metrics = new TrainingMetrics(server);
        server.createContext("/metrics", metrics::answer);
        server.start();
        return metrics;
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", TYPE);
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void roundDone(RoundReport report) {
        seconds += report.seconds();
        edges += report.work().edges();
        seeds += report.work().seeds();
        StringBuilder all = new StringBuilder();
        add(all, "round", "gauge", "rounds done", report.round());
        add(all, "epoch", "gauge", "epochs done", report.epochs());
        add(
                all,
                "loss",
                "gauge",
                "mean loss of the training vertices in the last round",
                report.work().loss());
        if (report.counts().total(VertexSplit.VAL) > 0) {
            double accuracy = report.counts().accuracy(VertexSplit.VAL);
            add(all, "validation_accuracy", "gauge", "share of the validation vertices that are right", accuracy);
        }
        if (report.counts().total(VertexSplit.TEST) > 0) {
            double accuracy = report.counts().accuracy(VertexSplit.TEST);
            add(all, "test_accuracy", "gauge", "share of the test vertices that are right", accuracy);
        }
        add(all, "seconds_total", "counter", "time of the rounds, tests included", seconds);
        add(all, "edges_total", "counter", "edges of all mini-batches", edges);
        add(all, "seeds_total", "counter", "training vertices, once an epoch", seeds);
        add(
                all,
                "waiting_share",
                "gauge",
                "share of the last round's training that waited for samples",
                report.work().nanos() == 0
                        ? 0
                        : (double) report.work().waitedNanos() / report.work().nanos());
        add(all, "averaged_bytes_total", "counter", "models sent, both ways", report.bytesAveraged());
        add(all, "missing_shards_total", "counter", "shards that a round went on without", missing);
        addGraph(all, report);
        text = all.toString();
    }

    private void addGraph(StringBuilder all, RoundReport report) {
        if (cut != null && !cut.equals(report.cut())) {
            merges++;
        }
        cut = report.cut();
        add(
                all,
                "shards",
                "gauge",
                "shards that the graph has now",
                report.cut().shards());
        add(
                all,
                "graph_vertices",
                "gauge",
                "vertices of the last round's shards",
                report.size().vertices());
        add(
                all,
                "graph_edges",
                "gauge",
                "edges of the last round's shards, in each that has them",
                report.size().edges());
        add(all, "merges_total", "counter", "times that the shards changed", merges);
        if (!report.cut().shardOffsets().isEmpty()) {
            long offset = report.cut().shardOffsets().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            add(all, "topic_offset", "gauge", "end of what is merged, summed over the topic's partitions", offset);
        }
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        missing++;
    }

    private static void add(StringBuilder all, String name, String type, String help, double value) {
        String full = "cutwater_train_" + name;
        all.append(
                String.format(Locale.ROOT, "# HELP %s %s\n# TYPE %s %s\n%s %s\n", full, help, full, type, full, value));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
