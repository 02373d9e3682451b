package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterProcessTest {
    private static final List<String> LONG_WORK = List.of("sleep", "600");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path root;

    private ClusterFolder folder;
    private ClusterProcess process;

    @BeforeEach
    void createFolder() throws IOException {
        folder = new ClusterFolder(root);
        folder.create();
        process = new ClusterProcess("worker", folder);
    }

    @AfterEach
    void killProcess() throws InterruptedException {
        process.stop(Duration.ofMillis(1));
    }

    @Test
    void usageExample() throws Exception {
        process.start(LONG_WORK, "worker-1");

        assertThat(process.isRunning()).isTrue();
        assertThat(process.identity()).isEqualTo("worker-1");
        // Another command finds it by its file.
        assertThat(new ClusterProcess("worker", folder).isRunning()).isTrue();
        assertThat(process.stop(PATIENCE)).isEqualTo(ProcessEnd.STOPPED);
        assertThat(process.isRunning()).isFalse();
        assertThat(process.stop(PATIENCE)).isEqualTo(ProcessEnd.WAS_NOT_RUNNING);
    }

    @Test
    void aProcessThatDoesNotListenIsKilled() throws Exception {
        Path ready = root.resolve("ready");
        process.start(List.of("sh", "-c", "trap '' TERM; touch " + ready + "; while :; do sleep 1; done"), "worker-1");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(ready));

        assertThat(process.stop(Duration.ofMillis(200))).isEqualTo(ProcessEnd.KILLED);
        assertThat(process.isRunning()).isFalse();
    }

    @Test
    void aPidFileOfADeadProcessCountsForNothing() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        assertThat(dead.waitFor(20, TimeUnit.SECONDS)).isTrue();
        writePidFile(dead.pid(), Instant.now());

        assertThat(process.isRunning()).isFalse();
    }

    @Test
    void aPidThatAnotherProcessHasNowIsLeftAlone() throws Exception {
        Process other = new ProcessBuilder(LONG_WORK).start();
        try {
            writePidFile(other.pid(), Instant.now().minus(Duration.ofHours(1)));

            assertThat(process.isRunning()).isFalse();
            assertThat(process.stop(PATIENCE)).isEqualTo(ProcessEnd.WAS_NOT_RUNNING);
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aBrokenPidFileCountsForNothing() throws Exception {
        Files.writeString(folder.pids().resolve("worker.json"), "{\"pid\":");

        assertThat(process.isRunning()).isFalse();
        assertThat(process.identity()).isEmpty();
    }

    private void writePidFile(long pid, Instant started) throws IOException {
        Files.writeString(
                folder.pids().resolve("worker.json"),
                "{\"pid\":%d,\"started\":%d,\"identity\":\"worker-1\"}".formatted(pid, started.toEpochMilli()));
    }
}
