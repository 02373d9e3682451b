package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    @TempDir
    private Path folder;

    @Test
    void theOptionsOfTheFileFollowThoseOfTheCommandLine() throws IOException {
        String file = write("""
                # a comment
                partitions: 8
                edges: [a.txt, "b c.txt"]
                set: {lambda: 1.10, window: 0x10}
                overwrite: true
                via-kafka: false
                dedupe: true
                topic-prefix: ""
                """);

        assertThat(complete("partition", "--config", file, "--out", "o"))
                .containsExactly(
                        "partition",
                        "--config",
                        file,
                        "--out",
                        "o",
                        "--partitions=8",
                        "--edges=a.txt",
                        "--edges=b c.txt",
                        "--set=lambda=1.10",
                        "--set=window=0x10",
                        "--overwrite",
                        "--dedupe",
                        "--topic-prefix=");
    }

    @Test
    void theCommandLineTakesPrecedence() throws IOException {
        String file = write("partitions: 8\nseed: 3\n");

        assertThat(complete("submit", "--config=" + file, "--partitions", "4"))
                .containsExactly("submit", "--config=" + file, "--partitions", "4", "--seed=3");
        assertThat(complete("submit", "--config=" + file, "--seed=1", "--partitions=4"))
                .containsExactly("submit", "--config=" + file, "--seed=1", "--partitions=4");
    }

    @Test
    void listsAreJoinedAndOldNamesAreReplaced() throws IOException {
        assertThat(complete("train", "--config", write("fanouts: [10, 5]"))).endsWith("--fanouts=10,5");
        assertThat(complete("partition", "--config", write("max-bad: 0.5"))).endsWith("--max-malformed=0.5");
    }

    @Test
    void anEmptyFileHasNoOptions() throws IOException {
        String file = write("# nothing yet\n");

        assertThat(complete("submit", "--config", file)).containsExactly("submit", "--config", file);
    }

    @Test
    void aCommandReadsItsOptionsFromTheFile() throws IOException {
        String graph = Files.writeString(folder.resolve("graph.txt"), "1 2\n").toString();
        String file = write("edges: %s\nout: %s\npartitions: 5000\n".formatted(graph, folder.resolve("out")));

        CommandRun run = CommandRun.of(Cutwater::run, "partition", "--config", file);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("--partitions must be", "5000");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "parttions: 3 | FILE:1: cutwater submit has no option 'parttions'; did you mean 'partitions'?",
                "colour-of-house: 3 | FILE:1: cutwater submit has no option 'colour-of-house'; see its --help",
                "config: other.yaml | FILE:1: cutwater submit has no option 'config'",
                "'partitions: 3;seed: 1;partitions: 4' | FILE:3: 'partitions' is given twice",
                "keep-edges: maybe | FILE:1: --keep-edges must be true or false: 'maybe'",
                "partitions: [1, 2] | FILE:1: --partitions must have one value",
                "partitions: | FILE:1: --partitions must have one value",
                "- partitions | configuration file FILE must have lines of the form 'option: value'",
                "'seed: 1;partitions: ]' | configuration file FILE is not YAML, line 2",
            })
    void whatIsWrongInTheFileIsNamed(String text, String message) throws IOException {
        String file = write(text.replace(";", "\n"));

        CommandRun run = CommandRun.of(Cutwater::run, "submit", "--config", file);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).startsWith("cutwater: " + message.replace("FILE", file));
        assertThat(run.err()).contains("See ./cutwater submit --help");
    }

    @Test
    void aFileThatDoesNotExistIsNamed() {
        CommandRun run = CommandRun.of(Cutwater::run, "train", "--config", "nowhere.yaml");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo("cutwater: --config nowhere.yaml does not exist; check the path");
    }

    @Test
    void filesOfFoldersAreReadWhereNoneIsNamed() throws IOException {
        Path mine = Files.createDirectory(folder.resolve("mine"));
        Path system = Files.createDirectory(folder.resolve("system"));
        Files.writeString(mine.resolve("submit.yaml"), "partitions: 8\n");
        Files.writeString(system.resolve("submit.yaml"), "partitions: 4\nseed: 3\nkeep-edges: true\n");
        Files.writeString(system.resolve("cluster-start.yaml"), "slots: 6\n");
        Files.writeString(system.resolve("status.yaml"), "# nothing yet\n");
        String named = write("seed: 5\n");
        StringWriter err = new StringWriter();
        System.setProperty("cutwater.config", mine + ":" + folder.resolve("nowhere") + ":" + system);
        try {
            assertThat(complete("submit", "--seed", "1"))
                    .containsExactly("submit", "--seed", "1", "--partitions=8", "--keep-edges");
            assertThat(complete("cluster", "start")).containsExactly("cluster", "start", "--slots=6");
            assertThat(complete("submit", "--config", named)).endsWith(named, "--seed=5");
            complete(err, "submit", "--keep-edges");
            assertThat(err.toString().lines())
                    .containsExactly(
                            "cutwater: note: %s adds --partitions=8".formatted(mine.resolve("submit.yaml")),
                            "cutwater: note: %s adds --seed=3".formatted(system.resolve("submit.yaml")));
            StringWriter none = new StringWriter();
            complete(none, "status");
            assertThat(none.toString()).isEmpty();
        } finally {
            System.clearProperty("cutwater.config");
        }
    }

    @Test
    void oldNamesOfOptionsAreAcceptedWithANote() {
        StringWriter err = new StringWriter();
        String[] words = Arguments.complete(
                Cutwater.commandLine(),
                new PrintWriter(err, true),
                "partition",
                "--max-bad=0.2",
                "--train-imbalance",
                "1");

        assertThat(words).containsExactly("partition", "--max-malformed=0.2", "--training-imbalance", "1");
        assertThat(err.toString())
                .contains("--max-bad is now --max-malformed", "--train-imbalance is now --training-imbalance");
    }

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), text).toString();
    }

    private static List<String> complete(String... words) {
        return complete(new StringWriter(), words);
    }

    private static List<String> complete(StringWriter err, String... words) {
        return List.of(Arguments.complete(Cutwater.commandLine(), new PrintWriter(err, true), words));
    }
}
