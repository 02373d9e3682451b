package io.cutwater.deploy.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Processes that ingest the files of a run, each restarted until it has succeeded. */
final class Feed {
    private static final int MAX_ATTEMPTS = 40;

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final String prefix;

    private @Nullable Process process;
    private List<String> command = List.of();
    private int attempts;

    Feed(CampaignCluster cluster, RunPlan plan, String prefix) {
        this.cluster = cluster;
        this.plan = plan;
        this.prefix = prefix;
    }

    /** Starts to ingest a file. */
    void start(Path file, String operation, int edgesPerSecond) throws IOException {
        List<String> words = new ArrayList<>(CommandRun.java());
        words.add("ingest");
        words.addAll(List.of("--edges", file.toString(), "--bootstrap-servers", cluster.ingestServers()));
        words.addAll(
                List.of("--topic-prefix", prefix, "--event-format", plan.job().format(), "--op", operation));
        words.addAll(List.of("--rate", Integer.toString(edgesPerSecond), "--progress", "off"));
        command = words;
        attempts = 0;
        launch();
    }

    private void launch() throws IOException {
        attempts++;
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        cluster.folder().resolve("ingest.log").toFile()));
        builder.environment().putAll(cluster.environment());
        process = builder.start();
    }

    /**
     * Restarts the process if it has failed.
     *
     * @return whether the file is ingested
     * @throws IOException if it fails again and again
     */
    boolean tend() throws IOException {
        if (process == null || process.isAlive()) {
            return false;
        }
        if (process.exitValue() == 0) {
            return true;
        }
        if (attempts == MAX_ATTEMPTS) {
            throw new IOException("ingest has failed %d times; see ingest.log".formatted(attempts));
        }
        cluster.log("ingest ended with exit code %d; it is started again".formatted(process.exitValue()));
        launch();
        return false;
    }

    /** Sends a signal to the process, if it runs. */
    void signal(String signal) throws IOException, InterruptedException {
        if (process != null && process.isAlive()) {
            cluster.log("%s to ingest, pid %d".formatted(signal, process.pid()));
            CampaignCluster.signal(process.pid(), signal);
            if (signal.equals("KILL")) {
                process.waitFor(30, TimeUnit.SECONDS);
            }
        }
    }

    void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
