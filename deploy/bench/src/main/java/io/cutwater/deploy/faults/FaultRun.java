package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.RunResult.Outcome;
import io.cutwater.deploy.faults.plan.Fault;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.plan.Trigger;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run of a plan on a cluster: ingest, faults, repairs, and the recount at its end. */
final class FaultRun {
    private static final Duration POLL = Duration.ofMillis(400);
    private static final Duration SHORT_POLL = Duration.ofMillis(20);
    private static final Duration STALL = Duration.ofSeconds(90);
    private static final Trigger SETTLED = new Trigger(Trigger.Kind.CHECKPOINTS, 2);
    private static final Duration TRIGGER_PATIENCE = Duration.ofSeconds(60);

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final Topics topics;
    private final RunGraph graph;
    private final Feed feed;
    private final SupervisedJob job;
    private final Training training;
    private final CampaignRepartition repartitioning;
    private final FaultInjector injector;
    private final Recount progress;

    private boolean removes;
    private boolean isFed;
    private long lastChanges = -1;
    private long lastChange = System.nanoTime();

    FaultRun(CampaignCluster cluster, RunPlan plan) throws IOException {
        this.cluster = cluster;
        this.plan = plan;
        topics = new Topics("run-%d-".formatted(plan.seed()));
        Path folder = Files.createDirectories(cluster.folder().resolve("graphs").resolve("run-" + plan.seed()));
        graph = RunGraph.write(plan, folder);
        feed = new Feed(cluster, plan, topics);
        String options = plan.job().options() + (plan.trains() ? " --vertex-data" : "");
        job = new SupervisedJob(cluster, options, topics.prefix());
        training = new Training(cluster, plan, topics.prefix());
        repartitioning =
                new CampaignRepartition(cluster, topics.prefix(), plan.job().partitions());
        injector = new FaultInjector(cluster, plan, topics, job, feed, training, repartitioning);
        progress = new Recount(cluster.servers(), topics.shards());
    }

    /** Runs the plan to its outcome. */
    RunResult run() throws InterruptedException {
        long start = System.nanoTime();
        cluster.log(plan.toString());
        Outcome outcome = Outcome.FAILED;
        String detail;
        try {
            detail = perform();
            outcome = detail.isEmpty() ? Outcome.EXACT : Outcome.FAILED;
            if (!job.loss().isEmpty()) {
                outcome = plan.destroysData() ? Outcome.STOPPED : Outcome.FAILED;
                detail = job.loss();
            }
        } catch (IOException | BrokerException e) {
            detail = e.toString();
        } finally {
            feed.close();
            training.close();
        }
        RunResult result = new RunResult(
                plan, injector.forms(), progress.copies().size(), outcome, detail, (System.nanoTime() - start) / 1e9);
        cluster.log(result.toString());
        return result;
    }

    /** Returns what is wrong in the end; empty if every edge is there as often as it should be. */
    private String perform() throws IOException, InterruptedException {
        try (TopicAdmin admin = TopicAdmin.connect(cluster.servers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), plan.job().topicPartitions()));
        }
        if (!graph.history().isEmpty()) {
            feed.add(graph.history(), 0);
            while (!feed.tend()) {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            }
        }
        job.submit();
        training.start(graph);
        feed.add(graph.live(), plan.edgesPerSecond());
        for (Fault fault : plan.faults()) {
            await(fault.trigger());
            if (!job.loss().isEmpty()) {
                return "";
            }
            injector.inject(fault);
            lastChange = System.nanoTime();
        }
        // The effect of a fault on the job shows when the job commits again.
        await(SETTLED);
        while (!isComplete()) {
            if (!job.loss().isEmpty()) {
                return "";
            }
            String stall = poll();
            if (!stall.isEmpty()) {
                return stall;
            }
        }
        return finish();
    }

    private void await(Trigger trigger) throws IOException, InterruptedException {
        if (trigger.kind() == Trigger.Kind.CHECKPOINTS && trigger.value() == 0) {
            return;
        }
        int checkpoint = cluster.lastCheckpoint(job.id());
        long deadline = System.nanoTime() + TRIGGER_PATIENCE.toNanos();
        if (trigger.kind() == Trigger.Kind.RESTORED) {
            // Without a look at the job, which would take longer.
            while (!isReached(trigger, checkpoint) && System.nanoTime() < deadline) {
                TimeUnit.NANOSECONDS.sleep(SHORT_POLL.toNanos());
            }
            TimeUnit.MILLISECONDS.sleep(trigger.value());
            return;
        }
        while (!isReached(trigger, checkpoint)) {
            if (System.nanoTime() > deadline) {
                cluster.log("not reached within %d s: %s".formatted(TRIGGER_PATIENCE.toSeconds(), trigger));
                return;
            }
            String stall = poll();
            if (!stall.isEmpty() || !job.loss().isEmpty()) {
                return;
            }
        }
    }

    private boolean isReached(Trigger trigger, int checkpoint) throws IOException {
        return switch (trigger.kind()) {
            case COMMITTED -> progress.copies().changes() >= trigger.value();
            case INGESTED -> ingested() >= trigger.value();
            case CHECKPOINTS -> cluster.lastCheckpoint(job.id()) >= checkpoint + trigger.value();
            case RESTORED -> injector.hasRestoredSinceLast();
        };
    }

    private long ingested() {
        try (TopicAdmin admin = TopicAdmin.connect(cluster.servers(), Map.of())) {
            return admin.offsets().written(topics.edges()).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        } catch (BrokerException e) {
            return 0;
        }
    }

    /**
     * Checks the job, ingest and re-partitioning once.
     *
     * @return what has made no progress for too long; empty if something makes progress
     */
    private String poll() throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        cluster.startMissing();
        job.tend();
        repartitioning.tend();
        training.tend();
        recount();
        isFed = feed.tend();
        if (isFed && !removes && graph.removals() != null && isExact(graph.all())) {
            removes = true;
            isFed = false;
            feed.remove(graph.removals(), plan.edgesPerSecond());
        }
        if (progress.copies().changes() != lastChanges) {
            lastChanges = progress.copies().changes();
            lastChange = System.nanoTime();
        }
        return System.nanoTime() - lastChange < STALL.toNanos()
                ? ""
                : "nothing was committed for %d s: %s; %s"
                        .formatted(STALL.toSeconds(), progress.copies().compare(expected(), 0), job.complaint());
    }

    private void recount() {
        try {
            progress.readOn();
        } catch (BrokerException e) {
            cluster.log("recount: " + e.getMessage());
        }
    }

    private boolean isExact(Map<Edge, Integer> expected) {
        return progress.copies().compare(expected, 0).isEmpty();
    }

    private Map<Edge, Integer> expected() {
        return removes ? graph.remaining() : graph.all();
    }

    private boolean isComplete() {
        return isFed && (removes || graph.removals() == null) && repartitioning.tend() && isExact(expected());
    }

    /** Stops the job, so that everything it holds is committed, and counts from the beginning. */
    private String finish() throws IOException, InterruptedException {
        String forgotten = repartitioning.askAgain();
        if (!forgotten.isEmpty()) {
            return forgotten;
        }
        long deadline = System.nanoTime() + STALL.toNanos();
        while (!training.behind(progress.copies().total()).isEmpty()) {
            if (System.nanoTime() > deadline) {
                return training.behind(progress.copies().total());
            }
            poll();
        }
        training.close();
        while (!job.stop()) {
            if (System.nanoTime() > deadline) {
                return "the job cannot be stopped: " + job.complaint();
            }
            poll();
            if (!job.loss().isEmpty()) {
                return "";
            }
        }
        ShardCopies recount = new Recount(cluster.servers(), topics.shards()).readOn();
        String wrong = recount.compare(expected(), repartitioning.partitions());
        return wrong.isEmpty() ? new BookRecount(cluster.servers(), topics).compare(recount) : wrong;
    }
}
