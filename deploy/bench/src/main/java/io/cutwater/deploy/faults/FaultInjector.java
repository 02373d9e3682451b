package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.plan.Fault;
import io.cutwater.deploy.faults.plan.JobShape;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.Disk;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Injects the faults of a plan into the processes of a run. */
final class FaultInjector {
    private static final String RESTORED = "Finished building RocksDB keyed state-backend";

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final Topics topics;
    private final SupervisedJob job;
    private final Feed feed;
    private final Training training;
    private final CampaignRepartition repartitioning;
    private final SplittableRandom random;
    private final List<String> forms = new ArrayList<>(); // that the job was resumed in
    private long logged; // bytes of the TaskManager's log before the last fault

    FaultInjector(
            CampaignCluster cluster,
            RunPlan plan,
            Topics topics,
            SupervisedJob job,
            Feed feed,
            Training training,
            CampaignRepartition repartitioning) {
        this.cluster = cluster;
        this.plan = plan;
        this.topics = topics;
        this.job = job;
        this.feed = feed;
        this.training = training;
        this.repartitioning = repartitioning;
        random = new SplittableRandom(plan.seed());
    }

    /** Returns when the fault is over; restarting ended processes is left to the supervisor. */
    void inject(Fault fault) throws IOException, InterruptedException {
        cluster.log("fault: " + fault);
        logged = cluster.logSize(CampaignCluster.TASK_MANAGER);
        switch (fault.kind()) {
            case KILL -> signal(fault.target(), "KILL");
            case BROKER_RESTART -> signal(CampaignCluster.BROKER, "TERM");
            case PAUSE -> {
                signal(fault.target(), "STOP");
                TimeUnit.SECONDS.sleep(fault.amount());
                signal(fault.target(), "CONT");
            }
            case CUT -> {
                cluster.link(fault.target()).cut();
                TimeUnit.SECONDS.sleep(fault.amount());
                cluster.link(fault.target()).heal();
            }
            case STALL -> {
                cluster.link(fault.target()).stall();
                TimeUnit.SECONDS.sleep(fault.amount());
                cluster.link(fault.target()).heal();
            }
            case RESCALE -> rescale();
            case REPARTITION -> repartitioning.start(fault.amount());
            case TRUNCATE -> truncate(fault.amount());
            case DELETE_RECORDS -> deleteUnread(fault.amount());
            case NO_CHECKPOINTS -> {
                Disk disk = cluster.disk(CampaignCluster.CHECKPOINTS);
                disk.freeze();
                TimeUnit.SECONDS.sleep(fault.amount());
                disk.thaw();
            }
            case CLOCK -> cluster.clock().step(fault.amount());
            case FULL_DISK -> fill(CampaignCluster.CHECKPOINTS, fault.amount());
            case FULL_BROKER_DISK -> fill(CampaignCluster.BROKER, fault.amount());
        }
    }

    /** Returns whether a task has restored its state since the last fault began. */
    boolean hasRestoredSinceLast() throws IOException {
        return !cluster.logLine(CampaignCluster.TASK_MANAGER, logged, line -> line.contains(RESTORED))
                .isEmpty();
    }

    private void fill(String part, int seconds) throws IOException, InterruptedException {
        Disk disk = cluster.disk(part);
        disk.fill();
        TimeUnit.SECONDS.sleep(seconds);
        disk.free();
    }

    /** Leaves the log as a crash of a broker's machine does, whose end was in memory only. */
    private void truncate(int percent) throws IOException, InterruptedException {
        cluster.signal(CampaignCluster.BROKER, "KILL");
        for (int p = 0; p < plan.job().topicPartitions(); p++) {
            try (Stream<Path> files = Files.list(cluster.topicPartition(topics.edges(), p))) {
                Path last = files.filter(file -> file.toString().endsWith(".log"))
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
                try (FileChannel log = FileChannel.open(last, StandardOpenOption.WRITE)) {
                    long kept = log.size() * (100 - percent) / 100;
                    cluster.log("%s is cut from %d to %d bytes".formatted(last, log.size(), kept));
                    log.truncate(kept);
                }
            }
        }
    }

    /** Does what retention does to a job that was stopped for too long. */
    private void deleteUnread(int percent) throws IOException, InterruptedException {
        cluster.startMissing();
        if (!job.stop()) {
            return;
        }
        while (!feed.tend()) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
        try (TopicAdmin admin = TopicAdmin.connect(cluster.servers(), Map.of())) {
            Map<Integer, Long> kept = new TreeMap<>(admin.offsets().written(topics.edges()));
            kept.replaceAll((p, end) -> end - end * (100 - percent) / 400);
            cluster.log("topic %s begins at %s from now on".formatted(topics.edges(), kept));
            admin.deleteRecords(topics.edges(), kept);
        }
        job.resume("");
    }

    private void signal(String process, String signal) throws IOException, InterruptedException {
        switch (process) {
            case Feed.INGEST -> feed.signal(signal);
            case Fault.COORDINATOR, Fault.WORKER -> training.signal(process, signal);
            default -> cluster.signal(process, signal);
        }
    }

    private void rescale() throws IOException, InterruptedException {
        // A stop waits for all tasks, and nothing else starts processes that an earlier fault has ended.
        cluster.startMissing();
        if (job.stop()) {
            JobShape.Tasks other = plan.job().other(random);
            job.resume(other.options());
            forms.add(job.complaint().isEmpty() ? other.toString() : other + " refused");
            cluster.log("resumed as " + forms.get(forms.size() - 1));
        }
    }

    /** Returns the tables and assigners, or {@code fused}, of each {@code rescale}, in order; empty for none. */
    String forms() {
        return String.join(", ", forms);
    }
}
