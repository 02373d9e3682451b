package io.cutwater.deploy.faults.change;

import io.cutwater.deploy.faults.Recount;
import io.cutwater.deploy.faults.SupervisedJob;
import io.cutwater.deploy.faults.change.ChangeCase.Truncation;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.SupervisedProcess;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.RegistryProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One case: rows that are there before Debezium starts, changes of the table while processes die, and the recount of
 * the committed shards at the end.
 */
final class ChangeRun {
    private static final Duration POLL = Duration.ofMillis(400);
    private static final Duration STALL = Duration.ofSeconds(120);
    private static final int TOPIC_PARTITIONS = 3;
    private static final String TASK_MANAGER = "taskmanager-1";

    private final CampaignCluster cluster;
    private final PostgresServer postgres;
    private final @Nullable RegistryProcess registry;
    private final ChangeCase change;
    private final int changes;
    private final Topics topics;
    private final Payments payments;
    private final SupervisedJob job;
    private final SupervisedProcess feed;
    private final Recount progress;
    private final TableGraph table;

    private long lastChanges = -1;
    private long lastChange = System.nanoTime();

    /**
     * The result of a case.
     *
     * @param changes of rows
     * @param records that Debezium wrote to topic {@code edges}
     * @param edges in the committed shards at the end
     * @param seconds from the first change that Debezium streams until the last one is committed
     * @param problem what is wrong; empty if the shards are equal to the table
     */
    record Result(ChangeCase change, int changes, long records, long edges, double seconds, String problem) {
        /** Returns a row of {@link ChangeBench#HEADER}. */
        @Override
        public String toString() {
            return "| %s | %,d | %,d | %d | %d | %,d | %.1f | %,.0f | %s |"
                    .formatted(
                            change,
                            changes,
                            records,
                            change.jobKills(),
                            change.feedKills(),
                            edges,
                            seconds,
                            changes / seconds,
                            problem.isEmpty() ? "yes" : "NO: " + problem);
        }
    }

    /**
     * @param registry of the schemas; null for records in JSON
     * @param number of the case on its server and cluster
     */
    ChangeRun(
            CampaignCluster cluster,
            PostgresServer postgres,
            @Nullable RegistryProcess registry,
            ChangeCase change,
            int number,
            int changes,
            long seed)
            throws IOException {
        this.cluster = cluster;
        this.postgres = postgres;
        this.registry = registry;
        this.change = change;
        this.changes = changes;
        topics = new Topics("change-%d-".formatted(number));
        payments = new Payments(change.shape(), seed);
        job = new SupervisedJob(cluster, options(), topics.prefix());
        progress = new Recount(cluster.servers(), topics.shards());
        table = new TableGraph(
                postgres, cluster.servers(), topics, change.shape().hasText());
        try (TopicAdmin admin = TopicAdmin.connect(cluster.servers(), Map.of())) {
            // A truncate has a place in the order of one partition only.
            int partitions = change.truncate() == Truncation.REMOVE ? 1 : TOPIC_PARTITIONS;
            admin.ensure(topics.spec(topics.edges(), partitions));
        }
        postgres.execute(change.shape().sql());
        // The rows of the snapshot.
        postgres.execute(payments.changes(changes / 4));
        feed = SupervisedProcess.of(
                cluster,
                "debezium-" + number,
                new DebeziumFeed(cluster, postgres.port(), registry, number)
                        .command(topics.edges(), change.debezium()));
    }

    private String options() {
        String format = registry == null ? "debezium-json" : "debezium-avro --schema-registry " + registry.confluent();
        return "--event-format " + format
                + " --keep-edges --partitions 4 --checkpoint-interval 700ms --wait-limit 1s "
                + change.options();
    }

    /** Runs the case to its end. */
    Result run() throws IOException, InterruptedException {
        cluster.log("case " + change);
        String problem;
        long start = System.nanoTime();
        long end = start;
        try {
            job.submit();
            start = System.nanoTime();
            problem = perform();
            end = System.nanoTime();
            problem = change.truncate() == Truncation.FAIL ? refusal(problem) : finish(problem);
        } catch (IOException | BrokerException e) {
            problem = e.toString();
        } finally {
            feed.close();
        }
        cluster.log("case %s: %s".formatted(change, problem.isEmpty() ? "exact" : problem));
        return new Result(change, changes, records(), progress.copies().size(), (end - start) / 1e9, problem);
    }

    /** Changes the table in parts, each with a fault when some of it is committed; returns what is wrong. */
    private String perform() throws IOException, InterruptedException {
        List<String> victims = victims();
        int left = changes - changes / 4;
        int part = left / (victims.size() + 1);
        for (String victim : victims) {
            long before = progress.copies().changes();
            CompletableFuture<Void> writing = write(payments.changes(part));
            left -= part;
            String stall = await(before + part / 5);
            if (!stall.isEmpty()) {
                return stall;
            }
            if (victim.isEmpty()) {
                feed.signal("KILL");
            } else {
                cluster.signal(victim, "KILL");
            }
            writing.join();
        }
        if (change.truncate() != Truncation.NEVER) {
            write(payments.changes(left / 2)).join();
            left -= left / 2;
            table.keepRows();
            write(payments.truncate()).join();
        }
        write(payments.changes(left)).join();
        while (!isComplete()) {
            String stall = poll();
            if (!stall.isEmpty()) {
                return stall;
            }
        }
        return "";
    }

    private CompletableFuture<Void> write(String sql) {
        return CompletableFuture.runAsync(() -> postgres.execute(sql));
    }

    /** Returns the processes to kill one after the other; empty for Debezium's. */
    private List<String> victims() {
        List<String> victims = new ArrayList<>();
        for (int i = 0; i < Math.max(change.jobKills(), change.feedKills()); i++) {
            if (i < change.feedKills()) {
                victims.add("");
            }
            if (i < change.jobKills()) {
                victims.add(i % 2 == 0 ? TASK_MANAGER : CampaignCluster.JOB_MANAGER);
            }
        }
        return victims;
    }

    /** Waits until as many edges have entered and left; returns what has stalled. */
    private String await(long target) throws IOException, InterruptedException {
        while (progress.copies().changes() < target) {
            String stall = poll();
            if (!stall.isEmpty()) {
                return stall;
            }
        }
        return "";
    }

    private boolean isComplete() {
        return change.truncate() != Truncation.FAIL
                && progress.copies()
                        .compare(table.edges(change.truncate() == Truncation.IGNORE), 0)
                        .isEmpty();
    }

    /**
     * Checks all processes once.
     *
     * @return what has made no progress for too long, or the error with which the job ended; empty if all is well
     */
    private String poll() throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        cluster.startMissing();
        job.tend();
        if (feed.tend()) {
            return "Debezium's engine has ended; see its log";
        }
        try {
            progress.readOn();
        } catch (BrokerException e) {
            cluster.log("recount: " + e.getMessage());
        }
        if (!job.loss().isEmpty()) {
            return job.loss();
        }
        if (progress.copies().changes() != lastChanges) {
            lastChanges = progress.copies().changes();
            lastChange = System.nanoTime();
        }
        return System.nanoTime() - lastChange < STALL.toNanos()
                ? ""
                : "nothing was committed for %d s: %s; %d dead letters%s; %s"
                        .formatted(
                                STALL.toSeconds(),
                                progress.copies().compare(table.edges(change.truncate() == Truncation.IGNORE), 0),
                                deadLetters().size(),
                                deadLetters().stream()
                                        .findFirst()
                                        .map(", such as "::concat)
                                        .orElse(""),
                                job.complaint());
    }

    /** Stops the job, so that everything it holds is committed, and counts from the beginning. */
    private String finish(String problem) throws IOException, InterruptedException {
        if (!problem.isEmpty()) {
            job.stop();
            return problem;
        }
        long deadline = System.nanoTime() + STALL.toNanos();
        while (!job.stop()) {
            if (System.nanoTime() > deadline) {
                return "the job cannot be stopped: " + job.complaint();
            }
            poll();
        }
        List<String> letters = deadLetters();
        if (!letters.isEmpty()) {
            return "%d dead letters, such as %s".formatted(letters.size(), letters.get(0));
        }
        return new Recount(cluster.servers(), topics.shards())
                .readOn()
                .compare(table.edges(change.truncate() == Truncation.IGNORE), 0);
    }

    private static String refusal(String problem) {
        return problem.contains("the table of the edges was truncated")
                ? ""
                : "the job does not refuse that the table was truncated: " + problem;
    }

    private List<String> deadLetters() {
        List<String> letters = new ArrayList<>();
        new TopicReader(cluster.servers(), Map.of())
                .readAll(
                        topics.deadLetters(),
                        record -> letters.add(new String(record.value(), StandardCharsets.UTF_8) + record.headers()));
        return letters;
    }

    private long records() {
        try (TopicAdmin admin = TopicAdmin.connect(cluster.servers(), Map.of())) {
            return admin.offsets().written(topics.edges()).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }
}
