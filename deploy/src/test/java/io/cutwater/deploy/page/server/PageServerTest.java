package io.cutwater.deploy.page.server;

import static io.cutwater.deploy.page.server.PageClient.HTTP;
import static io.cutwater.deploy.page.server.PageClient.JSON;
import static io.cutwater.deploy.page.server.PageClient.PATIENCE;
import static io.cutwater.deploy.page.server.PageClient.get;
import static io.cutwater.deploy.page.server.PageClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.training.TrainingRound;
import io.cutwater.kafka.training.TrainingRoundTopic;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.testkit.BrokerExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the live page shows of topics, as a client of HTTP sees it, over a real broker. */
class PageServerTest {
    @RegisterExtension
    static final BrokerExtension<EmbeddedBroker> BROKER =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static PageServer serve(PageTopics topics, PageAccess access) throws IOException {
        return PageClient.serve(BROKER.bootstrapServers(), topics.topics, access, null);
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
    void marksRestartsOnTheTimeLine() throws Exception {
        try (PageTopics written = new PageTopics(BROKER.bootstrapServers(), "restarted.", true);
                PageServer page = serve(written, PageAccess.open())) {
            written.report(PageTopics.edgeReport(1, 5, 4, 4));
            written.report(PageTopics.edgeReport(7, 9, 8, 8));
            written.flush();
            await().atMost(PATIENCE)
                    .until(() -> json(page, "/api/state").at("/newest/edges").asInt() == 16);
            assertThat(json(page, "/api/state").path("marks")).isEmpty();
            // The next attempt counts its seconds anew, and goes on at the last checkpoint.
            written.report(PageTopics.edgeReport(0.5, 7, 6, 6));
            written.report(PageTopics.edgeReport(1.5, 9, 8, 8));
            written.flush();
            await().atMost(PATIENCE).untilAsserted(() -> {
                JsonNode state = json(page, "/api/state");
                assertThat(state.at("/newest/seconds").doubleValue()).isEqualTo(1.5);
                assertThat(state.path("marks")).hasSize(1);
                assertThat(state.at("/marks/0/kind").asText()).isEqualTo("restart");
                assertThat(state.at("/marks/0/text").asText()).isEqualTo("the job restarted");
            });
            JsonNode rows = rows(page, "").data().path("quality");
            assertThat(json(page, "/api/state").at("/marks/0/time").doubleValue())
                    .as("the time of the first report of the new attempt")
                    .isEqualTo(rows.at("/time/2").doubleValue());
        }
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
        HttpResponse<InputStream> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
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
}
