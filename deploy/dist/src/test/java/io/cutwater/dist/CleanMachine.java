package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A machine that has a JDK and a few programs, and neither Maven nor the sources: a folder as home and working
 * directory, and a search path.
 */
final class CleanMachine {
    private final Path home;
    private final String path;

    /**
     * Makes the search path.
     *
     * @param home an existing folder
     * @param first a folder that is searched first
     * @param programs which the search path has besides, those of this machine
     */
    CleanMachine(Path home, Path first, List<String> programs) throws IOException {
        this.home = home;
        Path tools = Files.createDirectories(home.resolve("tools"));
        for (String program : programs) {
            Files.createSymbolicLink(tools.resolve(program), find(program));
        }
        this.path = first + ":" + tools;
    }

    /** Unpacks the distribution and returns its folder. */
    static Path unpack(Path parent) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-xzf", System.getProperty("cutwater.distribution"))
                .directory(parent.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        return parent.resolve("cutwater-" + System.getProperty("cutwater.version"));
    }

    private static Path find(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(entry -> Path.of(entry, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    /** Runs a program of the search path to its end, which must be a success, and returns its standard output. */
    String run(String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(home, "out", ".txt");
        Path err = Files.createTempFile(home, "err", ".txt");
        Process process = start(out, err, command);
        assertThat(process.waitFor(400, TimeUnit.SECONDS))
                .as(String.join(" ", command))
                .isTrue();
        assertThat(process.exitValue())
                .as(String.join(" ", command) + ": " + Files.readString(err) + Files.readString(out))
                .isZero();
        return Files.readString(out);
    }

    /** Starts a program of the search path. */
    Process start(Path out, Path err, String... command) throws IOException {
        // The search path is that of this machine where the process is started, and the clean one inside.
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of("/usr/bin/env"), Stream.of(command))
                        .toList())
                .directory(home.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        path,
                        "HOME",
                        home.toString(),
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        // Java finds the user's folder by itself; natives are unpacked there.
                        "CUTWATER_JAVA_OPTS",
                        "-Duser.home=" + home));
        return builder.start();
    }
}
