package io.cutwater.deploy.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.CommandRun;
import io.cutwater.trainer.launch.TrainingTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class KafkaPropertiesTest {
    private static final String SECRET = "hush-hush";

    @TempDir
    private Path folder;

    @Command
    private static final class Asking {
        @Mixin
        private KafkaPropertiesOption kafka;
    }

    @Test
    void readsNamesAndNoValue() throws IOException {
        Asking asking = CommandLine.populateCommand(
                new Asking(), "--kafka-properties", file("# TLS\nsecurity.protocol=SSL\nssl.key.password = " + SECRET));
        assertThat(asking.kafka.read()).containsKeys("security.protocol", "ssl.key.password");
        assertThat(asking.kafka.read().toString()).doesNotContain(SECRET);
        assertThat(CommandLine.populateCommand(new Asking()).kafka.read()).isEmpty();
    }

    @Test
    void theOptionsOfALiveJobHaveThePathAndNoValue() throws IOException {
        String path = file("ssl.key.password=" + SECRET);
        LiveJobOptions options = LiveJobOptions.of(
                Map.of("bootstrap-servers", "h:1", "partitions", "4", LiveJobOptions.KAFKA_PROPERTIES, path));
        assertThat(options.arguments()).containsEntry("kafka-properties", path);
        assertThat(options.client()).containsKey("ssl.key.password");
        assertThat(options.toString()).doesNotContain(SECRET);
    }

    @Test
    void whatIsPrintedOfAMeetingHasNoValue() {
        TrainingTopics topics =
                new TrainingTopics("h:1", Map.of("ssl.key.password", SECRET), new Topics("a-"), Duration.ofSeconds(9));
        assertThat(topics.toString()).contains("ssl.key.password").doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap.servers", "isolation.level", "key.serializer"})
    void refusesWhatIsOurs(String name) throws IOException {
        CommandRun run = run("ssl.key.password=%s\n%s=%s".formatted(SECRET, name, SECRET));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains(" has " + name).contains("take it out");
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
    }

    @Test
    void aFileThatIsNoneTellsNothingOfWhatIsInIt() throws IOException {
        CommandRun run = run("ssl.key.password=%s\\u00zz".formatted(SECRET));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("must be UTF-8 text in lines of NAME=VALUE");
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
    }

    @Test
    void valuesThatClientsRefuseAreNotShownEither() throws IOException {
        CommandRun run = run("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=%s %s"
                .formatted(SECRET, SECRET));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("check --bootstrap-servers and the client properties");
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("client.properties"), text).toString();
    }

    private CommandRun run(String text) throws IOException {
        Path edges = Files.writeString(folder.resolve("edges.txt"), "0 1\n");
        Path features = Files.writeString(folder.resolve("features.csv"), "1,0\n0,1\n");
        Path labels = Files.writeString(folder.resolve("labels.txt"), "0\n1\n");
        return CommandRun.of(
                Cutwater::run,
                "train",
                "--centralised",
                "--edges",
                edges.toString(),
                "--features",
                features.toString(),
                "--labels",
                labels.toString(),
                "--role",
                "worker",
                "--bootstrap-servers",
                "localhost:1",
                "--kafka-properties",
                file(text),
                "--debug");
    }
}
