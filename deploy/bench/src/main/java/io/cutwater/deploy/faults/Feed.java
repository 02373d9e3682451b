package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.SupervisedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes that ingest the files of a run, one file after the other. */
final class Feed {
    static final String INGEST = "ingest";

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final String prefix;

    private @Nullable SupervisedProcess process;

    Feed(CampaignCluster cluster, RunPlan plan, String prefix) {
        this.cluster = cluster;
        this.plan = plan;
        this.prefix = prefix;
    }

    /** Begins with a file of edges. */
    void start(Path file, String operation, int edgesPerSecond) throws IOException {
        String words = "ingest --edges %s --bootstrap-servers %s --topic-prefix %s --event-format %s --op %s --rate %d"
                .formatted(file, cluster.ingestServers(), prefix, plan.job().format(), operation, edgesPerSecond);
        process = new SupervisedProcess(cluster, INGEST, List.of((words + " --progress off").split(" ", -1)));
    }

    /**
     * Restarts the process if it has failed.
     *
     * @return whether the file is ingested
     * @throws IOException if it fails again and again
     */
    boolean tend() throws IOException {
        return process != null && process.tend();
    }

    /** Sends a signal to the process, if it runs. */
    void signal(String signal) throws IOException, InterruptedException {
        if (process != null) {
            process.signal(signal);
        }
    }

    void close() {
        if (process != null) {
            process.close();
        }
    }
}
