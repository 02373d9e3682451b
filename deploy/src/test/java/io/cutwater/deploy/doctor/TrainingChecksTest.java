package io.cutwater.deploy.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.doctor.Finding.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingChecksTest {
    private static final TrainingChecks.Library CPU = new TrainingChecks.Library(0, false);

    @TempDir
    private Path folder;

    /** Writes a program that prints this and exits. */
    private String tool(String output, int exitCode) throws IOException {
        Path answer = Files.writeString(Files.createTempFile(folder, "answer", ".txt"), output);
        Path script = Files.writeString(
                Files.createTempFile(folder, "nvidia-smi", ""),
                "#!/bin/sh\ncat '%s'\nexit %d\n".formatted(answer, exitCode));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    private Path bus(String vendor, String type) throws IOException {
        Path bus = Files.createTempDirectory(folder, "pci");
        Path device = Files.createDirectory(bus.resolve("0000:01:00.0"));
        Files.writeString(device.resolve("vendor"), vendor + "\n");
        Files.writeString(device.resolve("class"), type + "\n");
        return bus;
    }

    @Test
    void readsWhatTheDriverSays() throws IOException {
        Path bus = bus("0x10de", "0x030200");
        NvidiaDriver driver = NvidiaDriver.ask(
                tool("NVIDIA H100 80GB HBM3, 81559, 550.54.15\nNVIDIA GB10, [N/A], 550.54.15\n", 0), bus);
        assertThat(driver)
                .isEqualTo(new NvidiaDriver(
                        "550.54.15",
                        List.of(
                                new NvidiaDriver.Gpu("NVIDIA H100 80GB HBM3", 81_559),
                                new NvidiaDriver.Gpu("NVIDIA GB10", -1)),
                        1,
                        ""));
        assertThat(driver.major()).isEqualTo(550);
        String broken = tool("NVIDIA-SMI has failed because it couldn't communicate\nwith the NVIDIA driver.\n", 9);
        assertThat(NvidiaDriver.ask(broken, bus).problem())
                .isEqualTo(broken
                        + " fails: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.");
        assertThat(NvidiaDriver.ask(tool("No devices were found\n", 0), bus).problem())
                .isEqualTo("nvidia-smi says: No devices were found");
        String none = folder.resolve("none").toString();
        assertThat(NvidiaDriver.ask(none, bus("0x8086", "0x030000")).devices()).isZero();
        assertThat(NvidiaDriver.ask(none, bus("0x10de", "0x040300")).devices())
                .as("a sound device")
                .isZero();
        assertThat(NvidiaDriver.ask(none, folder.resolve("no-bus")).devices()).isZero();
    }

    @Test
    void saysWhatToChangeForGpus() {
        NvidiaDriver one = new NvidiaDriver("550.54", List.of(new NvidiaDriver.Gpu("H100", 81_559)), 1, "");
        assertThat(TrainingChecks.gpus(one, CPU))
                .extracting(Finding::text, Finding::state)
                .containsExactly(
                        tuple("H100 with 79.6 GiB, driver 550.54", State.OK),
                        tuple("PyTorch cannot use it: this build supports the CPU only", State.WARNING));
        assertThat(TrainingChecks.gpus(one, CPU).get(1).advice()).startsWith("set CUTWATER_CUDA=yes, or ");
        assertThat(TrainingChecks.gpus(one, new TrainingChecks.Library(1, true)))
                .extracting(Finding::state)
                .containsOnly(State.OK);
        assertThat(TrainingChecks.gpus(one, new TrainingChecks.Library(0, true))
                        .get(1)
                        .advice())
                .startsWith("check CUDA_VISIBLE_DEVICES");
        NvidiaDriver old = new NvidiaDriver("470.256.02", one.gpus(), 1, "");
        assertThat(TrainingChecks.gpus(old, new TrainingChecks.Library(0, true)).get(1))
                .isEqualTo(Finding.warning(
                        "GPU",
                        "PyTorch sees 0 of 1 GPUs with driver 470.256.02",
                        "install driver 525 or later, which CUDA 12 needs"));
        NvidiaDriver silent = new NvidiaDriver("", List.of(), 2, "nvidia-smi does not start: no such file");
        assertThat(TrainingChecks.gpus(silent, CPU))
                .containsExactly(Finding.warning(
                        "GPU",
                        "there are 2 NVIDIA devices, but nvidia-smi does not start: no such file",
                        "install NVIDIA's driver, version 525 or later; training uses the CPU until then"));
        assertThat(TrainingChecks.gpus(new NvidiaDriver("", List.of(), 0, "none"), CPU))
                .containsExactly(Finding.ok("GPU", "there is no NVIDIA GPU; training uses the CPU"));
    }

    /** In a process of its own, because a process loads PyTorch once. */
    @Test
    void namesTheFileThatKeepsPyTorchFromLoading() throws Exception {
        Path file = Files.writeString(folder.resolve("cache"), "not a folder");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-DDJL_CACHE_DIR=" + file,
                        "-Duser.home=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Cutwater.class.getName(),
                        "doctor",
                        "--json")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isEqualTo(1);
        JsonNode finding = null;
        for (JsonNode each : new ObjectMapper().readTree(out).path("checks")) {
            finding = each.path("check").asText().equals("Training") ? each : finding;
        }
        assertThat(finding).isNotNull();
        assertThat(finding.path("state").asText()).isEqualTo("failed");
        assertThat(finding.path("text").asText()).contains("cannot be loaded", file + "/pytorch: Not a directory");
        assertThat(finding.path("advice").asText())
                .isEqualTo(
                        "it is unpacked into %s/pytorch: DJL_CACHE_DIR must name a folder that can be written, with 430 MB of free space, for GPUs 4 GB"
                                .formatted(file));
    }
}
