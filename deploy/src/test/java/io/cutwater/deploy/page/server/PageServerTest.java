package io.cutwater.deploy.page.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.TlsEngines;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.training.TrainingRound;
import io.cutwater.kafka.training.TrainingRoundTopic;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The live page as a client of HTTP sees it, over a real broker. */
class PageServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @RegisterExtension
    static final BrokerExtension<EmbeddedBroker> BROKER =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static PageServer serve(PageTopics topics, PageAccess access) throws IOException {
        return serve(topics, access, null);
    }

    private static PageServer serve(PageTopics topics, PageAccess access, @Nullable SSLContext tls) throws IOException {
        return new PageServer(
                new PageRequest(BROKER.bootstrapServers(), Map.of(), topics.topics, Duration.ofHours(1), 0.05),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                access,
                tls);
    }

    private static HttpResponse<String> get(PageServer page, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(page.address().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(PageServer page, String path) throws Exception {
        return JSON.readTree(get(page, path).body());
    }

    @Test
    void showsTheTopicsAndRestartsWithoutAStateOfItsOwn() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "shown.", true)) {
            written.report(PageTopics.edgeReport(1, 30, 20, 10, 12, 18));
            RunReport last = PageTopics.edgeReport(9, 42, 30, 20, 22, 28);
            written.report(last);
            written.plan("first", PlanState.DONE, 4, 4, 2.25);
            written.plan("second", PlanState.MOVING, 4, 3, 2);
            written.place(17, 2, 5, 0, 2, 3);
            written.place(18, 0, 1, 0);
            written.place(19, 0, 1, 0);
            written.send(
                    written.topics.partitionBook(),
                    ByteBuffer.allocate(8).putLong(19).array(),
                    null);
            written.letter("the source 'x1' is not a number", "x1 7");
            written.letter("the source 'x2' is not a number", "x2 7");
            written.letter("there are 1 fields of 2", "7");
            written.flush();
            try (TrainingRoundTopic rounds =
                    new TrainingRoundTopic(BROKER.bootstrapServers(), Map.of(), written.topics)) {
                rounds.send(new TrainingRound("q", "gcn", "", 8, 8, 2, 2, 0, 0, 0, 1, Double.NaN, 1, 1, 1, 0, 1, 9, 9));
                rounds.send(round(1, 35));
                rounds.send(round(2, 36));
                rounds.send(round(3, 36));
            }
            for (int start = 0; start < 2; start++) {
                try (PageServer page = serve(written, PageAccess.open())) {
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        JsonNode state = json(page, "/api/state");
                        assertThat(state.path("report")).isEqualTo(JSON.readTree(ReportJson.toBytes(last)));
                        assertThat(state.at("/newest/replicationFactor").doubleValue())
                                .isEqualTo(100.0 / 42);
                        assertThat(state.path("marks").findPath("expected").toString())
                                .isEqualTo("{\"replicationFactor\":2.25}");
                        assertThat(state.at("/plan/id").asText()).isEqualTo("second");
                        assertThat(state.path("sentence").asText())
                                .contains("replication factor 2.38, edge balance 1.200")
                                .endsWith("; re-partitioning from 4 to 3 partitions: moving, 40 %.");
                        assertThat(state.at("/deadLetters/count").asInt()).isEqualTo(3);
                        assertThat(state.at("/deadLetters/reasons/0/reason").asText())
                                .isEqualTo("the source … is not a number");
                        assertThat(state.at("/deadLetters/reasons/0/count").asInt())
                                .isEqualTo(2);
                        assertThat(state.at("/deadLetters/last/0/value").asText())
                                .isEqualTo("7");
                        assertThat(state.at("/round/validationAccuracy").doubleValue())
                                .isEqualTo(0.4);
                        assertThat(state.at("/round").has("testAccuracy")).isFalse();
                        assertThat(state.at("/round/round").asInt()).isEqualTo(3);
                        assertThat(state.at("/round/workers").asInt()).isEqualTo(2);
                        assertThat(state.at("/round/waitingShare").doubleValue())
                                .isEqualTo(0.25);
                        assertThat(state.at("/round/mode").asText()).isEqualTo("full graph");
                        assertThat(state.at("/round/bytesExchanged").asInt()).isEqualTo(77);
                        assertThat(state.path("marks").findValuesAsText("kind"))
                                .containsExactlyInAnyOrder("plan", "merge");
                        assertThat(state.at("/trainer/merges").asInt()).isEqualTo(1);
                        assertThat(state.at("/trainer/lacking").doubleValue()).isEqualTo(1 - 36.0 / 42);
                        assertThat(state.at("/trainer/silence").doubleValue())
                                .isLessThanOrEqualTo(
                                        state.at("/trainer/dataSeconds").doubleValue());
                        assertThat(json(page, "/api/copies").path("rows").toString())
                                .isEqualTo("[[0,0,0,0],[0,0,0,0],[1,0,0,1],[0,0,0,0]]");
                        assertThat(get(page, "/api/vertex?id=17").body())
                                .isEqualTo("{\"vertex\":\"17\",\"degree\":5,\"owner\":2,\"replicas\":[0,2,3]}");
                        assertThat(get(page, "/api/vertex?id=19").statusCode()).isEqualTo(404);
                        assertThat(get(page, "/api/vertex?id=x").statusCode()).isEqualTo(400);
                    });
                    RunReport read = new QualityReader(BROKER.bootstrapServers(), Map.of()).last(written.topics);
                    assertThat(json(page, "/api/state").path("report"))
                            .isEqualTo(JSON.readTree(ReportJson.toBytes(Objects.requireNonNull(read))));
                }
            }
        }
    }

    private static TrainingRound round(int number, long vertices) {
        return new TrainingRound(
                "r",
                "gat",
                "full graph",
                number,
                number,
                2,
                2.5,
                0.2,
                0.4,
                Double.NaN,
                1,
                0.25,
                10,
                77,
                2,
                0,
                4,
                vertices,
                90);
    }

    @Test
    void aViewerThatComesBackGetsTheRowsThatItLacks() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "events.", true)) {
            written.report(PageTopics.edgeReport(1, 5, 4, 4));
            written.flush();
            try (PageServer page = serve(written, PageAccess.open())) {
                await().atMost(PATIENCE).until(() -> json(page, "/api/state").has("report"));
                Event first = rows(page, "");
                assertThat(first.data().path("isWhole").booleanValue()).isTrue();
                assertThat(first.data().at("/quality/edges").toString()).isEqualTo("[8.0]");
                written.report(PageTopics.edgeReport(2, 5, 5, 5));
                written.flush();
                Event second = rows(page, first.id());
                assertThat(second.data().path("isWhole").booleanValue()).isFalse();
                assertThat(second.data().at("/quality/edges").toString()).isEqualTo("[10.0]");
                Event ofAnotherServer = rows(page, "x" + first.id());
                assertThat(ofAnotherServer.data().path("isWhole").booleanValue())
                        .isTrue();
                assertThat(ofAnotherServer.data().at("/quality/edges").toString())
                        .isEqualTo("[8.0,10.0]");
            }
        }
    }

    private record Event(String id, JsonNode data) {}

    /** Returns the first rows that the page sends. */
    private static Event rows(PageServer page, String lastEvent) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(page.address().resolve("/events"))
                .header("Last-Event-ID", lastEvent)
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<InputStream> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (!line.equals("event: rows")) {
                line = lines.readLine();
            }
            return new Event(
                    lines.readLine().substring("id: ".length()),
                    JSON.readTree(lines.readLine().substring(5)));
        }
    }

    @Test
    void waitsForTopicsAndPassesOverMalformedRecords() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "later.", false);
                PageServer page = serve(written, PageAccess.open())) {
            assertThat(json(page, "/api/state").path("sentence").asText())
                    .isEqualTo("No job has committed a report to topics later.* yet.");
            assertThat(json(page, "/api/copies").path("rows").size()).isZero();
            written.create(BROKER.bootstrapServers());
            written.send(written.topics.quality(), PageTopics.bytes("k"), PageTopics.bytes("{\"edges\":"));
            written.report(PageTopics.edgeReport(1, 5, 4, 4));
            written.flush();
            await().atMost(PATIENCE).untilAsserted(() -> {
                JsonNode state = json(page, "/api/state");
                assertThat(state.at("/report/edges").asInt()).isEqualTo(8);
                assertThat(state.path("unreadable").asInt()).isEqualTo(1);
                assertThat(state.path("unreadableReason").asText())
                        .startsWith("topic later.quality, topic partition 0, offset 0 cannot be read: ");
            });
        }
    }

    @Test
    void asksForCredentialsAndAllowsNoForeignContent(@TempDir Path folder) throws Exception {
        Path passwords = secret(folder.resolve("passwords"), "ann:b:c\neve:d\n");
        Path token = secret(folder.resolve("token"), "t0ken\n");
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "access.", false);
                PageServer page = serve(written, PageAccess.of(passwords, token))) {
            for (String path : new String[] {"/", "/events", "/api/state", "/page.js", "/none"}) {
                HttpResponse<String> refused = get(page, path);
                assertThat(refused.statusCode()).as(path).isEqualTo(401);
                assertThat(refused.headers().allValues("WWW-Authenticate"))
                        .containsExactly("Basic realm=\"Cutwater\", charset=\"UTF-8\"", "Bearer realm=\"Cutwater\"");
            }
            assertThat(get(page, "/", "Authorization", basic("ann:wrong")).statusCode())
                    .isEqualTo(401);
            assertThat(get(page, "/", "Authorization", "Bearer ann:b:c").statusCode())
                    .isEqualTo(401);
            assertThat(get(page, "/", "Authorization", basic("ann:b:c")).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> allowed = get(page, "/", "Authorization", "Bearer t0ken");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(allowed.body()).contains("<title>Cutwater</title>").doesNotContain("://");
            HttpRequest write = HttpRequest.newBuilder(page.address())
                    .header("Authorization", "Bearer t0ken")
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(CLIENT.send(write, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(405);
        }
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> PageAccess.of(null, token)).hasMessageEndingWith("run chmod 600 " + token);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> PageAccess.of(null, token)).hasMessageEndingWith("run chmod 600 " + token);
        if (System.getProperty("user.name").equals("root")) { // who alone can give files away
            Files.setOwner(
                    token, token.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            assertThat(PageAccess.of(null, token).isRestricted()).isTrue();
        }
    }

    @Test
    void speaksTls(@TempDir Path folder) throws Exception {
        FlinkKey key = new FlinkKey(folder.resolve("key"));
        key.create();
        Path tls = Files.writeString(
                folder.resolve("tls"),
                "ssl.keystore.type=PKCS12\nssl.keystore.location=%s\nssl.keystore.password=%s\n"
                        .formatted(
                                key.store(),
                                Files.readString(key.passwordFile()).strip()));
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "tls.", false);
                PageServer page = serve(written, PageAccess.open(), TlsEngines.serverContext("--tls", tls))) {
            assertThat(page.address().getScheme()).isEqualTo("https");
            HttpRequest request =
                    HttpRequest.newBuilder(page.address().resolve("/api/state")).build();
            HttpClient trusting = HttpClient.newBuilder()
                    .sslContext(key.credentials().sslContext())
                    .build();
            assertThat(trusting.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("\"sentence\"");
            assertThatThrownBy(() -> CLIENT.send(request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    private static Path secret(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> post(PageServer page, String body, String... headers) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(page.address().resolve("/api/commands"))
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void sendsCommandsOfItsOwnPageOnlyIfViewersMay() throws Exception {
        String command = "{\"op\":\"repartition\",\"id\":\"x\",\"partitions\":6,\"budget\":0.5,\"dryRun\":true}";
        String[] type = {"Content-Type", "application/json"};
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "commands.", true)) {
            try (PageServer page = serve(written, PageAccess.open())) {
                assertThat(json(page, "/api/commands").toString()).isEqualTo("{\"isAllowed\":false,\"token\":\"\"}");
                assertThat(post(page, command, type).statusCode()).isEqualTo(405);
            }
            try (PageServer page = serve(written, PageAccess.open().withCommands())) {
                String token = json(page, "/api/commands").path("token").asText();
                String[] mine = {type[0], type[1], PageCommands.TOKEN_HEADER, token};
                assertThat(token).hasSize(43);
                assertThat(post(page, command, type).statusCode()).isEqualTo(403);
                assertThat(post(page, command, type[0], type[1], PageCommands.TOKEN_HEADER, "x" + token.substring(1))
                                .statusCode())
                        .isEqualTo(403);
                assertThat(post(page, command, "Content-Type", "text/plain", PageCommands.TOKEN_HEADER, token)
                                .statusCode())
                        .isEqualTo(415);
                for (String[] foreign : new String[][] {
                    {"Origin", "https://page.example"},
                    {"Sec-Fetch-Site", "cross-site"},
                    {"Sec-Fetch-Site", "same-site"}
                }) {
                    assertThat(post(page, command, mine[0], mine[1], mine[2], mine[3], foreign[0], foreign[1])
                                    .statusCode())
                            .as(foreign[0])
                            .isEqualTo(403);
                }
                HttpResponse<String> wrong = post(page, command.replace("0.5", "2"), mine);
                assertThat(wrong.statusCode()).isEqualTo(400);
                assertThat(wrong.body()).contains("budget must be above 0 and at most 1");
                assertThat(post(page, command + " ".repeat(5_000), mine).statusCode())
                        .isEqualTo(413);
                assertThat(written.commands(BROKER.bootstrapServers())).isEmpty();

                HttpResponse<String> sent = post(
                        page,
                        command,
                        mine[0],
                        mine[1],
                        mine[2],
                        mine[3],
                        "Origin",
                        page.address().toString().replaceFirst("/$", ""),
                        "Sec-Fetch-Site",
                        "same-origin");
                assertThat(sent.statusCode()).as(sent.body()).isEqualTo(202);
                assertThat(post(page, "{\"op\":\"abort\",\"id\":\"x\"}", mine).body())
                        .isEqualTo("{\"id\":\"x\"}");
                assertThat(written.commands(BROKER.bootstrapServers()))
                        .containsExactly(
                                new JobCommand.Repartition("x", 6, 0.5, Long.MAX_VALUE, true),
                                new JobCommand.Abort("x"));
            }
        }
    }

    @Test
    void comparesAlgorithmsOnTheNewestEdges(@TempDir Path folder) throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "compared.", true)) {
            try (PageServer page = serve(written, PageAccess.open())) {
                assertThat(get(page, "/api/compare?last=100").statusCode()).isEqualTo(503);
                written.report(PageTopics.edgeReport(1, 4, 2, 2));
                for (int i = 0; i < 200; i++) {
                    written.send(written.topics.edges(), PageTopics.bytes("k"), PageTopics.bytes(i % 20 + " " + i % 7));
                }
                written.flush();
                await().atMost(PATIENCE).until(() -> json(page, "/api/state").has("newest"));
                assertThat(get(page, "/api/compare?last=0").statusCode()).isEqualTo(400);
                assertThat(get(page, "/api/compare?last=1000001").statusCode()).isEqualTo(400);
                JsonNode compared = json(page, "/api/compare?last=200");
                assertThat(compared.path("edges").asInt()).isEqualTo(200);
                assertThat(compared.path("results").findValuesAsText("algorithm"))
                        .contains("hash", "hdrf", "cutwater");
                for (JsonNode result : compared.path("results")) {
                    assertThat(result.path("replicationFactor").doubleValue()).isBetween(1.0, 2.0);
                    assertThat(result.path("edgeBalance").doubleValue()).isBetween(1.0, 2.0);
                }
            }
            CommandRun command = CommandRun.of(
                    Cutwater::run,
                    "compare",
                    "--topic",
                    "edges",
                    "--topic-prefix",
                    "compared.",
                    "--bootstrap-servers",
                    BROKER.bootstrapServers(),
                    "--last",
                    "200",
                    "--partitions",
                    "2",
                    "--plot",
                    folder.resolve("compared.svg").toString());
            assertThat(command.exitCode()).as(command.err()).isZero();
            assertThat(command.out()).contains("hdrf", "live");
            assertThat(command.err())
                    .contains("the job of the topic: cutwater, 2 partitions, RF 1.00, edge balance 1.000");
            assertThat(folder.resolve("compared.svg")).isNotEmptyFile();
        }
    }

    @Test
    void showsTheSurroundingsOfAVertexAndWhatMoves() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "around.", true)) {
            written.report(PageTopics.edgeReport(1, 4, 2, 2));
            written.place(1, 0, 2, 0, 1);
            written.place(2, 0, 2, 0);
            written.place(3, 1, 1, 1);
            written.shard(0, ShardChange.ADD, 1, 2, 2, 4);
            written.shard(1, ShardChange.ADD, 1, 3, 7, 8);
            written.flush();
            try (PageServer page = serve(written, PageAccess.open())) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(json(page, "/api/copies")
                                        .path("vertices")
                                        .asInt())
                                .isEqualTo(3));
                JsonNode around = json(page, "/api/neighbours?id=1");
                assertThat(around.path("vertices").findValuesAsText("id"))
                        .startsWith("1")
                        .containsExactlyInAnyOrder("1", "2", "3", "4");
                assertThat(around.at("/vertices/0").toString()).isEqualTo("{\"id\":\"1\",\"owner\":0,\"copies\":2}");
                assertThat(around.path("edges")).hasSize(3);
                assertThat(around.path("isWhole").booleanValue()).isTrue();
                assertThat(around.path("isFull").booleanValue()).isFalse();
                assertThat(json(page, "/api/copies").path("moves")).isEmpty();

                assertThat(get(page, "/api/vertex?id=user%3A1").statusCode()).isEqualTo(400);
                written.createTexts(BROKER.bootstrapServers());
                written.text(1, "user:1");
                written.text(2, "1");
                written.text(3, "gone");
                written.text(3, null);
                written.flush();
                assertThat(get(page, "/api/vertex?id=user%3A1").body())
                        .isEqualTo(
                                "{\"vertex\":\"1\",\"degree\":2,\"owner\":0,\"replicas\":[0,1],\"text\":\"user:1\"}");
                assertThat(json(page, "/api/vertex?id=1").path("vertex").asText())
                        .isEqualTo("2");
                assertThat(json(page, "/api/vertex?id=3").path("text").isMissingNode())
                        .isTrue();
                assertThat(get(page, "/api/vertex?id=gone").statusCode()).isEqualTo(400);
                assertThat(json(page, "/api/neighbours?id=1").at("/vertices/0/text"))
                        .isEqualTo(TextNode.valueOf("user:1"));

                written.plan("p", PlanState.MOVING, 2, 2, 2);
                written.flush();
                await().atMost(PATIENCE)
                        .until(() ->
                                json(page, "/api/state").at("/plan/id").asText().equals("p"));
                written.place(1, 1, 2, 0, 1);
                written.place(2, 1, 2, 1);
                written.flush();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(
                                        json(page, "/api/copies").path("moves").toString())
                                .isEqualTo("[[0,1,2]]"));
            }
        }
    }

    @Test
    void drawsEdgesThatHaveMovedAndSaysThatThereAreTooMany() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "moved.", true)) {
            // In the order of the topic partitions, and against it.
            written.shard(0, ShardChange.ADD, 1, 2);
            written.shard(3, ShardChange.ADD, 1, 3);
            written.shard(0, ShardChange.EVICT, 1, 2);
            written.shard(3, ShardChange.ADOPT, 1, 2);
            written.shard(0, ShardChange.ADOPT, 1, 3);
            written.shard(3, ShardChange.EVICT, 1, 3);
            written.shard(2, ShardChange.ADD, 1, 4);
            written.shard(2, ShardChange.REMOVE, 1, 4);
            long[] star = new long[20_000];
            for (int record = 0; record < 6; record++) {
                for (int i = 0; i < star.length; i += 2) {
                    star[i] = 50;
                    star[i + 1] = 100 + record * 10_000L + i / 2;
                }
                written.shard(1, ShardChange.ADD, star);
            }
            written.flush();
            try (PageServer page = serve(written, PageAccess.open())) {
                JsonNode around = json(page, "/api/neighbours?id=1");
                Map<String, String> shards = new HashMap<>();
                for (JsonNode edge : around.path("edges")) {
                    shards.put(
                            around.at("/vertices/%d/id".formatted(edge.get(1).asInt()))
                                    .asText(),
                            edge.toString());
                }
                assertThat(shards.keySet()).containsExactlyInAnyOrder("2", "3");
                assertThat(shards.get("2")).endsWith(",3]");
                assertThat(shards.get("3")).endsWith(",0]");
                assertThat(around.path("isFull").booleanValue()).isFalse();
                assertThat(json(page, "/api/neighbours?id=50").path("isFull").booleanValue())
                        .isTrue();
            }
        }
    }

    @Test
    void doesNotWorkForPagesOfOtherSites() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "sites.", false);
                PageServer page = serve(written, PageAccess.open())) {
            for (String path : List.of(
                    "/api/compare?last=10", "/api/neighbours?id=1", "/api/vertex?id=1", "/api/state", "/events")) {
                for (String site : List.of("cross-site", "same-site")) {
                    HttpResponse<String> refused = get(page, path, "Sec-Fetch-Site", site);
                    assertThat(refused.statusCode()).as(path).isEqualTo(403);
                    assertThat(refused.body())
                            .isEqualTo("{\"error\":\"only pages of this server may ask for %s\"}"
                                    .formatted(path.replaceFirst("\\?.*", "")));
                }
            }
            assertThat(get(page, "/api/state", "Sec-Fetch-Site", "same-origin").statusCode())
                    .isEqualTo(200);
            // A link on another site leads to the page.
            assertThat(get(page, "/", "Sec-Fetch-Site", "cross-site").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void refusesTheNamesOfWebSites() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "names.", false);
                PageServer page = serve(written, PageAccess.open())) {
            assertThat(status(page, "localhost:1")).contains(" 200 ");
            assertThat(status(page, "[::1]")).contains(" 200 ");
            assertThat(status(page, "localhost.example.org")).contains(" 421 ");
        }
    }

    /** The client of the JDK does not send another host than that of the address. */
    private static String status(PageServer page, String host) throws IOException {
        try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), page.address().getPort());
                OutputStream out = socket.getOutputStream()) {
            out.write("GET /api/state HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                    .formatted(host)
                    .getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
