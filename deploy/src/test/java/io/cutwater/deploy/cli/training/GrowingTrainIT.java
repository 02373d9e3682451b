package io.cutwater.deploy.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.job.JobControl;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process trains on the shards of a live job while its graph grows, and while the job is told another k. */
class GrowingTrainIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Topics TOPICS = new Topics("grown-");
    private static final int HALF = ClassedGraph.EDGES / 2;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private EmbeddedBroker broker;
    private EmbeddedRun job;
    private ClassedGraph graph;
    private Process training;
    private int port;

    @BeforeEach
    void startJob() throws IOException {
        graph = new ClassedGraph(folder);
        Files.write(folder.resolve("first.txt"), graph.edges.subList(0, HALF));
        Files.write(folder.resolve("second.txt"), graph.edges.subList(HALF, ClassedGraph.EDGES));
        broker = EmbeddedBroker.start(folder.resolve("kafka"));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(
                    TOPICS.spec(TOPICS.edges(), 1),
                    TOPICS.spec(TOPICS.vertices(), 1),
                    TOPICS.spec(TOPICS.deadLetters(), 1));
        }
        LiveJobOptions options = LiveJobOptions.of(Map.ofEntries(
                Map.entry("bootstrap-servers", broker.bootstrapServers()),
                Map.entry("topic-prefix", TOPICS.prefix()),
                Map.entry("algorithm", "cutwater"),
                Map.entry("partitions", "2"),
                Map.entry("keep-edges", "true"),
                Map.entry("vertex-data", "true"),
                Map.entry("wait-limit", "100ms"),
                Map.entry("checkpoint-interval", "500ms"),
                Map.entry("transaction-timeout", "5m")));
        job = EmbeddedRun.startLive(options, folder.resolve("flink"), 64L << 20, 0);
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (training != null) {
            training.destroyForcibly().waitFor();
        }
        job.close();
        broker.close();
    }

    @Test
    @Timeout(240)
    void learnsWhatComesAndEndsInGoodOrder() throws Exception {
        ingest(
                "first.txt",
                "--features",
                path("features.svm"),
                "--labels",
                path("labels.txt"),
                "--split",
                path("split.txt"));
        training = startTraining();
        awaitMetric("graph_edges", graph.properEdges(HALF));
        awaitMetric("shards", 2);
        ingest("second.txt");
        awaitMetric("graph_edges", graph.properEdges(ClassedGraph.EDGES));
        repartition(3);
        awaitMetric("shards", 3);
        awaitMetric("graph_edges", graph.properEdges(ClassedGraph.EDGES));
        assertThat(metric("graph_vertices")).isEqualTo(readBack());
        awaitSaid("all data are trained on; waiting for more");
        awaitNoNewRound();

        training.destroy(); // SIGTERM
        assertThat(training.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(training.exitValue())
                .as(Files.readString(folder.resolve("err.txt")))
                .isZero();
        JsonNode report = new ObjectMapper().readTree(folder.resolve("out.txt").toFile());
        assertThat(report.path("epochs").intValue()).isGreaterThanOrEqualTo(8);
        assertThat(folder.resolve("scratch")).isEmptyDirectory();
        double accuracy = report.path("testAccuracy").doubleValue();
        assertThat(accuracy).as("on parts of the neighbourhoods").isBetween(0.7, 1.0);
        predicts(accuracy);
        trainsInSeveralProcesses();
    }

    /** They are threads here, with nothing in common but the broker's topics. */
    private void trainsInSeveralProcesses() throws Exception {
        List<String> words = new ArrayList<>(List.of("train", "--topic", "shards", "--classes", "3", "--epochs", "2"));
        words.addAll(List.of("--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", TOPICS.prefix()));
        words.addAll(List.of("--scratch", path("scratch"), "--workers", "1", "--json", "--role"));
        CompletableFuture<CommandRun> worker = CompletableFuture.supplyAsync(() -> run(words, "worker"));
        CommandRun coordinator = run(words, "coordinator");
        assertThat(coordinator.exitCode()).as(coordinator.err()).isZero();
        assertThat(new ObjectMapper().readTree(coordinator.out()).path("rounds").intValue())
                .isEqualTo(2);
        assertThat(worker.get(1, TimeUnit.MINUTES).exitCode()).isZero();
        assertThat(folder.resolve("scratch")).isEmptyDirectory();
    }

    private static CommandRun run(List<String> words, String last) {
        List<String> all = new ArrayList<>(words);
        all.add(last);
        return CommandRun.of(Cutwater::run, all.toArray(String[]::new));
    }

    private void ingest(String edges, String... more) {
        List<String> words = new ArrayList<>(List.of("ingest", "--edges", path(edges)));
        words.addAll(List.of(more));
        words.addAll(List.of("--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", TOPICS.prefix()));
        CommandRun run = CommandRun.of(Cutwater::run, words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Process startTraining() throws IOException {
        Files.createDirectory(folder.resolve("scratch"));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Cutwater.class.getName(), "train", "--topic", "shards", "--follow", "--epochs", "8"));
        command.addAll(List.of("--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", TOPICS.prefix()));
        command.addAll(List.of("--store", path("store"), "--scratch", path("scratch"), "--out", path("model")));
        command.addAll(List.of("--classes", "3", "--workers", "2", "--metrics", Integer.toString(port), "--json"));
        command.addAll(List.of("--hidden", "8", "--learning-rate", "0.05", "--dropout", "0.1", "--batch-size", "64"));
        command.addAll(List.of("--progress", "lines"));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    private void repartition(int partitions) throws IOException {
        try (JobControl control =
                new JobControl(broker.bootstrapServers(), Map.of(), TOPICS, PATIENCE, System::nanoTime)) {
            JobCommand.Repartition command = new JobCommand.Repartition("grown", partitions, 1, Long.MAX_VALUE, false);
            assertThat(control.repartition(command, status -> {}).state()).isEqualTo(PlanState.DONE);
        }
    }

    private void awaitMetric(String name, long value) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
            assertThat(training.isAlive())
                    .as(Files.readString(folder.resolve("err.txt")))
                    .isTrue();
            assertThat(metric(name)).as(name).isEqualTo(value);
        });
    }

    /** −1 before there is one. */
    private long metric(String name) throws InterruptedException {
        try {
            URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(port));
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("cutwater_train_" + name + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1; // it has not begun to answer yet
        }
    }

    private void awaitSaid(String words) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> Files.readString(folder.resolve("err.txt")).contains(words));
    }

    /** The job commits shards and book one after the other, so the last edges need not be in the last cut. */
    private void awaitNoNewRound() {
        long[] last = {-1};
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .during(Duration.ofSeconds(4))
                .until(() -> {
                    long before = last[0];
                    last[0] = metric("round");
                    return last[0] == before;
                });
    }

    /** The vertices of all shards, as any reader has them, each once; their edges are those of the graph. */
    private long readBack() {
        long[] counts = new long[1];
        Set<Long> vertices = new TreeSet<>();
        new ShardReader(broker.bootstrapServers(), Map.of(), TOPICS.shards()).readAll(shard -> {
            counts[0] += shard.edges().copies();
            for (int i = 0; i < shard.vertices().size(); i++) {
                vertices.add(shard.vertices().vertex(i));
            }
        });
        assertThat(counts[0]).isEqualTo(ClassedGraph.EDGES);
        return vertices.size();
    }

    /** The texts of all vertices, as a job with text ids writes them. */
    private void plantTexts() {
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(TOPICS.texts());
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int vertex = 0; vertex < graph.classes.length; vertex++) {
                byte[] text = ("user:" + vertex).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(
                        TOPICS.ids(), VertexTextCodec.key(vertex), VertexTextCodec.value(text, 0, text.length)));
            }
        }
    }

    /** Trains again with the same shards, from where the first training left its store. */
    private void predicts(double accuracy) throws IOException {
        plantTexts();
        CommandRun run = CommandRun.of(
                Cutwater::run,
                "predict",
                "--trained",
                path("model"),
                "--topic",
                "shards",
                "--bootstrap-servers",
                broker.bootstrapServers(),
                "--topic-prefix",
                TOPICS.prefix(),
                "--store",
                path("store"),
                "--out",
                path("predicted"),
                "--no-embeddings");
        assertThat(run.exitCode()).as(run.err()).isZero();
        long right = 0;
        long all = 0;
        List<String> texts = new ArrayList<>(List.of("id,text"));
        for (String line : Files.readAllLines(folder.resolve("predicted/predictions.csv"))) {
            String[] fields = line.split(",");
            if (!fields[0].equals("vertex")) {
                texts.add("%s,user:%s".formatted(fields[0], fields[0]));
            }
            if (!fields[0].equals("vertex") && Integer.parseInt(fields[0]) % 4 > 1) {
                all++;
                right += Integer.parseInt(fields[1]) == graph.classes[Integer.parseInt(fields[0])] ? 1 : 0;
            }
        }
        assertThat((double) right / all).isEqualTo(accuracy);
        assertThat(Files.readAllLines(folder.resolve("predicted/ids.csv"))).isEqualTo(texts);
    }
}
