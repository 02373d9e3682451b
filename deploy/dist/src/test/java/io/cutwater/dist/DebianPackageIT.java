package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, installed by dpkg into an empty folder, and removed again. */
@Timeout(300)
final class DebianPackageIT {
    private static final String PACKAGE = System.getProperty("cutwater.deb");
    /** Programs that the installed command calls, and those of this test. */
    private static final List<String> TOOLS = List.of("sh", "dirname", "readlink", "env", "bash", "gzip", "tar");

    @TempDir
    private static Path folder;

    private static Path root;
    private static CleanMachine machine;

    @BeforeAll
    static void install() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg")), "this is no Debian");
        root = Files.createDirectories(folder.resolve("root"));
        Path admin = Files.createDirectories(root.resolve("var/lib/dpkg"));
        Files.createDirectory(admin.resolve("info"));
        Files.createDirectory(admin.resolve("updates"));
        Files.createFile(admin.resolve("status"));
        dpkg("--install", PACKAGE);
        machine = new CleanMachine(folder, root.resolve("usr/bin"), TOOLS);
    }

    /** A file in {@code /etc} that its user has changed stays until the package is purged. */
    @AfterAll
    static void removeAndPurge() throws Exception {
        if (machine == null) {
            return;
        }
        Path page = root.resolve("etc/cutwater/page.yaml");
        Files.writeString(page, "listen: 8099\n");
        dpkg("--remove", "cutwater");
        assertThat(root.resolve("usr")).doesNotExist();
        assertThat(page).hasContent("listen: 8099");
        dpkg("--purge", "cutwater");
        assertThat(root.resolve("etc")).doesNotExist();
    }

    private static void dpkg(String... words) throws IOException, InterruptedException {
        // The folder is no system: it has no Java package, and no super-user owns it.
        List<String> options = List.of(
                "dpkg",
                "--root=" + root,
                "--log=" + folder.resolve("dpkg.log"),
                "--force-not-root,depends,bad-path,architecture");
        Path log = folder.resolve("dpkg.txt");
        Process dpkg = new ProcessBuilder(
                        Stream.concat(options.stream(), Stream.of(words)).toList())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(dpkg.waitFor()).as(Files.readString(log)).isZero();
    }

    private static String shell(String line) throws IOException, InterruptedException {
        return machine.run("bash", "-c", line);
    }

    @Test
    void theCommandIsInTheSearchPath() throws Exception {
        assertThat(machine.run("cutwater", "--version")).contains(System.getProperty("cutwater.version"));
        assertThatThrownBy(() -> machine.run("mvn", "--version")).hasMessageContaining("No such file");
    }

    @Test
    void partitionsAndTrains() throws Exception {
        Files.write(
                folder.resolve("edges.txt"),
                Stream.iterate(0, v -> v + 1)
                        .limit(300)
                        .map(v -> v + " " + (v + 3) % 300)
                        .toList());
        Files.write(
                folder.resolve("features.csv"),
                Stream.concat(
                                Stream.of("a,b"),
                                Stream.iterate(0, v -> v + 1).limit(300).map(v -> v % 3 + ",1"))
                        .toList());
        Files.write(
                folder.resolve("labels.txt"),
                Stream.iterate(0, v -> v + 1)
                        .limit(300)
                        .map(v -> String.valueOf(v % 3))
                        .toList());
        Files.write(
                folder.resolve("split.txt"),
                Stream.iterate(0, v -> v + 1)
                        .limit(300)
                        .map(v -> v % 2 == 0 ? "train" : "test")
                        .toList());

        shell("cutwater partition --partitions 2 --edges edges.txt --features features.csv --labels labels.txt"
                + " --split split.txt --out shards");

        assertThat(folder.resolve("shards/report.json")).content().contains("\"edges\" : 300");
        assertThat(shell("cutwater train --shards shards --epochs 2 --out model --json"))
                .contains("\"testAccuracy\"");
    }

    @Test
    void everyCommandHasAManualPage() throws Exception {
        Path pages = root.resolve("usr/share/man/man1");
        String page = shell("gzip -dc '%s/cutwater-partition.1.gz'".formatted(pages));

        assertThat(page).contains("\\-\\-partitions", "cutwater\\-partition");
        try (Stream<Path> files = Files.list(pages)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("cutwater.1.gz", "cutwater-submit.1.gz", "cutwater-shard-read.1.gz")
                    .doesNotContain("cutwater-man-pages.1.gz");
        }
    }

    @Test
    void bashCompletesTheCommand() throws Exception {
        Path script = root.resolve("usr/share/bash-completion/completions/cutwater");

        assertThat(shell(
                        "source '%s'; COMP_WORDS=(cutwater part); COMP_CWORD=1; _complete_cutwater; echo ${COMPREPLY[@]}"
                                .formatted(script)))
                .contains("partition");
    }

    @Test
    void readsItsConfiguration() throws Exception {
        Path etc = root.resolve("etc/cutwater");
        assertThat(etc.resolve("submit.yaml")).content().contains("# bootstrap-servers:");
        Files.writeString(etc.resolve("compare.yaml"), "partitions: 3\nalgorithms: hash\n");
        Files.writeString(folder.resolve("few.txt"), "1 2\n2 3\n3 4\n");
        try {
            // The folder stands for the machine's root, so /etc is elsewhere.
            assertThat(shell("CUTWATER_CONFIG='%s' cutwater compare --edges few.txt --json".formatted(etc)))
                    .contains("\"partitions\" : 3", "hash")
                    .doesNotContain("hdrf");
        } finally {
            Files.delete(etc.resolve("compare.yaml"));
        }
    }

    @Test
    void saysWhatItIsAndNeeds() throws Exception {
        assertThat(shell("exec /usr/bin/dpkg-deb --field '%s'".formatted(PACKAGE)))
                .contains("Package: cutwater", "Version: " + System.getProperty("cutwater.version"), "java17-runtime");
        assertThat(root.resolve("usr/share/doc/cutwater/copyright")).isNotEmptyFile();
        assertThat(root.resolve("usr/share/doc/cutwater/deploy/docs/README.md")).isNotEmptyFile();
    }
}
