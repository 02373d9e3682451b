package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The distribution, unpacked, on a machine that has a JDK and neither Maven nor the sources. */
@Timeout(300)
final class DistributionIT {
    private static final String VERSION = System.getProperty("cutwater.version");
    /** Programs that the launcher of a distribution calls, besides Java. */
    private static final List<String> TOOLS = List.of("sh", "dirname", "readlink");

    @TempDir
    private static Path folder;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        Process tar = new ProcessBuilder("tar", "-xzf", System.getProperty("cutwater.distribution"))
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        home = folder.resolve("cutwater-" + VERSION);
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), find(tool));
        }
    }

    private static Path find(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(entry -> Path.of(entry, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private static String run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(home.resolve("cutwater").toString()));
        command.addAll(List.of(words));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", folder.resolve("tools").toString(),
                        "HOME", folder.toString(),
                        "JAVA_HOME", System.getProperty("java.home")));
        Process process = builder.start();
        assertThat(process.waitFor(200, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }

    @Test
    void saysItsVersion() throws Exception {
        assertThat(run("--version")).contains(VERSION);
    }

    @Test
    void partitionsAFile() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            edges.add(random.nextInt(200) + " " + random.nextInt(200));
        }
        Path graph = Files.write(folder.resolve("edges.txt"), edges);

        run("partition", "--partitions", "4", "--edges", graph.toString(), "--out", "shards");

        assertThat(Files.readString(folder.resolve("shards/report.json"))).contains("\"edges\" : 1000");
    }

    @Test
    void findsThePartsOfALocalCluster() throws Exception {
        assertThat(run("cluster", "--help")).contains("start");
        assertThat(home.resolve("cluster/cutwater-job.jar")).isNotEmptyFile();
        try (Stream<Path> flink = Files.list(home.resolve("cluster/flink"))) {
            assertThat(flink.map(path -> path.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("flink-runtime-2"));
        }
    }

    @Test
    void bringsItsLicenceAndGuides() {
        for (String name : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "deploy/docs/README.md")) {
            assertThat(home.resolve(name)).isNotEmptyFile();
        }
    }
}
