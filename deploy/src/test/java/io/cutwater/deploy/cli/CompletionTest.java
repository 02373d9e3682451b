package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void theScriptIsValidBash(String shell) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(BASH), "there is no bash");

        assertThat(bash("bash -n " + script(shell))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"part, 1, partition", "cluster sta, 2, start", "submit --keep-e, 2, --keep-edges"})
    void commandsAndOptionsAreCompleted(String words, int current, String completion)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(BASH), "there is no bash");

        assertThat(bash(
                        "source %s; COMP_WORDS=(cutwater %s); COMP_CWORD=%d; _complete_cutwater; echo \"${COMPREPLY[@]}\""
                                .formatted(script("bash"), words, current)))
                .contains(completion);
    }

    @Test
    void anotherShellIsRefused() {
        CommandRun run = CommandRun.of(Cutwater::run, "completion", "fish");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("bash|zsh", "fish");
    }

    private Path script(String shell) throws IOException {
        CommandRun run = CommandRun.of(Cutwater::run, "completion", shell);
        assertThat(run.exitCode()).isZero();
        return Files.writeString(folder.resolve("completion"), run.out());
    }

    private static String bash(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(BASH.toString(), "-c", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
