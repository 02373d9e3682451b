package io.cutwater.testkit;

import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** A Flink cluster in this process, with one TaskManager, that several jobs share. */
public final class FlinkCluster implements AutoCloseable {
    private final MiniCluster cluster;

    private FlinkCluster(MiniCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts a cluster; the caller closes it.
     *
     * @param slots of its TaskManager, above 0
     */
    public static FlinkCluster start(Configuration configuration, int slots) throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
        cluster.start();
        return new FlinkCluster(cluster);
    }

    /** Flink's own interface to the cluster. */
    public MiniCluster cluster() {
        return cluster;
    }

    /** The address of the REST endpoint. */
    public URI endpoint() throws Exception {
        return cluster.getRestAddress().get();
    }

    /**
     * Submits what an environment has built.
     *
     * @param restoreFrom path of a checkpoint or savepoint; null for none
     */
    public JobClient submit(StreamExecutionEnvironment env, @Nullable String restoreFrom) throws Exception {
        JobGraph graph = env.getStreamGraph().getJobGraph();
        if (restoreFrom != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(restoreFrom));
        }
        return new MiniClusterJobClient(
                cluster.submitJob(graph).get().getJobID(),
                cluster,
                FlinkCluster.class.getClassLoader(),
                MiniClusterJobClient.JobFinalizationBehavior.NOTHING);
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }
}
