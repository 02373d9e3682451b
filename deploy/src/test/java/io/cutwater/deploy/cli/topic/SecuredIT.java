package io.cutwater.deploy.cli.topic;

import static io.cutwater.deploy.cli.topic.SecuredBroker.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cli.training.ClassedGraph;
import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.server.PageAccess;
import io.cutwater.deploy.page.server.PageServer;
import io.cutwater.kafka.client.ClientPropertiesFile;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command against a broker with TLS and SCRAM and a Flink cluster with HTTPS and keys. */
@Timeout(300)
class SecuredIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String WRONG = "guess-what";

    @TempDir
    private static Path folder;

    private static SecuredBroker broker;
    private static SecuredFlink flink;
    private static String properties;

    @BeforeAll
    static void start() throws Exception {
        FlinkKey key = new FlinkKey(folder.resolve("key"));
        key.create();
        broker = new SecuredBroker(folder.resolve("kafka"), key);
        properties = broker.clientProperties(SecuredBroker.PASSWORD).toString();
        flink = new SecuredFlink(folder, key);
        new ClassedGraph(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        flink.close();
        broker.close();
    }

    @Test
    void everyCommandTalksToASecuredBrokerAndNoSecretIsLeftBehind() throws Exception {
        CommandRun refused = broker.run(
                "ingest --edges %s".formatted(folder.resolve("edges.txt")),
                broker.clientProperties(WRONG).toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("refuses the connection").doesNotContain(WRONG);

        kafka(
                "ingest --edges %1$s/edges.txt --features %1$s/features.svm --labels %1$s/labels.txt --split %1$s/split.txt"
                        .formatted(folder));
        JsonNode bounded = kafka("partition --topic edges --vertices-topic vertices --partitions 2 --out "
                + folder.resolve("out") + " --json");
        assertThat(bounded.path("edges").asInt()).isEqualTo(ClassedGraph.EDGES);
        String job = submitted();
        repartitioned(job);
        assertThat(kafka("shard check --json").path("edges").asInt()).isEqualTo(ClassedGraph.EDGES);
        kafka("shard read --shard 0 --json --out " + folder.resolve("shard"));
        Path scratch = Files.createDirectory(folder.resolve("scratch"));
        JsonNode trained = kafka("train --topic shards --classes 3 --epochs 1 --hidden 8 --json --scratch " + scratch
                + " --out " + folder.resolve("model"));
        assertThat(trained.path("epochs").asInt()).isEqualTo(1);
        aUserWhoMayReadTheShardsPredicts();
        thePageShowsWhatStatusPrints();
        nothingIsLeftBehind(job);
    }

    @Test
    void theDoctorNamesTheRightsThatAUserLacks() throws Exception {
        Topics topics = new Topics("rights.");
        List<TopicSpec> existing = new ArrayList<>(topics.outputs(2));
        existing.addAll(topics.control());
        existing.add(topics.spec(topics.edges(), 1));
        broker.create(existing);
        JsonNode denied = broker.doctor(1);
        assertThat(texts(denied, "failed"))
                .contains(
                        "as job the user lacks READ, DESCRIBE, DESCRIBE_CONFIGS on topics rights.edges, rights.vertices",
                        "as job the user lacks DESCRIBE_CONFIGS on the cluster, for the longest transaction",
                        "as job the user lacks DESCRIBE and WRITE on transactional ids that begin with cutwater-")
                .anyMatch(text -> text.startsWith("as trainer the user lacks READ, DESCRIBE on topics rights.shards, "))
                .anyMatch(text -> text.startsWith("as page the user lacks READ, DESCRIBE on topics rights.quality, "));
        assertThat(texts(denied, "warning")).noneMatch(text -> text.contains("lacks"));

        broker.allow(topic("rights.", PatternType.PREFIXED), AclOperation.READ);
        JsonNode page = broker.doctor(0);
        assertThat(texts(page, "ok"))
                .contains("the user may do what a page does with the topics;"
                        + " page --allow-commands also needs WRITE on rights.commands");
        assertThat(texts(page, "warning"))
                .contains(
                        "as job the user lacks DESCRIBE_CONFIGS on topics rights.edges",
                        "topics rights.training-rounds, rights.models, rights.model-updates do not exist, and as trainer"
                                + " the user may not CREATE them: Authorization failed.");
        assertThat(page.path("checks").findValuesAsText("advice"))
                .contains(("run kafka-acls.sh --bootstrap-server %s --add --allow-principal User:NAME"
                                + " --operation DESCRIBE_CONFIGS --topic rights.edges")
                        .formatted(broker.bootstrapServers()));

        for (TopicSpec spec : topics.outputs(2)) {
            broker.allow(topic(spec.name(), PatternType.LITERAL), AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS);
        }
        assertThat(texts(broker.doctor(0), "warning"))
                .contains(
                        "as job the user lacks WRITE, DESCRIBE_CONFIGS on topics rights.commands, rights.plans, rights.owner");

        broker.allow(
                topic("rights.", PatternType.PREFIXED),
                AclOperation.WRITE,
                AclOperation.DESCRIBE_CONFIGS,
                AclOperation.CREATE);
        broker.allow(
                new ResourcePattern(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL),
                AclOperation.DESCRIBE_CONFIGS);
        broker.allow(
                new ResourcePattern(ResourceType.TRANSACTIONAL_ID, "cutwater-", PatternType.PREFIXED),
                AclOperation.WRITE);
        JsonNode all = broker.doctor(0);
        assertThat(texts(all, "ok"))
                .contains(
                        "the user may do what a job does with the topics",
                        "the user may do what a trainer does with the topics",
                        "the user may do what a page does with the topics");
        assertThat(texts(all, "warning")).noneMatch(text -> text.contains("the user"));
    }

    private static List<String> texts(JsonNode findings, String state) {
        List<String> texts = new ArrayList<>();
        for (JsonNode check : findings.path("checks")) {
            if (check.path("state").asText().equals(state)) {
                texts.add(check.path("text").asText());
            }
        }
        return texts;
    }

    private static String submitted() throws Exception {
        String job = flink(
                        "submit --keep-edges --vertex-data --partitions 2 --wait-limit 100ms --checkpoint-interval 300ms"
                                + " --json --bootstrap-servers %s --kafka-properties %s"
                                        .formatted(broker.bootstrapServers(), properties))
                .path("job")
                .asText();
        // Without the option: the job's own path is used.
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(
                                flink("status --json").at("/jobs/0/edges").asInt())
                        .isEqualTo(ClassedGraph.EDGES));
        return job;
    }

    private static void repartitioned(String job) throws Exception {
        JsonNode end = flink("repartition %s --partitions 3 --json".formatted(job));
        assertThat(end.path("state").asText()).isEqualTo("done");
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> flink("status --json").at("/jobs/0/partitions").asInt() == 3);
    }

    private static void aUserWhoMayReadTheShardsPredicts() throws Exception {
        String rights = broker.clientProperties(SecuredBroker.GUEST, SecuredBroker.PASSWORD)
                .toString();
        String predict = "predict --topic shards --trained %s --scratch %s --out "
                .formatted(folder.resolve("model"), folder.resolve("scratch"));
        CommandRun refused = broker.run(predict + folder.resolve("refused"), rights);
        assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(1);
        assertThat(refused.sentence())
                .contains("Topic authorization failed. Give this user the right, or use another one");
        assertThat(folder.resolve("refused/predictions.csv")).doesNotExist();

        for (String name : List.of("shards", "partition-book", "report", "runs", "commits")) {
            broker.allow(topic(name, PatternType.LITERAL), AclOperation.READ);
        }
        CommandRun partly = broker.run(predict + folder.resolve("read"), rights);
        succeed(partly);
        assertThat(partly.err()).contains("may not read topic ids");
        broker.allow(topic("ids", PatternType.LITERAL), AclOperation.READ);
        CommandRun whole = broker.run(predict + folder.resolve("read-all"), rights);
        succeed(whole);
        assertThat(whole.err()).doesNotContain("topic ids");
        kafka(predict + folder.resolve("all"));
        for (String out : List.of("read", "read-all")) {
            assertThat(folder.resolve(out).resolve("predictions.csv"))
                    .hasSameTextualContentAs(folder.resolve("all/predictions.csv"));
        }
    }

    private static void thePageShowsWhatStatusPrints() throws Exception {
        JsonNode status = flink("status --json").at("/jobs/0");
        PageRequest request = new PageRequest(
                broker.bootstrapServers(),
                ClientPropertiesFile.references(Path.of(properties)),
                new Topics(""),
                Duration.ofHours(1),
                0.05);
        try (PageServer page = new PageServer(
                request, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), PageAccess.open(), null)) {
            HttpRequest state =
                    HttpRequest.newBuilder(page.address().resolve("/api/state")).build();
            await().atMost(PATIENCE).untilAsserted(() -> {
                JsonNode shown = new ObjectMapper()
                        .readTree(HttpClient.newHttpClient()
                                .send(state, HttpResponse.BodyHandlers.ofString())
                                .body());
                for (String key : List.of(
                        "algorithm",
                        "partitions",
                        "vertices",
                        "edges",
                        "deadLetters",
                        "replicationFactor",
                        "edgeBalance",
                        "vertexBalance")) {
                    assertThat(status.has(key)).as(key).isTrue();
                    assertThat(shown.path("report").path(key)).as(key).isEqualTo(status.path(key));
                    assertThat(shown.path("newest").path(key)).as(key).isEqualTo(status.path(key));
                }
                assertThat(shown.at("/plan/state").asText()).isEqualTo("done");
                assertThat(shown.at("/round/epochs").asInt()).isEqualTo(1);
            });
        }
    }

    private static void nothingIsLeftBehind(String job) throws Exception {
        for (String path :
                new String[] {"/config", "/jobmanager/config", "", "/checkpoints/config", "/jobmanager/environment"}) {
            String answer = flink.get("/jobs/" + job + path);
            assertThat(answer).as(path).doesNotContain(SecuredBroker.PASSWORD);
        }
        assertThat(flink.get("/jobs/" + job + "/config"))
                .contains("kafka-properties")
                .contains(properties);
        for (String kept : new String[] {"cluster", "checkpoints", "out"}) {
            try (Stream<Path> files = Files.walk(folder.resolve(kept))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(read(file)).as(file.toString()).doesNotContain(SecuredBroker.PASSWORD);
                }
            }
        }
    }

    /** A checkpoint that is dropped meanwhile has nothing left behind. */
    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (java.nio.file.NoSuchFileException e) {
            return "";
        }
    }

    private static JsonNode flink(String line) throws Exception {
        return succeed(line + flink.options() + " --dir " + folder.resolve("cluster"));
    }

    private static JsonNode kafka(String line) throws Exception {
        return succeed(broker.run(line, properties));
    }

    private static JsonNode succeed(String line) throws IOException {
        return succeed(CommandRun.of(Cutwater::run, line.split(" ", -1)));
    }

    private static JsonNode succeed(CommandRun run) throws IOException {
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out() + run.err()).doesNotContain(SecuredBroker.PASSWORD);
        return run.out().startsWith("{") ? new ObjectMapper().readTree(run.out()) : MissingNode.getInstance();
    }
}
