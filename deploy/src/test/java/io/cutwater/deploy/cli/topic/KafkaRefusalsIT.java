package io.cutwater.deploy.cli.topic;

import static io.cutwater.deploy.cli.topic.TopicRuns.run;
import static io.cutwater.deploy.cli.topic.TopicRuns.succeed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Brokers and topics that commands refuse to read or to write. */
class KafkaRefusalsIT {
    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static TopicRuns runs;

    @BeforeAll
    static void writeGraph() throws IOException {
        runs = new TopicRuns(broker.bootstrapServers(), folder);
    }

    @Test
    void anotherBrokerAtThePortOfTheLocalClusterIsRefused() throws IOException {
        String port = runs.servers.split(":", 2)[1];
        Path cluster = folder.resolve("cluster");
        Files.createDirectories(cluster.resolve("kafka/log"));
        Files.writeString(cluster.resolve("kafka/log/meta.properties"), "cluster.id=the-one-that-was-started\n");
        Files.writeString(
                cluster.resolve("cluster.json"),
                ("{\"brokerPort\":%s,\"controllerPort\":1,\"flinkPort\":1,\"jobManagerPort\":1,\"taskManagers\":1,"
                                + "\"slots\":1,\"taskManagerMemory\":1073741824,\"metricsPorts\":\"\"}")
                        .formatted(port));

        CommandRun run = run("repartition --replan --dir " + cluster);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("is not that of the cluster in " + cluster, "the-one-that-was-started");
    }

    @Test
    void aTopicThatIsMissingIsSaidInOneSentence() {
        CommandRun run = runs.partition("missing", "--topic nothing --bootstrap-servers " + runs.servers);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).contains("topic nothing does not exist");
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void shardsOfARunThatFailedAreRefused() throws Exception {
        runs.ingest("bad-");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(runs.servers, Map.of()))) {
            producer.send(new ProducerRecord<>("bad-edges", "no edge".getBytes(UTF_8)))
                    .get();
        }
        String publish = runs.publish("bad-");
        assertThat(runs.partition("bad", publish + " --checkpoint-interval 13h").sentence())
                .contains("--checkpoint-interval 46800s needs transactions twice as long")
                .contains("transaction.max.timeout.ms = 86400000");
        assertThat(runs.partition("bad", publish + " --max-malformed 0").exitCode())
                .isEqualTo(1);

        String onTopic = runs.topics("bad-");
        String refusal =
                "topic bad-shards holds the shards of a `partition --publish` that failed: more of its input was"
                        + " malformed than --max-malformed allows; delete topics bad-shards and bad-partition-book and publish again";
        for (String reader : List.of(
                "shard check " + onTopic,
                "shard read %s --shard 1 --out %s".formatted(onTopic, folder.resolve("bad-read")),
                "train --topic shards " + onTopic)) {
            CommandRun refused = run(reader);
            assertThat(refused.exitCode()).as(reader).isEqualTo(1);
            assertThat(refused.sentence()).as(reader).contains(refusal);
        }

        try (Admin admin = Admin.create(Map.of("bootstrap.servers", runs.servers))) {
            admin.deleteTopics(List.of("bad-shards", "bad-partition-book"))
                    .all()
                    .get();
            await().until(() -> !admin.listTopics().names().get().contains("bad-shards"));
        }
        assertThat(runs.partition("bad", publish).exitCode()).isZero();
        succeed("shard check " + onTopic);
    }

    @Test
    void whatIsPublishedIsNotPublishedTwice() {
        runs.ingest("twice-");
        String publish = runs.publish("twice-");
        assertThat(runs.partition("once", publish).exitCode()).isZero();
        CommandRun second = runs.partition("once", publish);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err().lines()).hasSize(1);
        assertThat(second.sentence())
                .startsWith("cutwater: topic twice-shards holds the shards of another job already; ")
                .contains("another --topic-prefix", "delete topics twice-shards and twice-partition-book");
        assertThat(folder.resolve("once")).isDirectory();
        EdgePartitionAudit published = new EdgePartitionAudit(5);
        new ShardTopicReader(runs.servers, Map.of()).readAll("twice-shards", published::add);
        assertThat(published.fingerprint().edges()).isEqualTo(3_000);
    }
}
