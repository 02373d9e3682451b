package io.cutwater.deploy.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One process of a local cluster, with its pid file. It continues to run when the command that has started it ends. */
final class ClusterProcess {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Two readers may see different start times of one process, by as much as the clock was corrected. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

    private final String name;
    private final ClusterFolder folder;

    /** @param name of its pid file and logs */
    ClusterProcess(String name, ClusterFolder folder) {
        this.name = name;
        this.folder = folder;
    }

    String name() {
        return name;
    }

    Path log() {
        return folder.logs().resolve(name + ".log");
    }

    /** Returns the file with its standard output and error. */
    Path output() {
        return folder.logs().resolve(name + ".out");
    }

    private Path pidFile() {
        return folder.pids().resolve(name + ".json");
    }

    /**
     * Starts the process, detached from this process's terminal and process group.
     *
     * @param identity a name that no earlier process under this name had
     */
    void start(List<String> command, String identity) throws IOException {
        // The output of an earlier process must not be reported as the reason why this one ended.
        long logged = Files.exists(log()) ? Files.size(log()) : 0;
        List<String> detached = new ArrayList<>(detach());
        detached.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(detached)
                .directory(folder.root().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output().toFile());
        builder.environment().put("FLINK_PLUGINS_DIR", folder.plugins().toString());
        Process process = builder.start();
        Instant started = process.info().startInstant().orElseGet(Instant::now);
        String content = JSON.createObjectNode()
                .put("pid", process.pid())
                .put("started", started.toEpochMilli())
                .put("identity", identity)
                .put("logged", logged)
                .toString();
        ClusterFolder.replace(pidFile(), content + "\n");
    }

    /** Returns a prefix of the command that protects the process from a closing terminal and from Ctrl-C. */
    private static List<String> detach() {
        for (String tool : new String[] {"setsid", "nohup"}) {
            for (String place : new String[] {"/usr/bin", "/bin"}) {
                if (Files.isExecutable(Path.of(place, tool))) {
                    return List.of(place + "/" + tool);
                }
            }
        }
        return List.of();
    }

    /** Returns the process if it runs; null if the pid file belongs to another process or to none. */
    @Nullable ProcessHandle running() {
        JsonNode file = read();
        if (file == null) {
            return null;
        }
        ProcessHandle handle = ProcessHandle.of(file.path("pid").asLong()).orElse(null);
        if (handle == null || !handle.isAlive() || isDead(handle.pid())) {
            return null;
        }
        Instant recorded = Instant.ofEpochMilli(file.path("started").asLong());
        Instant actual = handle.info().startInstant().orElse(recorded);
        boolean isOurs = Duration.between(recorded, actual).abs().compareTo(START_TOLERANCE) <= 0;
        return isOurs ? handle : null;
    }

    boolean isRunning() {
        return running() != null;
    }

    /** Returns the identity that it was started with; empty if it never was. */
    String identity() {
        JsonNode file = read();
        return file == null ? "" : file.path("identity").asText();
    }

    private @Nullable JsonNode read() {
        try {
            return Files.exists(pidFile()) ? JSON.readTree(Files.readString(pidFile())) : null;
        } catch (IOException e) {
            // Half written or foreign: treated as missing.
            return null;
        }
    }

    /**
     * In a container without an init process, dead processes keep their entry, and Java takes them for alive. But while
     * one thread of a killed process is still ending, its ports and locks are not free.
     */
    private static boolean isDead(long pid) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                if (!hasEnded(thread)) {
                    return false;
                }
            }
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            // Not Linux, or gone since Java was asked; then Java says so the next time.
            return false;
        }
    }

    private static boolean hasEnded(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            int state = stat.lastIndexOf(')') + 2;
            return stat.startsWith("Z", state) || stat.startsWith("X", state);
        } catch (IOException e) {
            return true;
        }
    }

    /** Terminates the process, and kills it if it has not ended within the time. */
    ProcessEnd stop(Duration timeout) throws InterruptedException {
        ProcessHandle handle = running();
        ProcessEnd end = ProcessEnd.WAS_NOT_RUNNING;
        if (handle != null) {
            handle.destroy();
            end = ProcessEnd.STOPPED;
            if (!hasEnded(handle, timeout)) {
                handle.destroyForcibly();
                hasEnded(handle, KILL_TIMEOUT);
                end = ProcessEnd.KILLED;
            }
        }
        pidFile().toFile().delete();
        return end;
    }

    private boolean hasEnded(ProcessHandle handle, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (running() != null && System.nanoTime() < deadline) {
            try {
                handle.onExit().get(100, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // Polled, because onExit() does not complete for a dead process that was never reaped.
            }
        }
        return running() == null;
    }

    /** Returns the last line that tells why it ended. */
    String lastWords() {
        JsonNode file = read();
        long logged = file == null ? 0 : file.path("logged").asLong();
        String words = lastComplaint(log(), logged);
        if (words.isEmpty()) {
            words = lastComplaint(output(), 0);
        }
        return words.isEmpty() ? "it does not say why" : words;
    }

    private static String lastComplaint(Path file, long from) {
        try (FileChannel channel = FileChannel.open(file)) {
            // A log that has become shorter has been rolled over.
            channel.position(from <= channel.size() ? from : 0);
            BufferedReader lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            return lines.lines()
                    .filter(line -> line.contains("ERROR") || line.contains("Exception"))
                    .reduce((before, line) -> line)
                    .map(ClusterProcess::sentence)
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns what a line of text, or an event in JSON, says. */
    private static String sentence(String line) {
        if (!line.startsWith("{")) {
            return line.strip();
        }
        try {
            JsonNode event = JSON.readTree(line);
            String exception =
                    event.path("exception").asText().lines().findFirst().orElse("");
            return (event.path("message").asText() + " " + exception).strip();
        } catch (JsonProcessingException e) {
            return line.strip();
        }
    }
}
