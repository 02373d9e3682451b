package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.deploy.MarkdownFiles;
import io.cutwater.deploy.cli.help.ManPage;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManPagesTest {
    private static final Path GROFF = Path.of("/usr/bin/groff");

    @TempDir
    private Path folder;

    @Test
    void everyVisibleCommandHasAPageWithItsOptions() {
        Map<String, String> pages = ManPage.pages(Cutwater.commandLine(), "1.2");

        assertThat(pages)
                .containsKeys("cutwater.1", "cutwater-cluster.1", "cutwater-cluster-start.1", "cutwater-train.1")
                .doesNotContainKey("cutwater-man-pages.1");
        assertThat(pages.get("cutwater-shard-read.1"))
                .contains(
                        ".TH \"CUTWATER\\-SHARD\\-READ\" \"1\" \"\" \"cutwater 1.2\"",
                        ".SH \"SYNOPSIS\"\ncutwater shard read",
                        "\\fB\\-\\-at\\-time\\fR TIME\n",
                        ".SH \"KAFKA\"",
                        "/etc/cutwater/shard\\-read.yaml")
                .doesNotContain("${", "%n", "%%", "null");
    }

    @Test
    void theVariablesAreThoseOfTheReference() throws IOException {
        String reference = Files.readString(MarkdownFiles.root().resolve("deploy/docs/reference/command-line.md"));
        String page = ManPage.pages(Cutwater.commandLine(), "1.2").get("cutwater.1");

        page.lines()
                .dropWhile(line -> !line.equals(".SH \"ENVIRONMENT\""))
                .takeWhile(line -> !line.equals(".SH \"FILES\""))
                .filter(line -> line.startsWith("\\fB"))
                .forEach(line -> assertThat(reference)
                        .contains("| `" + line.replace("\\fB", "").replace("\\fR", "") + "` |"));
    }

    @Test
    void groffHasNothingToComplainAbout() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(GROFF), "there is no groff");
        CommandRun run = CommandRun.of(Cutwater::run, "man-pages", "--out", folder.toString());
        assertThat(run.exitCode()).isZero();
        Path page = folder.resolve("cutwater-partition.1");
        try (InputStream packed =
                new GZIPInputStream(Files.newInputStream(folder.resolve("cutwater-partition.1.gz")))) {
            Files.write(page, packed.readAllBytes());
        }

        Process groff = new ProcessBuilder(GROFF.toString(), "-man", "-ww", "-Tutf8", "-P-cbou", page.toString())
                .redirectError(folder.resolve("err").toFile())
                .start();
        String shown =
                new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s+", " ");

        assertThat(groff.waitFor()).isZero();
        assertThat(folder.resolve("err")).isEmptyFile();
        assertThat(shown)
                .contains(
                        "cutwater-partition - Partitions the edges of files or of a topic",
                        "cutwater partition --partitions K|auto --out DIR [OPTIONS]",
                        "--edges FILE…");
    }
}
