package io.cutwater.deploy.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The job of a run, kept running with the commands that the manual names. */
public final class SupervisedJob {
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final int MAX_RESUMES = 12;
    private static final Pattern OTHER = Pattern.compile("(?:as job|job) ([0-9a-f]{32}) (?:already|is )");
    private static final List<String> ENDED = List.of("FINISHED", "FAILED", "CANCELED", "SUSPENDED");

    private final CampaignCluster cluster;
    private final String options;
    private final String prefix;
    private final long logged;

    private String id = "";
    private String loss = "";
    private String complaint = "";
    private long lastLook = System.nanoTime();
    private int refusals;

    /** @param options of {@code submit} except servers and prefix */
    public SupervisedJob(CampaignCluster cluster, String options, String prefix) throws IOException {
        this.cluster = cluster;
        this.options = options;
        this.prefix = prefix;
        logged = cluster.logSize(CampaignCluster.JOB_MANAGER);
    }

    public String id() {
        return id;
    }

    /** Returns the error with which the job or a command has named a loss; empty if none has. */
    public String loss() {
        return loss;
    }

    /** Returns the last output of a failed command; empty if all succeeded. */
    public String complaint() {
        return complaint;
    }

    public void submit() {
        heed(cluster.run("submit --json --bootstrap-servers %s --topic-prefix %s %s"
                .formatted(cluster.jobServers(), prefix, options)));
    }

    /**
     * Stops the job with a savepoint.
     *
     * @return whether it has stopped
     */
    public boolean stop() {
        CommandRun run = cluster.run("stop %s --json --timeout 60s".formatted(id));
        complaint = run.succeeded() ? "" : run.err();
        return run.succeeded() || run.err().contains("has ended already, it is FINISHED");
    }

    /** @param options that change; empty for none */
    void resume(String options) {
        heed(cluster.run("resume %s --json%s".formatted(id, options.isEmpty() ? "" : " " + options)));
    }

    private void heed(CommandRun run) {
        if (run.succeeded()) {
            id = run.json().path("job").asText();
            complaint = "";
            refusals = 0;
            return;
        }
        complaint = run.err().strip();
        refusals++;
        Matcher other = OTHER.matcher(complaint);
        if (namesLoss(complaint)) {
            loss = complaint;
        } else if (other.find()) {
            // The cluster accepted the job, but the answer of the command was lost.
            id = other.group(1);
        } else if (id.isEmpty() || complaint.contains("submit it again")) {
            id = "";
        }
    }

    /** Checks the job now and then: a job that is gone or has ended is resumed. */
    public void tend() throws IOException {
        if (!loss.isEmpty() || System.nanoTime() - lastLook < LOOK.toNanos()) {
            return;
        }
        lastLook = System.nanoTime();
        if (refusals > MAX_RESUMES) {
            throw new IOException("the job cannot be resumed: " + complaint);
        }
        if (id.isEmpty()) {
            submit();
            return;
        }
        JsonNode jobs = cluster.run("status --json").json().path("jobs");
        if (jobs.isMissingNode()) {
            return;
        }
        String state = "gone";
        for (JsonNode job : jobs) {
            if (job.path("job").asText().equals(id)) {
                state = job.path("state").asText();
            }
        }
        if (state.equals("FAILED")) {
            loss = lossInLog();
        }
        if (loss.isEmpty() && (state.equals("gone") || ENDED.contains(state))) {
            cluster.log("job %s is %s and is resumed".formatted(id, state));
            resume("");
        }
    }

    /** Returns whether a text names the lost records of this run's topics, or a lost transaction. */
    private boolean namesLoss(String text) {
        return text.contains(prefix + "edges") && text.matches("(?s).*offsets? .*[0-9].*")
                || text.matches("(?s).*transaction.*") && text.matches("(?s).*(lost|missing|aborted|gone).*[0-9].*");
    }

    private String lossInLog() throws IOException {
        // Kafka's own exception comes first and names no range; the job's error follows it.
        return cluster.logLine(
                CampaignCluster.JOB_MANAGER,
                logged,
                line -> line.contains("Exception") && !line.contains("org.apache.kafka") && namesLoss(line));
    }
}
