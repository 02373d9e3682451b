package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image, put together in a plain folder by the steps of the Containerfile, and started there by its entry point and
 * its environment, with no other Java in the search path.
 */
@Timeout(600)
final class ContainerIT {
    private static final Path SOURCES =
            Path.of("..", "container").toAbsolutePath().normalize();
    private static final String HOME = "/opt/cutwater";

    @TempDir
    private static Path folder;

    private static List<String> instructions;

    /** The lines of a target, each with its continuation. */
    private static List<String> target(String name) throws IOException {
        List<String> lines = Files.readString(SOURCES.resolve("Containerfile"))
                .replace("\\\n", "")
                .lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
        List<String> found = new ArrayList<>();
        boolean isIn = false;
        for (String line : lines) {
            if (line.startsWith("FROM ")) {
                isIn = line.endsWith(" AS " + name);
            }
            if (isIn) {
                found.add(line);
            }
        }
        return found;
    }

    private static String argument(List<String> lines, String instruction) {
        return lines.stream()
                .filter(line -> line.startsWith(instruction + " "))
                .map(line -> line.substring(instruction.length() + 1))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    /** A path of the image in the folder that stands for it. */
    private static String here(String text) {
        return text.replace(HOME, folder.resolve("image" + HOME).toString());
    }

    @BeforeAll
    static void assemble() throws Exception {
        instructions = target("cutwater");
        String step = target("build").stream()
                .filter(line -> line.startsWith("RUN deploy/container/assemble "))
                .map(line -> line.substring("RUN ".length()))
                .findFirst()
                .orElseThrow();
        String command = here(step)
                .replace(
                        "deploy/container/assemble", SOURCES.resolve("assemble").toString())
                .replace("deploy/dist/target/cutwater-*.tar.gz", System.getProperty("cutwater.distribution"));
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(builder.start().waitFor()).isZero();
    }

    private static Process start(List<String> command, Path out) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        Map<String, String> environment = new HashMap<>();
        instructions.stream()
                .filter(line -> line.startsWith("ENV "))
                .map(line -> line.substring(4).split("=", 2))
                .forEach(pair -> environment.put(pair[0], here(pair[1])));
        environment.put("HOME", folder.toString());
        environment.put("CUTWATER_JAVA_OPTS", "-Duser.home=" + folder);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static List<String> words(String json) {
        return Stream.of(here(json).replaceAll("[\\[\\]\"]", "").split(", *")).toList();
    }

    private static List<String> entryPoint(String... arguments) {
        return Stream.concat(words(argument(instructions, "ENTRYPOINT")).stream(), Stream.of(arguments))
                .toList();
    }

    @Test
    void theRuntimeHasAllModulesThatTheDemoNeeds() throws Exception {
        Path out = folder.resolve("demo.txt");
        Process demo = start(entryPoint("demo", "--edges", "40000", "--epochs", "2"), out);

        assertThat(demo.waitFor(400, TimeUnit.SECONDS)).isTrue();
        assertThat(demo.exitValue()).as(Files.readString(out)).isZero();
        assertThat(Files.readString(out)).contains("accuracy");
    }

    @Test
    void withoutArgumentsItShowsItsHelp() throws Exception {
        Path out = folder.resolve("help.txt");
        String[] arguments = words(argument(instructions, "CMD")).toArray(String[]::new);

        assertThat(start(entryPoint(arguments), out).waitFor()).isZero();
        assertThat(Files.readString(out)).contains("Usage: cutwater");
    }

    @Test
    void theHealthCheckAsksThePage() throws Exception {
        int port = FreePorts.find(1)[0];
        List<String> check = new ArrayList<>(List.of("env", "CUTWATER_HEALTH_PORT=" + port));
        check.addAll(words(argument(instructions, "HEALTHCHECK").replaceFirst(".* CMD ", "")));
        Path out = folder.resolve("health.txt");
        assertThat(start(check, out).waitFor()).isNotZero();
        // The page answers also while there is no broker.
        Process page = start(
                entryPoint("page", "--bootstrap-servers", "127.0.0.1:9", "--listen", "127.0.0.1:" + port),
                folder.resolve("page.txt"));
        try {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> start(check, out).waitFor() == 0);
        } finally {
            page.destroy();
            page.waitFor();
        }
    }

    @Test
    void noImageRunsAsRoot() throws IOException {
        for (String name : List.of("cutwater", "job")) {
            assertThat(argument(target(name), "USER")).matches("[1-9][0-9]*:[1-9][0-9]*");
        }
    }
}
