package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.ingest.EdgeIngest;
import io.cutwater.kafka.ingest.EdgeOperation;
import io.cutwater.kafka.ingest.IngestOptions;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Edges and, in one task, vertices that come and go on a topic, through a live job that crashes, against the net graph.
 */
final class RemovalsIT {
    private static final int K = 4;
    private static final int CRASHES_AT_BATCH = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}, tables: {1}, assigners: {2}")
    @CsvSource({"vertex, 1, 1", "edge, 2, 3"})
    void shardsBookAndReportEqualTheNetGraphAlsoAfterACrash(String kind, int tables, int assigners) throws Exception {
        Topics topics = new Topics(kind + tables + "-" + assigners + "-");
        PartitionRequest request =
                LiveRequests.keepingEdges(broker.bootstrapServers(), topics, kind, K, tables, assigners, false);
        ShardCheck check = new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards());
        NetGraph net = new NetGraph(broker.bootstrapServers(), topics, 3, true, true);
        net.write();
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    var edges = CrashOnce.in(PartitionJob.read(env, request), name, CRASHES_AT_BATCH);
                    TopicOutput.attach(
                            PartitionJob.define(edges, request),
                            request.output().topics(),
                            request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 1))) {
            await().atMost(PATIENCE).until(() -> CrashOnce.hasCrashed(name));
            net.write();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
                assertThat(check.readOn().problem()).isEmpty();
                return NetGraph.shards(broker.bootstrapServers(), topics, K)
                        .graph()
                        .equals(net.graph);
            });
            // With several assigners the book is that of the tables, which lag behind.
            await().atMost(PATIENCE).untilAsserted(() -> {
                net.assertBookAndReport(K, request.assigner().partitioner().kind());
                assertThat(run.metrics().value("unknownRemovals")).hasValue(net.unknown);
            });
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    @Tag("campaign")
    @ParameterizedTest(name = "{0}, tables: {1}, assigners: {2}")
    @CsvSource({"edge, 1, 1", "edge, 3, 1", "vertex, 2, 1", "vertex, 2, 3"})
    void equalItInOtherJobsToo(String kind, int tables, int assigners) throws Exception {
        shardsBookAndReportEqualTheNetGraphAlsoAfterACrash(kind, tables, assigners);
    }

    /** The job reads csv, and the removals come in a format that has any: each record says which it is. */
    @Test
    void acceptsRemovalsInAnotherFormatThanTheJobs() throws Exception {
        Topics topics = new Topics("mixed-");
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                broker.bootstrapServers(),
                "--topic-prefix",
                topics.prefix(),
                "--partitions",
                "" + K,
                "--wait-limit",
                "200ms",
                "--checkpoint-interval",
                "200ms",
                "--keep-edges",
                "true");
        try (EmbeddedRun run = SharedCluster.startLive(options, folder, 0)) {
            ingest(topics, EdgeEventFormat.CSV, EdgeOperation.ADD, 400);
            ingest(topics, EdgeEventFormat.JSON, EdgeOperation.REMOVE, 100);
            ingest(topics, EdgeEventFormat.BINARY, EdgeOperation.ADD, 30);
            await().atMost(PATIENCE).untilAsserted(() -> {
                RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(topics);
                assertThat(report).isNotNull();
                assertThat(report.quality().deadLetters()).isZero();
                assertThat(report.quality().edges()).isEqualTo(330);
                assertThat(report.unknownRemovals()).isZero();
            });
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    private static void ingest(Topics topics, EdgeEventFormat format, EdgeOperation operation, int edges)
            throws IOException {
        IngestOptions options = new IngestOptions(
                broker.bootstrapServers(), topics.edges(), topics.deadLetters(), format, 50, 0, Map.of(), operation);
        int[] sent = new int[1];
        new EdgeIngest(options, count -> {}).run(batch -> {
            for (; batch.size() < 50 && sent[0] < edges; sent[0]++) {
                batch.add(sent[0], sent[0] % 20);
            }
            return !batch.isEmpty();
        });
    }
}
