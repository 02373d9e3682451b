package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FlinkCluster;
import io.cutwater.testkit.RegistryProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs that read records of Apicurio's serializers: what was produced is in the shards, or a dead letter. */
@Timeout(300)
final class RegistryJobsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int EDGES = 3_000;

    /** Of test/resources/log4j2-test.properties. */
    private static final Path LOG = Path.of("target/test.log");

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private static Path folder;

    private static RegistryProcess registry;

    @BeforeAll
    static void start() throws Exception {
        registry = SharedRegistry.get();
    }

    private static PaymentSource source(String format, String topic) throws Exception {
        return switch (format) {
            case "avro" -> new AvroPayments(registry, topic, false, "contentId");
            case "protobuf" -> new ProtobufPayments(registry, topic, false, false);
            default -> new JsonPayments(registry, topic);
        };
    }

    private static CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, line.split(" ", -1));
    }

    private static CommandRun succeed(String line) {
        CommandRun run = run(line);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run;
    }

    private static String topics(String prefix) {
        return " --bootstrap-servers %s --topic-prefix %s".formatted(broker.bootstrapServers(), prefix);
    }

    private static String mapping(PaymentSource source) {
        return " --event-format %s --schema-registry %s %s"
                .formatted(source.format(), source.registry(), source.mapping());
    }

    @ParameterizedTest
    @ValueSource(strings = {"avro", "protobuf", "json"})
    void aBoundedRunPlacesEachEdgeAndRejectsEachMalformedRecord(String format) throws Exception {
        String prefix = format + "-";
        SentPayments sent = new SentPayments(broker.bootstrapServers(), prefix + "edges");
        Path out = folder.resolve(format);
        try (PaymentSource source = source(format, prefix + "edges")) {
            List<PaymentRecord> records = source.mixed(EDGES);
            long rejected = records.stream().filter(one -> one.reason() != null).count();
            assertThat(rejected).isGreaterThanOrEqualTo(8);
            sent.send(records);
            CommandRun partition = succeed(
                    "partition --topic edges --partitions 4 --publish --out " + out + mapping(source) + topics(prefix));
            assertThat(partition.out()).containsPattern("dead letters +" + rejected + "\n");
            CommandRun misspelt = run("partition --topic edges --partitions 4 --out " + folder.resolve("none")
                    + mapping(source) + "e" + topics(prefix));
            assertThat(misspelt.exitCode()).as(misspelt.toString()).isEqualTo(2);
            assertThat(misspelt.sentence()).contains("--target: the schema has no field payeee; the fields are ");
        }
        assertThat(edges(out)).isEqualTo(sent.edges());
        sent.assertDeadLetters(deadLetters(out.resolve("dead-letters.csv"), prefix + "edges"));
        assertThat(succeed("shard check --edges " + sent.write(folder.resolve(format + ".txt")) + topics(prefix))
                        .out())
                .contains("each of %,d edges is in its shard, once"
                        .formatted(sent.edges().size()));
    }

    /** Returns the lines {@code u v} of all shards of an output folder, sorted. */
    private static List<String> edges(Path out) throws IOException {
        List<String> edges = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            List<String> lines = Files.readAllLines(out.resolve("shards/%05d/edges.csv".formatted(shard)));
            for (String line : lines.subList(1, lines.size())) {
                String[] columns = line.split(",", -1);
                edges.add(columns[0] + " " + columns[1]);
            }
        }
        return edges.stream().sorted().toList();
    }

    /** Returns the reasons in a file by topic partition and offset; a value may have line breaks and any bytes. */
    private static Map<String, String> deadLetters(Path file, String topic) throws IOException {
        Map<String, String> letters = new TreeMap<>();
        Matcher rows = Pattern.compile("(?m)^(.*?)," + topic + ",([0-9]+),([0-9]+),")
                .matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        while (rows.find()) {
            letters.put(rows.group(2) + " " + rows.group(3), rows.group(1));
        }
        return letters;
    }

    private static Map<String, String> deadLetters(String topic) {
        Map<String, String> letters = new TreeMap<>();
        new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topic, record -> {
            RejectedRecord letter = DeadLetterRecords.fromRecord(record);
            assertThat(letter.value().length).isLessThanOrEqualTo(RejectedRecord.MAX_VALUE_BYTES);
            letters.put(letter.topicPartition() + " " + letter.offset(), letter.reason());
        });
        return letters;
    }

    @Test
    void aLiveJobWaitsForARegistryThatWasKilled() throws Exception {
        SentPayments sent = new SentPayments(broker.bootstrapServers(), "live-edges");
        Configuration configuration = new Configuration();
        configuration.setString("rest.bind-port", "0");
        configuration.setString("rest.address", "127.0.0.1");
        // What the job's jar has is on the class path of this process, too.
        configuration.setString("classloader.resolve-order", "parent-first");
        configuration.setString("taskmanager.memory.managed.size", "64m");
        String checkpoints = folder.resolve("checkpoints").toUri().toString();
        configuration.setString("execution.checkpointing.dir", checkpoints);
        configuration.setString("execution.checkpointing.savepoint-dir", checkpoints);
        try (FlinkCluster flink = FlinkCluster.start(configuration, 2);
                AvroPayments source = new AvroPayments(registry, "live-edges", false, "contentId")) {
            String onFlink =
                    " --flink 127.0.0.1:%d --dir %s".formatted(flink.endpoint().getPort(), folder.resolve("cluster"));
            // All are serialized before the registry is gone; the job sees the second schema after that only.
            List<PaymentRecord> before = new ArrayList<>(edges(source, 0, 1_000, false));
            before.addAll(source.malformed());
            List<PaymentRecord> known = edges(source, 1_000, 2_000, false);
            List<PaymentRecord> unknown = edges(source, 2_000, EDGES, true);
            String submit = "submit --partitions 4 --wait-limit 100ms --checkpoint-interval 300ms" + mapping(source)
                    + topics("live-") + onFlink;
            sent.send(before);
            succeed(submit);
            awaitEdges(onFlink, sent.edges().size());

            registry.kill();
            sent.send(known);
            int committed = sent.edges().size();
            awaitEdges(onFlink, committed);
            sent.send(unknown);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Files.readString(LOG))
                            .containsPattern("the schema registry at " + registry.apicurio()
                                    + " cannot be used: it does not answer .*; a record with schema with content id"
                                    + " [0-9]+ waits for it, and all records behind it"));
            CommandRun refused = run(submit.replace("live-", "other-"));
            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(1);
            assertThat(refused.sentence()).contains("the schema registry at " + registry.apicurio());
            assertThat(status(onFlink).json().at("/jobs/0/edges").asInt()).isEqualTo(committed);

            registry.restart();
            awaitEdges(onFlink, sent.edges().size());
            assertThat(status(onFlink).json().at("/jobs/0/restarts").asInt()).isZero();
            succeed("stop" + onFlink);
            sent.assertDeadLetters(deadLetters("live-dead-letters"));
            assertThat(succeed("shard check --edges " + sent.write(folder.resolve("live.txt")) + topics("live-"))
                            .out())
                    .contains("each of %,d edges is in its shard, once"
                            .formatted(sent.edges().size()));
        }
    }

    private static List<PaymentRecord> edges(AvroPayments source, int from, int to, boolean withSecond) {
        return IntStream.range(from, to)
                .mapToObj(i -> source.edge(
                        withSecond && i % 2 == 0 ? AvroPayments.SECOND : AvroPayments.FIRST, i % 97, i * 31L % 1_009))
                .toList();
    }

    private static CommandRun status(String onFlink) {
        return succeed("status --json" + onFlink);
    }

    private static void awaitEdges(String onFlink, int count) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(
                                status(onFlink).json().at("/jobs/0/edges").asInt())
                        .isEqualTo(count));
    }
}
