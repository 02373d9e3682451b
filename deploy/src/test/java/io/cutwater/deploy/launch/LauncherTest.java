package io.cutwater.deploy.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a clone that is built except for the cluster's parts, with a Java that prints its arguments. */
class LauncherTest {
    @TempDir
    private Path folder;

    private Path clone;
    private Path java;

    @BeforeEach
    void makeClone() throws IOException {
        clone = Files.createDirectories(folder.resolve("a clone"));
        Files.copy(Path.of("../cutwater"), clone.resolve("cutwater"));
        Files.writeString(clone.resolve("pom.xml"), "");
        Path target = Files.createDirectories(clone.resolve("deploy/target"));
        Files.writeString(target.resolve("launch.built"), "");
        java = Files.createDirectories(folder.resolve("jdk/bin"));
        program("java", "printf '%s\\n' \"$@\"");
    }

    private void program(String name, String line) throws IOException {
        Path file = Files.writeString(java.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs the launcher and returns standard output and standard error, and a last line with the exit code. */
    private List<String> launch(String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("sh", clone.resolve("cutwater").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("HOME", folder.resolve("my home").toString());
        builder.environment().remove("CUTWATER_CUDA");
        Process process = builder.start();
        List<String> lines = new ArrayList<>(process.inputReader().lines().toList());
        lines.add("exit code " + process.waitFor());
        return lines;
    }

    @Test
    void helpOfACommandThatNeedsProcessesStartsNoBuild() throws Exception {
        for (String[] words :
                new String[][] {{"cluster", "--help"}, {"cluster", "start", "-h"}, {"submit", "--help"}}) {
            assertThat(launch(words))
                    .contains("io.cutwater.deploy.cli.Cutwater")
                    .contains(words)
                    .endsWith("exit code 0")
                    .noneMatch(line -> line.contains("building"));
        }
        // These need what is not built, and this Java cannot build.
        assertThat(launch("cluster", "start"))
                .anyMatch(line -> line.contains("Cutwater needs a JDK 17 or later"))
                .endsWith("exit code 1");
    }

    @Test
    void theHomeFolderIsThatOfTheShell() throws Exception {
        assertThat(launch("demo")).contains("-Duser.home=" + folder.resolve("my home"));
    }
}
