package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.RunGraph.Part;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.SupervisedProcess;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes that ingest the parts of a run's graph, one after the other. */
final class Feed {
    static final String INGEST = "ingest";

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final Topics topics;
    private final VertexRemovals removals;
    private final Deque<Part> parts = new ArrayDeque<>(); // the first one is being ingested

    private int edgesPerSecond;
    private @Nullable SupervisedProcess process;

    Feed(CampaignCluster cluster, RunPlan plan, Topics topics) {
        this.cluster = cluster;
        this.plan = plan;
        this.topics = topics;
        removals = new VertexRemovals(cluster, topics);
    }

    /** Begins with parts of a graph; at least one. */
    void add(List<Part> added, int edgesPerSecond) throws IOException {
        this.edgesPerSecond = edgesPerSecond;
        parts.addAll(added);
        start(parts.element().edges(), "add", edgesPerSecond);
    }

    /** Begins with a file of edges that are removed. */
    void remove(Path file, int edgesPerSecond) throws IOException {
        start(file, "remove", edgesPerSecond);
    }

    private void start(Path file, String operation, int edgesPerSecond) throws IOException {
        String words = "ingest --edges %s --bootstrap-servers %s --topic-prefix %s --event-format %s --op %s --rate %d"
                .formatted(
                        file,
                        cluster.ingestServers(),
                        topics.prefix(),
                        plan.job().format(),
                        operation,
                        edgesPerSecond);
        process = new SupervisedProcess(cluster, INGEST, List.of((words + " --progress off").split(" ", -1)));
    }

    /**
     * Restarts the process if it has failed, and begins with the next part when one is ingested.
     *
     * @return whether everything is ingested
     * @throws IOException if it fails again and again
     */
    boolean tend() throws IOException {
        if (process == null || !process.tend()) {
            return false;
        }
        if (parts.isEmpty()) {
            return true;
        }
        if (!removals.send(parts.element().removed())) {
            return false;
        }
        parts.remove();
        if (parts.isEmpty()) {
            return true;
        }
        start(parts.element().edges(), "add", edgesPerSecond);
        return false;
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
