package io.cutwater.deploy.cli.topic;

import static io.cutwater.deploy.cli.topic.TopicRuns.run;
import static io.cutwater.deploy.cli.topic.TopicRuns.succeed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.vertex.VertexTopicReader;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs through a broker. */
class KafkaRunsIT {
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
    void theWayOverATopicChangesNoShard() throws IOException {
        CommandRun ingest = runs.ingest("g-");
        assertThat(ingest.out().strip()).isEqualTo("{\"edges\":3000,\"deadLetters\":1}");

        CommandRun again = runs.ingest("g-");
        assertThat(again.out().strip()).isEqualTo("{\"edges\":0,\"deadLetters\":0}");
        assertThat(again.err()).contains("is skipped: the topic has its 3,000 edges");

        compareReadsTheNewestEdges();

        CommandRun direct = runs.partitionFile("direct", "");
        CommandRun topic = runs.partition("topic", runs.publish("g-"));
        CommandRun embedded = runs.partitionFile("embedded", "--via-kafka");

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
        namedFieldsOfAFileAreTheSameEdges();
        theLastRowOfEachKeyIsItsEdge();
        assertThat(folder.resolve("embedded/dead-letters.csv"))
                .hasSameTextualContentAs(folder.resolve("direct/dead-letters.csv"));

        EdgePartitionAudit published = new EdgePartitionAudit(5);
        new ShardTopicReader(runs.servers, Map.of()).readAll("g-shards", published::add);
        EdgePartitionAudit ofFolder = EdgePartitionAudit.of(ShardFolder.open(folder.resolve("topic")));
        assertThat(published.report(0)).isEqualTo(ofFolder.report(0));
        assertThat(published.fingerprint()).isEqualTo(ofFolder.fingerprint());
        runs.checkShards("g-");
        CommandRun read = succeed("shard read --shard 3 --out - " + runs.topics("g-"));
        assertThat(read.out().lines().sorted())
                .isEqualTo(Files.readAllLines(folder.resolve("direct/shards/00003/edges.csv")).stream()
                        .sorted()
                        .toList());
        assertThat(read.err()).startsWith("shard 3 at offset ");
        readPrintsTheTextsOfTopicIds(read.out().lines().toList());
    }

    /** The topic is of a job with text ids; its texts are planted. */
    private static void readPrintsTheTextsOfTopicIds(List<String> edges) {
        Set<Long> vertices = new TreeSet<>();
        List<String> expected = new ArrayList<>(edges.subList(0, 1));
        for (String edge : edges.subList(1, edges.size())) {
            String[] columns = edge.split(",", 3);
            vertices.add(Long.parseLong(columns[0]));
            vertices.add(Long.parseLong(columns[1]));
            columns[0] = "\"a, " + columns[0] + '"';
            columns[1] = "\"a, " + columns[1] + '"';
            expected.add(String.join(",", columns));
        }
        try (TopicAdmin admin = TopicAdmin.connect(runs.servers, Map.of())) {
            admin.ensure(new Topics("g-").texts());
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(runs.servers, Map.of()))) {
            for (long vertex : vertices) {
                byte[] text = ("a, " + vertex).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(
                        "g-ids", VertexTextCodec.key(vertex), VertexTextCodec.value(text, 0, text.length)));
            }
        }
        CommandRun texts = succeed("shard read --shard 3 --out - " + runs.topics("g-"));
        assertThat(texts.out().lines()).isEqualTo(expected);
    }

    private static void compareReadsTheNewestEdges() throws IOException {
        String compare = "compare --json --algorithms hash,hdrf --partitions 4 ";
        Path newest = Files.write(
                folder.resolve("newest.txt"),
                Files.readAllLines(Path.of(runs.graph)).subList(2_001, 3_001)); // behind the header
        for (int last : new int[] {1_000, 5_000}) {
            JsonNode ofTopic = succeed(compare + "--topic edges --last %d ".formatted(last) + runs.topics("g-"))
                    .json();
            JsonNode ofFile = succeed(compare + "--edges " + (last == 1_000 ? newest : runs.graph))
                    .json();
            for (String key : new String[] {"algorithm", "edges", "replicationFactor", "edgeBalance"}) {
                assertThat(ofTopic.findValuesAsText(key))
                        .as(key)
                        .hasSizeGreaterThan(1)
                        .isEqualTo(ofFile.findValuesAsText(key));
            }
        }
    }

    @Test
    void withoutBootstrapServersTheBrokerOfTheLocalClusterIsUsed() throws IOException {
        Path cluster = Path.of(System.getenv("CUTWATER_CLUSTER"));
        CommandRun missing = run("ingest --topic-prefix own- --edges " + runs.graph);
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err())
                .contains("ingest needs --bootstrap-servers HOST:PORT; there is no local cluster in " + cluster);
        String port = runs.servers.substring(runs.servers.lastIndexOf(':') + 1);
        Files.createDirectories(cluster);
        Path settings = Files.writeString(cluster.resolve("cluster.json"), "{\"brokerPort\":%s}".formatted(port));
        try {
            CommandRun ingest = succeed("ingest --json --topic-prefix own- --edges " + runs.graph);
            assertThat(ingest.out().strip()).isEqualTo("{\"edges\":3000,\"deadLetters\":1}");
        } finally {
            Files.delete(settings);
        }
    }

    @Test
    void shardsOfAVertexPartitioningOnATopicBringTheOwnersOfTheirEdges() throws IOException {
        runs.ingest("w-");
        succeed("partition --algorithm ldg --passes live --partitions 5 --topic edges --publish --out %s %s"
                .formatted(folder.resolve("owned"), runs.topics("w-")));

        VertexPartitionAudit published = new VertexPartitionAudit(5);
        new ShardTopicReader(runs.servers, Map.of()).readAll("w-shards", published::add);
        assertThat(published.firstDifference()).isEmpty();
        ShardFolder written = ShardFolder.open(folder.resolve("owned"));
        PartitionAudit ofFolder = PartitionAudit.begin(written);
        written.readEdges(ofFolder::add);
        assertThat(ofFolder.firstDifference(written)).isEmpty();
        assertThat(published.fingerprint()).isEqualTo(ofFolder.fingerprint());
        assertThat(published.report(0)).isEqualTo(ofFolder.report(0));
        assertThat(published.report(0).cutEdges().orElseThrow()).isPositive();
        runs.checkShards("w-");
        aShardOfTheTopicIsThatOfTheFolder();

        Map<Long, PartitionBookEntry> book = new TreeMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        new TopicReader(runs.servers, Map.of())
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
        String first = Files.writeString(folder.resolve("v1.csv"), "id,a,label\n7,0.5,1\n8,1,0\n")
                .toString();
        String second =
                Files.writeString(folder.resolve("v2.csv"), "id,a\n-1,2\n").toString();
        String line = "ingest --vertices %s %s %s".formatted(first, second, runs.topics("v-"));
        CommandRun ingest = succeed(line);
        assertThat(ingest.out()).startsWith("3 vertices written to topic v-vertices");
        assertThat(run(line).out()).startsWith("0 vertices written");

        List<String> read = new ArrayList<>();
        new VertexTopicReader(runs.servers, Map.of()).readAll("v-vertices", new VertexTopicReader.VertexHandler() {
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
        CommandRun refused = run("ingest --vertices %s %s --bootstrap-servers %s".formatted(first, bare, runs.servers));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("v3.csv has no column id, so its first row is vertex 0");
    }

    @Test
    void whatATopicSaysOfVerticesGoesIntoTheShardsAsThoughFilesHadSaidIt() throws IOException {
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
        String topics = " " + runs.topics("t-");
        succeed("ingest --edges " + edges + data + topics);
        // The last of a vertex counts, and what is none is passed over.
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(runs.servers, Map.of()))) {
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), "{\"label\":1}".getBytes(UTF_8)));
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), null));
            producer.send(new ProducerRecord<>("t-vertices", "900".getBytes(UTF_8), "?".getBytes(UTF_8)));
        }

        CommandRun partition = succeed(
                "partition --partitions 4 --imbalance 0.2 --topic edges --vertices-topic vertices --training-imbalance 0.1"
                        + topics + " --json --out " + folder.resolve("ring"));
        assertThat(partition.err()).contains("1 record of topic t-vertices is malformed; the first: ");
        assertThat(partition.json().path("trainingBalance").doubleValue()).isBetween(1.0, 1.12);
        succeed("evaluate --edges " + edges + " --assignment " + folder.resolve("ring") + data);
    }

    @Test
    void changesOfATableWithTextsLeaveItsRows() throws IOException {
        String change = "{\"schema\":{},\"payload\":{\"op\":\"%s\",\"before\":%s,\"after\":%s}}";
        String row = "{\"payer\":\"user:%d\",\"payee\":\"user:%d\",\"note\":\"n\"}";
        try (TopicAdmin admin = TopicAdmin.connect(runs.servers, Map.of())) {
            admin.ensure(new Topics("c-").spec("c-edges", 1));
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(runs.servers, Map.of()))) {
            for (int i = 0; i < 300; i++) {
                String before = row.formatted(i, i + 1);
                producer.send(value("c-edges", change.formatted("c", "null", before)));
                if (i % 3 == 1) {
                    producer.send(value("c-edges", change.formatted("u", before, row.formatted(i, i + 2))));
                } else if (i % 3 == 2) {
                    producer.send(value("c-edges", change.formatted("d", before, "null")));
                }
            }
            producer.send(value("c-edges", "{\"op\":\"c\",\"after\":{\"payer\":1.5}}"));
        }
        String topic =
                "--topic edges --ids text --event-format debezium-json --source after.payer --target after.payee "
                        + runs.topics("c-");
        CommandRun partition = runs.partition("payments", "--ids-seed 5 " + topic);
        assertThat(partition.exitCode()).as(partition.err()).isZero();
        assertThat(partition.out()).contains("dead letters        1");
        assertThat(Files.readString(folder.resolve("payments/dead-letters.csv")))
                .contains("after.payer is neither text nor");
        Map<Long, String> texts = new HashMap<>();
        List<String> lines = Files.readAllLines(folder.resolve("payments/ids.csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split(",", -1);
            texts.put(Long.parseLong(columns[0]), columns[1]);
            assertThat(TextHash.of(5).id(columns[1].getBytes(UTF_8))).isEqualTo(Long.parseLong(columns[0]));
        }
        assertThat(texts).hasSize(301);
        List<String> left = new ArrayList<>();
        ShardFolder.open(folder.resolve("payments")).readEdges((shard, edges) -> {
            for (int i = 0; i < edges.size(); i++) {
                left.add(texts.get(edges.source(i)) + " " + texts.get(edges.target(i)));
            }
        });
        assertThat(left)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 300)
                        .filter(i -> i % 3 < 2)
                        .mapToObj(i -> "user:%d user:%d".formatted(i, i + 1 + i % 3))
                        .toList());
        Path rows = Files.write(folder.resolve("rows.txt"), left);
        textsOfFilesAndTopicsBecomeTheSameIds(topic, left);
        succeed("evaluate --edges " + rows + " --assignment " + folder.resolve("payments"));
        Files.writeString(rows, "user:0 user:2\n", StandardOpenOption.APPEND);
        assertThat(run("evaluate --edges " + rows + " --assignment " + folder.resolve("payments"))
                        .sentence())
                .contains("assigns 200 edges, but --edges has 201");
        assertThat(succeed("compare --json --algorithms hash --partitions 4 " + topic)
                        .json()
                        .findPath("edges")
                        .asInt())
                .isEqualTo(400); // it counts what is added, also what is removed again
    }

    /** Vertex data by their texts: on a topic, in files for shards, and in files for a training. */
    private static void textsOfFilesAndTopicsBecomeTheSameIds(String topic, List<String> left) throws IOException {
        Set<String> vertices = new TreeSet<>();
        left.forEach(edge -> vertices.addAll(List.of(edge.split(" "))));
        StringBuilder table = new StringBuilder("id,a,b,label,split\nuser:nowhere,1,0,0,train\n");
        int row = 0;
        for (String vertex : vertices) {
            int kind = Integer.parseInt(vertex.substring("user:".length())) % 2;
            table.append("%s,%d,%d,%d,%s\n".formatted(vertex, kind, 1 - kind, kind, row++ % 2 == 0 ? "train" : "test"));
        }
        Path data = Files.writeString(folder.resolve("texts.csv"), table);
        String ingest = "ingest --ids text --ids-seed %d --vertices %s " + runs.topics("c-");
        assertThat(succeed(ingest.formatted(5, data)).out())
                .startsWith("%d vertices written to topic c-vertices".formatted(vertices.size() + 1));
        assertThat(succeed(ingest.formatted(5, data)).out()).startsWith("0 vertices written");
        assertThat(run(ingest.formatted(5, runs.graph)).err()).contains("does not name its vertices");

        String output = " --ids-seed 5 --allow-missing-features --json --overwrite " + topic;
        CommandRun published = runs.partition("with-topic", "--publish --vertices-topic vertices" + output);
        assertThat(published.exitCode()).as(published.err()).isZero();
        CommandRun files = runs.partition("with-file", "--features " + data + output);
        assertThat(files.exitCode()).as(files.err()).isZero();
        for (int shard = 0; shard < 5; shard++) {
            for (String name : new String[] {"edges.csv", "vertices.csv", "features.npy", "labels.npy", "split.npy"}) {
                Path of = Path.of("shards/%05d".formatted(shard), name);
                assertThat(folder.resolve("with-file").resolve(of))
                        .as("%s", of)
                        .hasSameBinaryContentAs(folder.resolve("with-topic").resolve(of));
            }
        }

        Set<String> read = new TreeSet<>();
        for (int shard = 0; shard < 5; shard++) {
            succeed("shard read --shard %d --out - ".formatted(shard) + runs.topics("c-"))
                    .out()
                    .lines()
                    .skip(1)
                    .forEach(edge -> read.add(edge.split(",")[0] + " " + edge.split(",")[1]));
        }
        assertThat(read).isEqualTo(new TreeSet<>(left));

        Path model = folder.resolve("text-model");
        succeed("train --shards %s --features %s --epochs 1 --out %s"
                .formatted(folder.resolve("payments"), data, model));
        Path predictions = folder.resolve("text-predictions");
        succeed("predict --trained %s --shards %s --features %s --no-embeddings --out %s"
                .formatted(model, folder.resolve("payments"), data, predictions));
        assertThat(Files.readAllLines(predictions.resolve("ids.csv")).stream()
                        .skip(1)
                        .map(line -> line.substring(line.indexOf(',') + 1)))
                .containsExactlyInAnyOrderElementsOf(vertices);
    }

    /** Compares shards with those of the graph's own file. */
    private static void namedFieldsOfAFileAreTheSameEdges() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String edge : Files.readAllLines(Path.of(runs.graph)).subList(1, 3_002)) { // behind the header
            String[] ends = edge.split(" ");
            lines.add("{\"from\":{\"id\":\"%s\"},\"to\":%s}".formatted(ends[0], ends[1]));
        }
        Path file = Files.write(folder.resolve("graph.jsonl"), lines);
        CommandRun ingest =
                succeed("ingest --json --edges %s --source from.id --target to %s".formatted(file, runs.topics("n-")));
        assertThat(ingest.out().strip()).isEqualTo("{\"edges\":3000,\"deadLetters\":1}");
        CommandRun misspelt =
                succeed("ingest --edges %s --source from.key --target to %s".formatted(file, runs.topics("m-")));
        assertThat(misspelt.out()).startsWith("0 edges written to topic m-edges, 3,001 dead letters to ");
        assertThat(misspelt.err())
                .contains("note: no row became an edge; topic m-dead-letters has the reasons, and the rows must have");
        CommandRun partition = runs.partition("named", "--topic edges " + runs.topics("n-"));
        assertThat(partition.exitCode()).as(partition.err()).isZero();
        for (int shard = 0; shard < 5; shard++) {
            String name = "shards/%05d/edges.csv".formatted(shard);
            assertThat(folder.resolve("named").resolve(name))
                    .hasBinaryContent(
                            Files.readAllBytes(folder.resolve("direct").resolve(name)));
        }
    }

    /** Ends are text, and the second half of the rows replaces the edges of the first half by their keys. */
    private static void theLastRowOfEachKeyIsItsEdge() throws IOException {
        List<String> graph = Files.readAllLines(Path.of(runs.graph)).subList(1, 3_001);
        List<String> rows = new ArrayList<>(List.of("id,payer,payee", ",a,b", "p0,,b"));
        IntStream.range(0, graph.size()).forEach(i -> rows.add("p%d,%d,none".formatted(i, i)));
        List<String> edges = graph.stream()
                .map(line -> "user:" + line.replace(" ", ",shop \u00e9:"))
                .toList();
        IntStream.range(0, graph.size()).forEach(i -> rows.add("p%d,%s".formatted(i, edges.get(i))));
        Path file = Files.write(folder.resolve("payments.csv"), rows);
        CommandRun ingest = succeed(
                "ingest --json --edges %s --source payer --target payee --edge-key id --ids text".formatted(file)
                        + " --event-format json " + runs.topics("k-"));
        assertThat(ingest.out().strip()).isEqualTo("{\"edges\":6000,\"deadLetters\":2}");
        CommandRun partition = runs.partition(
                "keyed", "--topic edges --ids text --event-format json --edge-key key " + runs.topics("k-"));
        assertThat(partition.exitCode()).as(partition.err()).isZero();
        assertThat(edgesOfTexts("keyed")).containsExactlyInAnyOrderElementsOf(edges);
    }

    private static List<String> edgesOfTexts(String folderName) throws IOException {
        Map<String, String> texts = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve(folderName).resolve("ids.csv"))) {
            texts.put(line.substring(0, line.indexOf(',')), line.substring(line.indexOf(',') + 1));
        }
        List<String> edges = new ArrayList<>();
        for (int shard = 0; shard < 5; shard++) {
            Path table = folder.resolve(folderName).resolve("shards/%05d/edges.csv".formatted(shard));
            Files.readAllLines(table).stream()
                    .skip(1)
                    .map(line -> texts.get(line.split(",")[0]) + "," + texts.get(line.split(",")[1]))
                    .forEach(edges::add);
        }
        return edges;
    }

    private static ProducerRecord<byte[], byte[]> value(String topic, String value) {
        return new ProducerRecord<>(topic, value.getBytes(UTF_8));
    }

    /** Compares a shard of the topic with that of the folder, except for the degrees of halo vertices. */
    private void aShardOfTheTopicIsThatOfTheFolder() throws IOException {
        Path read = folder.resolve("read");
        String line = "shard read --shard 1 --out %s %s".formatted(read, runs.topics("w-"));
        CommandRun run = succeed(line + " --json");
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
        CommandRun again = run(line);
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.sentence()).contains("holds a complete shard folder already");
    }
}
