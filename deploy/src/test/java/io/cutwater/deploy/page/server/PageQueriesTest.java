package io.cutwater.deploy.page.server;

import static io.cutwater.deploy.page.server.PageClient.PATIENCE;
import static io.cutwater.deploy.page.server.PageClient.get;
import static io.cutwater.deploy.page.server.PageClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What viewers of the live page may ask: comparisons, and single vertices. */
class PageQueriesTest {
    @RegisterExtension
    static final BrokerExtension<EmbeddedBroker> BROKER =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static PageServer serve(PageTopics topics, PageAccess access) throws IOException {
        return PageClient.serve(BROKER.bootstrapServers(), topics.topics, access, null);
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
    void saysTheClassOfAVertexIfTheGraphHasClasses() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "classes.", true)) {
            written.report(PageTopics.edgeReport(1, 4, 2, 2));
            for (int vertex = 1; vertex <= 4; vertex++) {
                written.place(vertex, 0, 2, 0);
            }
            written.flush();
            try (PageServer page = serve(written, PageAccess.open())) {
                await().atMost(PATIENCE)
                        .until(() -> json(page, "/api/copies").path("vertices").asInt() == 4);
                assertThat(get(page, "/api/vertex?id=1").body())
                        .as("there is no topic of vertex data")
                        .isEqualTo("{\"vertex\":\"1\",\"degree\":2,\"owner\":0,\"replicas\":[0]}");
                written.createVertices(BROKER.bootstrapServers());
                String vertices = written.topics.vertices();
                written.send(
                        vertices,
                        VertexRecordCodec.key(1),
                        VertexRecordCodec.value(new float[] {1}, 1, 2, VertexSplit.TRAIN));
                written.send(vertices, PageTopics.bytes("1"), PageTopics.bytes("{\"label\":5}"));
                written.send(vertices, PageTopics.bytes("1"), PageTopics.bytes("{\"label\":"));
                written.send(
                        vertices,
                        VertexRecordCodec.key(2),
                        VertexRecordCodec.value(new float[] {1}, 1, VertexRecord.NO_LABEL, VertexSplit.NONE));
                written.send(vertices, PageTopics.bytes("k"), PageTopics.bytes("malformed"));
                written.send(
                        vertices,
                        VertexRecordCodec.key(3),
                        VertexRecordCodec.value(new float[0], 0, 7, VertexSplit.NONE));
                written.send(vertices, VertexRecordCodec.key(3), null);
                written.flush();
                assertThat(json(page, "/api/vertex?id=1").path("label").asInt()).isEqualTo(5);
                for (int other = 2; other <= 4; other++) {
                    assertThat(json(page, "/api/vertex?id=" + other).has("label"))
                            .as("vertex " + other)
                            .isFalse();
                }
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
}
