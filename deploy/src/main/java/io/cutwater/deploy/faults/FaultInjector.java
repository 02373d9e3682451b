package io.cutwater.deploy.faults;

import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Does the faults of a plan to the processes of a run. */
final class FaultInjector {
    private static final String INGEST = "ingest";

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final Topics topics;
    private final SupervisedJob job;
    private final Feed feed;
    private final Repartitioning repartitioning;

    FaultInjector(
            CampaignCluster cluster,
            RunPlan plan,
            Topics topics,
            SupervisedJob job,
            Feed feed,
            Repartitioning repartitioning) {
        this.cluster = cluster;
        this.plan = plan;
        this.topics = topics;
        this.job = job;
        this.feed = feed;
        this.repartitioning = repartitioning;
    }

    /** Returns when the fault is over; what it has ended is left for the supervisor. */
    void inject(Fault fault) throws IOException, InterruptedException {
        cluster.log("fault: " + fault);
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
            default -> throw new IllegalStateException("no machine does this yet: " + fault);
        }
    }

    private void signal(String process, String signal) throws IOException, InterruptedException {
        if (process.equals(INGEST)) {
            feed.signal(signal);
        } else {
            cluster.signal(process, signal);
        }
    }

    private void rescale() throws IOException {
        // A stop waits for all tasks, and nobody else starts what a fault before has ended.
        cluster.startMissing();
        if (job.stop()) {
            boolean spreads = plan.job().canRescale();
            int parallelism = 1 + (int) (plan.seed() & 1);
            int assigners = 1 + (int) (plan.seed() >> 1 & 1);
            job.resume(spreads ? "--parallelism %d --assigners %d".formatted(parallelism, assigners) : "");
        }
    }
}
