package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The distribution, unpacked into a read-only folder with a space in its path, on a machine that has a JDK and neither
 * Maven nor the sources.
 */
@Timeout(600)
final class DistributionIT {
    private static final String VERSION = System.getProperty("cutwater.version");
    /** Programs that the launcher of a distribution calls, besides Java. */
    private static final List<String> TOOLS = List.of("sh", "dirname", "readlink");

    private static final int EDGES = 1_000;

    @TempDir
    private static Path folder;

    private static Path home;
    private static Map<Path, String> unpacked;
    private static CleanMachine machine;

    @BeforeAll
    static void unpack() throws Exception {
        Path parent = Files.createDirectory(folder.resolve("installed here"));
        home = CleanMachine.unpack(parent);
        setPermissions("r-xr-xr-x");
        unpacked = list();

        machine = new CleanMachine(folder, home, TOOLS);
        SplittableRandom random = new SplittableRandom(1);
        Files.write(
                folder.resolve("edges.txt"),
                Stream.generate(() -> random.nextInt(200) + " " + random.nextInt(200))
                        .limit(EDGES)
                        .toList());
    }

    /** A superuser can write into folders that are read-only. */
    @AfterAll
    static void nothingWasWrittenIntoTheInstallation() throws Exception {
        Map<Path, String> now = list();
        setPermissions("rwxr-xr-x"); // so that the folder can be deleted
        assertThat(now).isEqualTo(unpacked);
    }

    private static void setPermissions(String permissions) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path path : files.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
            }
        }
    }

    private static Map<Path, String> list() throws IOException {
        Map<Path, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path path : files.toList()) {
                found.put(home.relativize(path), Files.size(path) + " " + Files.getLastModifiedTime(path));
            }
        }
        return found;
    }

    private static String run(String line) throws IOException, InterruptedException {
        return machine.run(("cutwater " + line).split(" ", -1));
    }

    @Test
    void saysItsVersion() throws Exception {
        assertThat(run("--version")).contains(VERSION);
    }

    @Test
    void partitionsAFile() throws Exception {
        run("partition --partitions 4 --edges edges.txt --out shards");

        assertThat(Files.readString(folder.resolve("shards/report.json"))).contains("\"edges\" : " + EDGES);
    }

    /** Flink ends its cluster when the process is told to end, which fails the job: nothing may be said of that. */
    @Test
    void saysWhatIsKeptWhenPartitioningIsInterrupted() throws Exception {
        Path file = folder.resolve("many edges.txt");
        SplittableRandom random = new SplittableRandom(2);
        Files.write(
                file,
                () -> IntStream.range(0, 4_000_000)
                        .<CharSequence>mapToObj(i -> random.nextInt(1 << 18) + " " + random.nextInt(1 << 18))
                        .iterator());
        Path err = folder.resolve("interrupted.txt");
        Process process = machine.start(
                folder.resolve("interrupted-out.txt"),
                err,
                "cutwater",
                "partition",
                "--algorithm",
                "hdrf",
                "--partitions",
                "4",
                "--progress",
                "bar",
                "--edges",
                file.toString(),
                "--out",
                "interrupted");
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive() || Files.readString(err).contains("edges/s"));
        process.destroy(); // SIGTERM runs the same hooks as Ctrl-C
        assertThat(process.waitFor()).isEqualTo(143);

        assertThat(Files.readString(err))
                .contains("edges/s")
                .endsWith("%ncutwater: interrupted; there is no output folder; the same command starts over%n"
                        .formatted());
        assertThat(folder.resolve("interrupted")).doesNotExist();
    }

    @Test
    void runsTheDemo() throws Exception {
        assertThat(run("demo")).contains("accuracy");
    }

    @Test
    void runsALocalCluster() throws Exception {
        int[] ports = FreePorts.find(5);
        run(
                "cluster start --dir cluster --broker-port %d --controller-port %d --flink-port %d --jobmanager-port %d --metrics-ports %d"
                        .formatted(ports[0], ports[1], ports[2], ports[3], ports[4]));
        try {
            run("submit --dir cluster --partitions 4 --checkpoint-interval 1s");
            String servers = " --bootstrap-servers 127.0.0.1:" + ports[0];
            run("ingest --edges edges.txt" + servers);
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> run("status --dir cluster --json").contains("\"edges\" : " + EDGES));
            run("shard check --edges edges.txt" + servers);
            run("stop --dir cluster");
        } finally {
            run("cluster stop --dir cluster");
        }
    }

    @Test
    void hasEachJarOnceAndNoneThatNothingLoads() throws Exception {
        Set<String> lists = new TreeSet<>(
                List.of(Files.readString(home.resolve("flink.classpath")).split(":")));
        try (JarFile launcher = new JarFile(home.resolve("cutwater.jar").toFile())) {
            String jars = launcher.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            lists.addAll(List.of(jars.split(" ")));
        }
        Set<String> names = new TreeSet<>();
        Map<String, Path> contents = new TreeMap<>();
        for (Path path : unpacked.keySet()) {
            if (path.toString().endsWith(".jar")) {
                assertThat(contents.put(hash(path), path))
                        .as("a copy of " + path)
                        .isNull();
                names.add(path.toString());
            }
        }
        names.removeAll(List.of("cutwater.jar", "cutwater-job.jar"));

        assertThat(names).isEqualTo(lists);
    }

    private static String hash(Path jar) throws IOException, NoSuchAlgorithmException {
        byte[] content = Files.readAllBytes(home.resolve(jar));
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }

    @Test
    void bringsItsLicenceAndGuides() {
        for (String name : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "deploy/docs/README.md")) {
            assertThat(home.resolve(name)).isNotEmptyFile();
        }
    }
}
