package io.cutwater.deploy.systemd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.deploy.MarkdownFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** systemd accepts the units, in a root folder with the files that they name and the targets of this machine. */
class SystemdUnitsTest {
    private static final Path SOURCES = MarkdownFiles.root().resolve("deploy/systemd");
    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final Path TARGETS = Path.of("/usr/lib/systemd/system");

    @TempDir
    private Path root;

    private Path units;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Files.isExecutable(ANALYZE) && Files.isDirectory(TARGETS), "there is no systemd");
        units = Files.createDirectories(root.resolve("usr/lib/systemd/system"));
        for (Path file : files(SOURCES)) {
            Files.copy(file, units.resolve(file.getFileName()));
        }
        for (Path file : files(TARGETS)) {
            if (file.toString().endsWith(".target")) {
                Files.copy(file, units.resolve(file.getFileName()));
            }
        }
        for (String program : List.of("usr/bin/cutwater", "usr/share/cutwater/systemd/cutwater-watch")) {
            Path path = root.resolve(program);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "#!/bin/sh\n");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private String verify(String... names) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(ANALYZE.toString(), "verify", "--man=no", "--recursive-errors=no", "--root=" + root));
        command.addAll(List.of(names));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        return process.waitFor() == 0 ? output : output + "exit code " + process.exitValue();
    }

    @Test
    void unitsAreValid() throws Exception {
        assertThat(verify(
                        "cutwater-job.service",
                        "cutwater-job.timer",
                        "cutwater-page.service",
                        "cutwater-train.service"))
                .isEmpty();
    }

    @Test
    void plantedErrorsAreFound() throws Exception {
        Path page = units.resolve("cutwater-page.service");
        String text = Files.readString(page);
        Files.writeString(page, text.replace("NoNewPrivileges", "NoNewPrivilege"));
        assertThat(verify("cutwater-page.service")).contains("NoNewPrivilege");
        Files.writeString(page, text.replace("/usr/bin/cutwater", "/usr/bin/cutwatr"));
        assertThat(verify("cutwater-page.service")).contains("not executable");
    }
}
