package io.cutwater.flink.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against an endpoint that answers as Flink does in moments that a real cluster shows only now and then. */
final class FlinkRestTest {
    private static final String JOB = "d93fd8ce5a1223ebc25a761c1e59c74d";

    private final Map<String, String> answers = new HashMap<>();
    private HttpServer server;
    private FlinkRest flink;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.get(exchange.getRequestURI().getPath());
            byte[] body = (answer == null ? "{\"errors\":[\"not found\"]}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        flink = new FlinkRest(
                FlinkAddress.parse("127.0.0.1:" + server.getAddress().getPort()));
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING,  7, 5, checkpoint",
        "RUNNING,  5, 7, savepoint",
        "FAILED,   7, 5, checkpoint",
        // A checkpoint that completes while the job ends is removed with it.
        "FINISHED, 7, 5, savepoint",
        "FINISHED, 5, 7, savepoint",
    })
    void theLatestStateIsOneThatIsStillThere(String state, int checkpoint, int savepoint, String expected)
            throws IOException {
        answers.put("/jobs/" + JOB, "{\"state\":\"%s\"}".formatted(state));
        answers.put("/jobs/" + JOB + "/checkpoints", """
                {"latest": {"completed": {"id": %d, "external_path": "checkpoint"},
                            "savepoint": {"id": %d, "external_path": "savepoint"}}}""".formatted(checkpoint, savepoint));
        assertThat(flink.latestState(JOB)).isEqualTo(expected);
    }

    @Test
    void aJobWithoutACheckpointHasNoState() throws IOException {
        answers.put("/jobs/" + JOB, "{\"state\":\"RUNNING\"}");
        answers.put("/jobs/" + JOB + "/checkpoints", "{\"latest\": {\"completed\": null, \"savepoint\": null}}");
        assertThat(flink.latestState(JOB)).isNull();
    }

    @Test
    void anUnknownJobIsASentence() {
        assertThatThrownBy(() -> flink.latestState(JOB))
                .isInstanceOf(FlinkException.class)
                .hasMessageContaining("knows no job " + JOB);
    }
}
