package io.cutwater.deploy.cli.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.format.audit.VertexPartitionAudit;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.vertex.VertexTopicReader;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs through a broker. */
class KafkaRunsIT {
    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static String graph = "";

    @BeforeAll
    static void writeGraph() throws IOException {
        graph = Files.writeString(
                        folder.resolve("graph.txt"),
                        IntStream.range(0, 3_000)
                                .mapToObj(i -> i % 97 + " " + i * 31L % 1_009)
                                .collect(Collectors.joining("\n", "u v\n", "\nnot an edge\n")))
                .toString();
    }

    private static CommandRun partition(String out, String... input) {
        String[] args = new String[input.length + 7];
        System.arraycopy(input, 0, args, 7, input.length);
        String[] first = {
            "partition",
            "--partitions",
            "5",
            "--algorithm",
            "greedy",
            "--out",
            folder.resolve(out).toString()
        };
        System.arraycopy(first, 0, args, 0, 7);
        return CommandRun.of(Cutwater::run, args);
    }

    @Test
    void anotherBrokerAtThePortOfTheLocalClusterIsRefused() throws IOException {
        String port = broker.bootstrapServers().split(":", 2)[1];
        Path cluster = folder.resolve("cluster");
        Files.createDirectories(cluster.resolve("kafka/log"));
        Files.writeString(cluster.resolve("kafka/log/meta.properties"), "cluster.id=the-one-that-was-started\n");
        Files.writeString(
                cluster.resolve("cluster.json"),
                ("{\"brokerPort\":%s,\"controllerPort\":1,\"flinkPort\":1,\"jobManagerPort\":1,\"taskManagers\":1,"
                                + "\"slots\":1,\"taskManagerMemory\":1073741824,\"metricsPorts\":\"\"}")
                        .formatted(port));

        CommandRun run = CommandRun.of(Cutwater::run, "repartition", "--replan", "--dir", cluster.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("is not that of the cluster in " + cluster, "the-one-that-was-started");
    }

    @Test
    void theWayOverATopicChangesNoShard() throws IOException {
        String servers = broker.bootstrapServers();
        CommandRun ingest = CommandRun.of(
                Cutwater::run,
                "ingest",
                "--edges",
                graph,
                "--bootstrap-servers",
                servers,
                "--topic-prefix",
                "g-",
                "--json");
        assertThat(ingest.exitCode()).as(ingest.err()).isZero();
        assertThat(ingest.out().strip()).isEqualTo("{\"edges\":3000,\"deadLetters\":1}");

        CommandRun again = CommandRun.of(
                Cutwater::run,
                "ingest",
                "--edges",
                graph,
                "--bootstrap-servers",
                servers,
                "--topic-prefix",
                "g-",
                "--json");
        assertThat(again.out().strip()).isEqualTo("{\"edges\":0,\"deadLetters\":0}");
        assertThat(again.err()).contains("is skipped: its 3000 edges are in the topic");

        CommandRun direct = partition("direct", "--edges", graph);
        CommandRun topic = partition(
                "topic", "--topic", "edges", "--topic-prefix", "g-", "--bootstrap-servers", servers, "--publish");
        CommandRun embedded = partition("embedded", "--edges", graph, "--via-kafka");

        assertThat(direct.exitCode()).as(direct.err()).isZero();
        assertThat(topic.exitCode()).as(topic.err()).isZero();
        assertThat(embedded.exitCode()).as(embedded.err()).isZero();
        assertThat(embedded.out()).contains("dead letters        1");
        for (int shard = 0; shard < 5; shard++) {
            String name = "shards/%05d/edges.csv".formatted(shard);
            byte[] expected = Files.readAllBytes(folder.resolve("direct").resolve(name));
            assertThat(folder.resolve("topic").resolve(name)).hasBinaryContent(expected);
            assertThat(folder.resolve("embedded").resolve(name)).hasBinaryContent(expected);
        }
        assertThat(folder.resolve("embedded/dead-letters.csv"))
                .hasSameTextualContentAs(folder.resolve("direct/dead-letters.csv"));

        EdgePartitionAudit published = new EdgePartitionAudit(5);
        new ShardTopicReader(servers, Map.of()).readAll("g-shards", published::add);
        EdgePartitionAudit ofFolder = EdgePartitionAudit.of(ShardFolder.open(folder.resolve("topic")));
        assertThat(published.report(0)).isEqualTo(ofFolder.report(0));
        assertThat(published.fingerprint()).isEqualTo(ofFolder.fingerprint());
        checkShards(servers, "g-");
        CommandRun read = CommandRun.of(
                Cutwater::run,
                "shard",
                "read",
                "--bootstrap-servers",
                servers,
                "--topic-prefix",
                "g-",
                "--shard",
                "3",
                "--out",
                "-");
        assertThat(read.exitCode()).as(read.err()).isZero();
        assertThat(read.out().lines().sorted())
                .isEqualTo(Files.readAllLines(folder.resolve("direct/shards/00003/edges.csv")).stream()
                        .sorted()
                        .toList());
        assertThat(read.err()).startsWith("shard 3 at offset ");
    }

    /** Finds each edge of the graph once, and no other. */
    private static void checkShards(String servers, String prefix) {
        CommandRun check = CommandRun.of(
                Cutwater::run,
                "shard",
                "check",
                "--bootstrap-servers",
                servers,
                "--topic-prefix",
                prefix,
                "--edges",
                graph);
        assertThat(check.exitCode()).as(check.err()).isZero();
        assertThat(check.out()).isEqualTo("5 shards, generation 0: each of 3,000 edges is in its shard, once\n");
    }

    @Test
    void whatIsPublishedIsNotPublishedTwice() {
        String servers = broker.bootstrapServers();
        CommandRun.of(
                Cutwater::run, "ingest", "--edges", graph, "--bootstrap-servers", servers, "--topic-prefix", "twice-");
        String[] input = {
            "--topic", "edges", "--topic-prefix", "twice-", "--bootstrap-servers", servers, "--publish", "--overwrite"
        };
        assertThat(partition("once", input).exitCode()).isZero();
        CommandRun second = partition("once", input);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err().lines()).hasSize(1);
        assertThat(second.sentence())
                .startsWith("cutwater: topic twice-shards holds the shards of another job already; ")
                .contains("another --topic-prefix", "delete topics twice-shards and twice-partition-book");
        assertThat(folder.resolve("once")).isDirectory();
        EdgePartitionAudit published = new EdgePartitionAudit(5);
        new ShardTopicReader(servers, Map.of()).readAll("twice-shards", published::add);
        assertThat(published.fingerprint().edges()).isEqualTo(3_000);
    }

    @Test
    void shardsOfAVertexPartitioningOnATopicBringTheOwnersOfTheirEdges() throws IOException {
        String servers = broker.bootstrapServers();
        CommandRun.of(
                Cutwater::run, "ingest", "--edges", graph, "--bootstrap-servers", servers, "--topic-prefix", "w-");
        CommandRun run = CommandRun.of(
                Cutwater::run,
                ("partition --algorithm ldg --passes live --partitions 5 --topic edges --topic-prefix w- --publish"
                                + " --bootstrap-servers %s --out %s")
                        .formatted(servers, folder.resolve("owned"))
                        .split(" ", -1));
        assertThat(run.exitCode()).as(run.err()).isZero();

        VertexPartitionAudit published = new VertexPartitionAudit(5);
        new ShardTopicReader(servers, Map.of()).readAll("w-shards", published::add);
        assertThat(published.firstDifference()).isEmpty();
        ShardFolder written = ShardFolder.open(folder.resolve("owned"));
        PartitionAudit ofFolder = PartitionAudit.begin(written);
        written.readEdges(ofFolder::add);
        assertThat(ofFolder.firstDifference(written)).isEmpty();
        assertThat(published.fingerprint()).isEqualTo(ofFolder.fingerprint());
        assertThat(published.report(0)).isEqualTo(ofFolder.report(0));
        assertThat(published.report(0).cutEdges().orElseThrow()).isPositive();
        checkShards(servers, "w-");
        aShardOfTheTopicIsThatOfTheFolder(servers);

        Map<Long, PartitionBookEntry> book = new TreeMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        new TopicReader(servers, Map.of())
                .readAll(
                        "w-partition-book",
                        record -> book.put(
                                ByteBuffer.wrap(record.key()).getLong(), codec.decode(record.key(), record.value())));
        Map<Long, PartitionBookEntry> ofFile = new TreeMap<>();
        Map<Long, Long> degrees = new HashMap<>();
        for (int shard = 0; shard < 5; shard++) {
            written.readVertices(shard, (number, vertex, isHome, degree) -> degrees.put(vertex, degree));
        }
        written.readBook((vertex, owner, replicas, count) -> ofFile.put(
                vertex,
                new PartitionBookEntry(
                        vertex,
                        owner,
                        Arrays.copyOf(replicas, count),
                        PartitionBookEntry.NO_CLUSTER,
                        degrees.get(vertex))));
        assertThat(book).isEqualTo(ofFile);
    }

    @Test
    void tablesOfVerticesGoOntoTheirTopicOnce() throws IOException {
        String servers = broker.bootstrapServers();
        String first = Files.writeString(folder.resolve("v1.csv"), "id,a,label\n7,0.5,1\n8,1,0\n")
                .toString();
        String second =
                Files.writeString(folder.resolve("v2.csv"), "id,a\n-1,2\n").toString();
        String[] line = {"ingest", "--vertices", first, second, "--bootstrap-servers", servers, "--topic-prefix", "v-"};
        CommandRun ingest = CommandRun.of(Cutwater::run, line);
        assertThat(ingest.exitCode()).as(ingest.err()).isZero();
        assertThat(ingest.out()).startsWith("3 vertices written to topic v-vertices");
        assertThat(CommandRun.of(Cutwater::run, line).out()).startsWith("0 vertices written");

        List<String> read = new ArrayList<>();
        new VertexTopicReader(servers, Map.of()).readAll("v-vertices", new VertexTopicReader.VertexHandler() {
            @Override
            public void accept(VertexRecord vertex) {
                read.add(vertex.toString());
            }

            @Override
            public void gone(long vertex) {
                read.add("gone");
            }

            @Override
            public void rejected(RejectedRecord record) {
                read.add(record.reason());
            }
        });
        assertThat(read)
                .containsExactly(
                        "vertex 7: 1 features, label 1, split none",
                        "vertex 8: 1 features, label 0, split none",
                        "vertex -1: 1 features, label -1, split none");

        String bare = Files.writeString(folder.resolve("v3.csv"), "a\n1\n").toString();
        CommandRun refused =
                CommandRun.of(Cutwater::run, "ingest", "--vertices", first, bare, "--bootstrap-servers", servers);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("v3.csv has no column id, so its first row is vertex 0");
    }

    @Test
    void whatATopicSaysOfVerticesGoesIntoTheShardsAsThoughFilesHadSaidIt() throws IOException {
        String servers = broker.bootstrapServers();
        Path edges = folder.resolve("ring.txt");
        Path features = folder.resolve("ring.csv");
        Path split = folder.resolve("ring-split.txt");
        // A ring with chords; all training vertices are beside each other.
        Files.writeString(
                edges,
                IntStream.range(0, 400)
                        .mapToObj(v -> v + " " + (v + 1) % 400 + "\n" + v + " " + (v + 3) % 400 + "\n")
                        .collect(Collectors.joining()));
        Files.writeString(
                features,
                IntStream.range(0, 400)
                        .mapToObj(v -> v / 7f + "," + v % 2)
                        .collect(Collectors.joining("\n", "a,b\n", "\n")));
        Files.writeString(
                split,
                IntStream.range(0, 400)
                        .mapToObj(v -> v < 100 ? "train\n" : "test\n")
                        .collect(Collectors.joining()));
        String data = " --features %s --split %s".formatted(features, split);
        String topics = " --topic-prefix t- --bootstrap-servers " + servers;
        CommandRun ingest = run("ingest --edges " + edges + data + topics);
        assertThat(ingest.exitCode()).as(ingest.err()).isZero();
        // The last of a vertex counts, and what is none is passed over.
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(ClientSettings.producer(servers, Map.of()))) {
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), "{\"label\":1}".getBytes(UTF_8)));
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), null));
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), "?".getBytes(UTF_8)));
        }

        CommandRun partition = run(
                "partition --partitions 4 --imbalance 0.2 --topic edges --vertices-topic vertices --training-imbalance 0.1"
                        + topics + " --json --out " + folder.resolve("ring"));
        assertThat(partition.exitCode()).as(partition.err()).isZero();
        assertThat(partition.err()).contains("1 records of topic t-vertices are malformed; the first: ");
        assertThat(new ObjectMapper()
                        .readTree(partition.out())
                        .path("trainingBalance")
                        .doubleValue())
                .isBetween(1.0, 1.12);
        CommandRun evaluate = run("evaluate --edges " + edges + " --assignment " + folder.resolve("ring") + data);
        assertThat(evaluate.exitCode()).as(evaluate.err()).isZero();
    }

    private static CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, line.split(" ", -1));
    }

    @Test
    void aTopicThatIsMissingIsSaidInOneSentence() {
        CommandRun run = partition("missing", "--topic", "nothing", "--bootstrap-servers", broker.bootstrapServers());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).contains("topic nothing does not exist");
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    @Timeout(15)
    void aBrokerThatIsNotThereIsSaidInOneSentence() {
        CommandRun run = partition("unreachable", "--topic", "edges", "--bootstrap-servers", "127.0.0.1:1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).contains("no Kafka broker answers at 127.0.0.1:1", "--bootstrap-servers");
    }

    @Test
    void shardsOfARunThatFailedAreRefused() throws Exception {
        String servers = broker.bootstrapServers();
        CommandRun.of(
                Cutwater::run, "ingest", "--edges", graph, "--bootstrap-servers", servers, "--topic-prefix", "bad-");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(ClientSettings.producer(servers, Map.of()))) {
            producer.send(new ProducerRecord<>("bad-edges", "no edge".getBytes(UTF_8)))
                    .get();
        }
        String[] publish = {
            "--topic", "edges", "--topic-prefix", "bad-", "--bootstrap-servers", servers, "--publish", "--overwrite"
        };
        String[] strict = Arrays.copyOf(publish, publish.length + 2);
        strict[publish.length] = "--checkpoint-interval";
        strict[publish.length + 1] = "13h";
        assertThat(partition("bad", strict).sentence())
                .contains("--checkpoint-interval 46800s needs transactions twice as long")
                .contains("transaction.max.timeout.ms = 86400000");
        strict[publish.length] = "--max-malformed";
        strict[publish.length + 1] = "0";
        assertThat(partition("bad", strict).exitCode()).isEqualTo(1);

        String onTopic = "--bootstrap-servers %s --topic-prefix bad-".formatted(servers);
        String refusal =
                "topic bad-shards holds the shards of a `partition --publish` that failed: more of its input was"
                        + " malformed than --max-malformed allows; delete topics bad-shards and bad-partition-book and publish again";
        for (String reader : List.of(
                "shard check " + onTopic,
                "shard read %s --shard 1 --out %s".formatted(onTopic, folder.resolve("bad-read")),
                "train --topic shards " + onTopic)) {
            CommandRun refused = CommandRun.of(Cutwater::run, reader.split(" ", -1));
            assertThat(refused.exitCode()).as(reader).isEqualTo(1);
            assertThat(refused.sentence()).as(reader).contains(refusal);
        }

        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of("bad-shards", "bad-partition-book"))
                    .all()
                    .get();
            await().until(() -> !admin.listTopics().names().get().contains("bad-shards"));
        }
        assertThat(partition("bad", publish).exitCode()).isZero();
        CommandRun whole = CommandRun.of(Cutwater::run, ("shard check " + onTopic).split(" ", -1));
        assertThat(whole.exitCode()).as(whole.err()).isZero();
    }

    @Test
    void theDemoLearnsFromLiveShardsWhatTheWholeGraphTeaches() throws IOException {
        CommandRun run = run("demo --edges 20000 --rate 1000000 --epochs 12 --seed 3 --json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("edges").longValue()).isEqualTo(20_480);
        assertThat(report.path("kind").textValue()).isEqualTo("vertex");
        assertThat(report.path("partitions").intValue()).isEqualTo(6);
        assertThat(report.path("repartition").path("state").textValue()).isEqualTo("done");
        assertThat(run.err())
                .contains("checked topic demo-shards: each of the 20,480 edges is in its shard exactly once,");
        assertThat(report.path("model").textValue()).isEqualTo("graphsage");
        assertThat(report.path("epochs").intValue()).isEqualTo(12);
        assertThat(report.path("bytesAveraged").longValue()).isPositive();
        // Of 12 classes; a vertex's own features tell 4 of 10 (LabelledGraphTest), and so small a graph says little
        // more.
        double whole = report.path("centralisedTestAccuracy").doubleValue();
        assertThat(whole).isGreaterThan(0.5);
        assertThat(report.path("testAccuracy").doubleValue()).isBetween(whole - 0.15, whole + 0.15);
    }

    /** But for the degree of vertices that others own. */
    private static void aShardOfTheTopicIsThatOfTheFolder(String servers) throws IOException {
        Path read = folder.resolve("read");
        CommandRun run = CommandRun.of(
                Cutwater::run,
                ("shard read --bootstrap-servers %s --topic-prefix w- --shard 1 --json --out %s"
                                .formatted(servers, read))
                        .split(" ", -1));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("{\n  \"topic\" : \"w-shards\",\n  \"shard\" : 1,\n  \"kind\" : \"vertex\",");
        Path written = folder.resolve("owned/shards/00001");
        assertThat(Files.readAllLines(read.resolve("edges.csv")).stream().sorted())
                .isEqualTo(Files.readAllLines(written.resolve("edges.csv")).stream()
                        .sorted()
                        .toList());
        List<String> vertices = Files.readAllLines(read.resolve("vertices.csv"));
        List<String> expected = Files.readAllLines(written.resolve("vertices.csv"));
        assertThat(vertices).hasSameSizeAs(expected);
        for (int i = 0; i < vertices.size(); i++) {
            String vertex = vertices.get(i);
            boolean isHalo = vertex.contains(",halo,");
            int end = isHalo ? vertex.lastIndexOf(',') : vertex.length();
            assertThat(vertex.substring(0, end))
                    .isEqualTo(expected.get(i)
                            .substring(
                                    0,
                                    isHalo
                                            ? expected.get(i).lastIndexOf(',')
                                            : expected.get(i).length()));
        }
        CommandRun again = CommandRun.of(
                Cutwater::run,
                ("shard read --bootstrap-servers %s --topic-prefix w- --shard 1 --out %s".formatted(servers, read))
                        .split(" ", -1));
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.sentence()).contains("holds a complete shard folder already");
    }
}
