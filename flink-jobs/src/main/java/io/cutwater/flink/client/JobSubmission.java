package io.cutwater.flink.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.ClientUtils;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobStatusChangedListener;
import org.apache.flink.core.execution.JobStatusChangedListenerUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Sends a job to a cluster as Flink's remote environment does, with one difference: the configuration of the client,
 * which has keys and passwords, is not part of the job. An environment would put all of it into the job's graph.
 *
 * <p>As with {@code flink run}, the client tells the listeners of {@code execution.job-status-changed-listeners} that
 * the job was created, with its lineage: the JobManager's own listeners never see a lineage.
 */
public final class JobSubmission {
    private static final int ATTEMPTS = 3;

    private JobSubmission() {}

    /** Returns the configuration in {@code FLINK_CONF_DIR}, which names listeners; empty if there is none. */
    public static Configuration ofEnvironment() {
        String folder = System.getenv(ConfigConstants.ENV_FLINK_CONF_DIR);
        return folder != null && Files.exists(Path.of(folder, GlobalConfiguration.getFlinkConfFilename()))
                ? GlobalConfiguration.loadConfiguration(folder)
                : new Configuration();
    }

    /**
     * Creates the listeners that a configuration names.
     *
     * @param configuration which they get; it is no part of a job
     * @throws IOException if one cannot be created; the message is meant for users
     */
    public static List<JobStatusChangedListener> listeners(Configuration configuration) throws IOException {
        try {
            // They run in the calling thread: a command ends when the job runs, and must not end before them.
            return JobStatusChangedListenerUtils.createJobStatusChangedListeners(
                    JobSubmission.class.getClassLoader(), configuration, Runnable::run);
        } catch (RuntimeException e) {
            throw new IOException(
                    "the listeners %s of FLINK_CONF_DIR cannot be created (%s); name their jars in CUTWATER_CLASSPATH"
                            .formatted(
                                    configuration.get(DeploymentOptions.JOB_STATUS_CHANGED_LISTENERS), e.getMessage()),
                    e);
        }
    }

    /**
     * Submits a job and waits until its JobManager has initialised it.
     *
     * @param listeners are told of the job and its lineage
     * @return the job's id
     */
    public static String submit(
            StreamExecutionEnvironment env,
            String name,
            FlinkAddress address,
            FlinkCredentials credentials,
            List<JobStatusChangedListener> listeners)
            throws Exception {
        Configuration ofJob = Configuration.fromMap(env.getConfiguration().toMap());
        StreamGraph graph = PipelineExecutorUtils.getStreamGraph(env.getStreamGraph(), ofJob);
        graph.setJobName(name);
        graph.serializeUserDefinedInstances();
        Configuration client = credentials.client(address);
        client.set(RestOptions.RETRY_MAX_ATTEMPTS, ATTEMPTS);
        try (RestClusterClient<StandaloneClusterId> cluster =
                new RestClusterClient<>(client, StandaloneClusterId.getInstance())) {
            JobID id = cluster.submitJob(graph).get();
            PipelineExecutorUtils.notifyJobStatusListeners(graph, graph, listeners);
            ClientUtils.waitUntilJobInitializationFinished(
                    () -> cluster.getJobStatus(id).get(),
                    () -> cluster.requestJobResult(id).get(),
                    JobSubmission.class.getClassLoader());
            return id.toHexString();
        }
    }
}
