package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stop during which a process dies. The cluster and its topics are those of one life: each death comes on top of what
 * the ones before have left. Deaths at other moments are in the fault campaign.
 */
class SurvivalIT {
    private static final String JOB =
            "--event-format batch --algorithm hdrf --checkpoint-interval 300ms --partitions 8";
    private static final int EDGES = 20_000;
    private static final int EDGES_PER_SECOND = 10_000;
    private static final String JOB_MANAGER = "jobmanager";
    private static final String BROKER = "broker";

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static OtlpReceiver collector;
    private static ClusterFixture cluster;

    @BeforeAll
    static void startJob() throws IOException {
        collector = new OtlpReceiver();
        cluster = new ClusterFixture(folder, "--slots 1 --log-format json --otel " + collector.url());
        cluster.json("ingest --event-format batch --edges " + cluster.graph("before", EDGES));
        cluster.json("submit " + JOB);
        cluster.awaitAllEdges();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
        collector.close();
    }

    @Test
    void aCollectorOfOpenTelemetryGetsTheMetricsOfTheJob() {
        await().atMost(ClusterFixture.PATIENCE)
                .untilAsserted(() -> assertThat(collector.names())
                        .anyMatch(name -> name.endsWith(".cutwater.replicationFactor"))
                        .anyMatch(name -> name.endsWith(".cutwater.deadLetters"))
                        .anyMatch(name -> name.endsWith(".lastCheckpointDuration")));
    }

    @Test
    void whoeverHasNoKeyGetsNothingFromFlink() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cluster.dir())))
                .isEqualTo("rwx------");
        String form = "--b\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--b--\r\n";
        HttpRequest.Builder post = HttpRequest.newBuilder()
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .header("Content-Type", "multipart/form-data; boundary=b")
                .header("Origin", "https://page.example");
        URI plain = URI.create("http://" + cluster.flink() + "/v1/jobs");
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(post.uri(plain).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(301); // to HTTPS
        FlinkCredentials trusting = FlinkCredentials.read(Files.writeString(
                folder.resolve("flink.properties"),
                "security.ssl.rest.truststore=%s\nsecurity.ssl.rest.truststore-password=%s"
                        .formatted(
                                cluster.dir().resolve("key/flink.p12"),
                                Files.readString(cluster.dir().resolve("key/password")))));
        HttpClient withoutKey =
                HttpClient.newBuilder().sslContext(trusting.sslContext()).build();
        URI secure = URI.create("https://" + cluster.flink() + "/v1/jobs");
        assertThatThrownBy(() -> withoutKey.send(post.uri(secure).build(), HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void eachLineOfALogIsAnEventThatNamesItsJob() throws IOException {
        String job = cluster.runningJob().path("job").asText();
        List<JsonNode> events = new ArrayList<>();
        for (String process : List.of(JOB_MANAGER, BROKER, "taskmanager-1")) {
            for (String line : Files.readAllLines(cluster.dir().resolve("logs").resolve(process + ".log"))) {
                JsonNode event = JSON.readTree(line);
                assertThat(Instant.parse(event.path("time").asText())).as(line).isNotNull();
                assertThat(event.path("level").asText()).as(line).isNotEmpty();
                events.add(event);
            }
        }
        assertThat(events)
                .anyMatch(event -> event.path("job").asText().equals(job)
                        && event.path("graph").asText().equals("edges")
                        && event.path("generation").asText().equals("0"));
        String password =
                Files.readString(cluster.dir().resolve("key/password")).strip();
        assertThat(events).noneMatch(event -> event.toString().contains(password));
    }

    @Test
    @Timeout(600)
    void aJobManagerThatDiesBehindTheSavepointOfAStopHasCommittedIt() throws Exception {
        Path graph = cluster.graph("stop", EDGES);
        CompletableFuture<Void> ingest = CompletableFuture.runAsync(() -> ingestUntilItIsDone(graph));
        int before = cluster.savepoints().size();
        CompletableFuture<CommandRun> stop = CompletableFuture.supplyAsync(() -> cluster.run("stop"));
        await().atMost(ClusterFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                // What is not complete yet comes and goes.
                .ignoreException(UncheckedIOException.class)
                .until(() -> cluster.savepoints().size() > before);
        cluster.kill(JOB_MANAGER);
        System.out.println("stop ended with " + stop.get());
        cluster.json("cluster start --timeout 5m");
        assertThat(cluster.json("resume").path("restoredFrom").asText()).contains("/savepoints/savepoint-");
        ingest.get();
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
    }

    @Test
    @Tag("campaign")
    @Timeout(600)
    void aStopThatTheBrokerHoldsUpLosesNothing() throws Exception {
        String job = cluster.runningJob().path("job").asText();
        Path graph = cluster.graph("held-up", EDGES);
        int before = cluster.committedEdges();
        CompletableFuture<Void> ingest = CompletableFuture.runAsync(() -> ingestUntilItIsDone(graph));
        await().atMost(ClusterFixture.PATIENCE).until(() -> cluster.committedEdges() > before);
        cluster.kill(BROKER);

        CommandRun status = cluster.run("status");
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.out()).contains(job);
        assertThat(status.err().lines()).hasSize(1);
        assertThat(status.sentence()).startsWith("cutwater: job %s: no Kafka broker answers at ".formatted(job));
        CommandRun stop = cluster.run("stop --timeout 3s");
        assertThat(stop.exitCode()).isEqualTo(1);
        assertThat(stop.err().lines()).hasSize(1);
        assertThat(stop.sentence())
                .startsWith("cutwater: job " + job)
                .contains("within 3 s", "allow more time with --timeout");

        cluster.json("cluster start --timeout 5m");
        CommandRun again = cluster.run("stop " + job);
        assertThat(again.exitCode() == 0 || again.sentence().contains("has ended already, it is FINISHED"))
                .as(again.err())
                .isTrue();
        cluster.json("resume");
        ingest.get();
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
    }

    @Test
    @Tag("campaign")
    @Timeout(600)
    void aResumedJobDeletesTheCheckpointThatItsOwnReplaces() throws Exception {
        String job = cluster.runningJob().path("job").asText();
        // Until its first checkpoint, a job that was resumed goes on from the state of the one before.
        await().atMost(ClusterFixture.PATIENCE)
                .ignoreException(UncheckedIOException.class)
                .until(() -> !cluster.checkpoints(job).isEmpty());
        cluster.kill(JOB_MANAGER);
        cluster.json("cluster start --timeout 5m");
        String state = cluster.json("resume").path("restoredFrom").asText();
        assertThat(state).contains("/" + job + "/chk-");
        Path checkpoint = Path.of(URI.create(state));
        await().atMost(ClusterFixture.PATIENCE).until(() -> Files.notExists(checkpoint));
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
    }

    /** Whoever's broker dies runs the command again. */
    private static void ingestUntilItIsDone(Path graph) {
        String line = "ingest --event-format batch --rate %d --edges %s".formatted(EDGES_PER_SECOND, graph);
        CommandRun run = cluster.run(line);
        while (run.exitCode() != 0) {
            assertThat(run.err().lines().toList())
                    .as(run.err())
                    .last()
                    .asString()
                    .startsWith("cutwater: ");
            run = cluster.run(line);
        }
    }
}
