package io.cutwater.deploy.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs of a cluster's processes are in {@code SurvivalIT}. */
class LogFormatTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "b3twe3n-us";

    @TempDir
    private Path folder;

    /** The process has a log of its own, and brokers without an address give it something to say. */
    @Test
    void eachLineOfStandardErrorIsAnEventWithTheGraphAndWithoutSecrets() throws Exception {
        Path edges = Files.writeString(folder.resolve("edges.txt"), "0 1\n1 2\n");
        Path client = Files.writeString(
                folder.resolve("client.properties"),
                "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config="
                        + "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\""
                        + SECRET
                        + "\";\n");
        String line =
                "ingest --log-format json --verbose --topic-prefix g- --bootstrap-servers broker.invalid:1 --edges %s"
                        .formatted(edges);
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(List.of("--kafka-properties", client.toString()));

        CommandRun run = CommandRun.inChildProcess(Cutwater.class, words, Map.of());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).doesNotContain(SECRET);
        List<JsonNode> events = new ArrayList<>();
        for (String text : run.err().lines().toList()) {
            JsonNode event = JSON.readTree(text);
            assertThat(Instant.parse(event.path("time").asText())).isBefore(Instant.now());
            assertThat(event.path("thread").asText()).isNotEmpty();
            assertThat(event.path("message").asText()).isNotEmpty();
            assertThat(event.path("graph").asText()).as(text).isEqualTo("g-edges");
            events.add(event);
        }
        assertThat(events)
                .anyMatch(event -> event.path("logger").asText().startsWith("org.apache.kafka."))
                .anyMatch(event -> event.path("logger").asText().equals("cutwater")
                        && event.path("level").asText().equals("ERROR")
                        && event.path("message").asText().contains("broker.invalid"));
    }
}
