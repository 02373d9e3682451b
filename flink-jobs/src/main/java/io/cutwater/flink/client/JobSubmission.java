package io.cutwater.flink.client;

import org.apache.flink.api.common.JobID;
import org.apache.flink.client.ClientUtils;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Sends a job to a cluster as Flink's remote environment does, with one difference: the configuration of the client,
 * which has keys and passwords, is not part of the job. An environment would put all of it into the job's graph.
 */
public final class JobSubmission {
    private static final int ATTEMPTS = 3;

    private JobSubmission() {}

    /**
     * Submits a job and waits until its JobManager has initialised it.
     *
     * @return the job's id
     */
    public static String submit(
            StreamExecutionEnvironment env, String name, FlinkAddress address, FlinkCredentials credentials)
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
            ClientUtils.waitUntilJobInitializationFinished(
                    () -> cluster.getJobStatus(id).get(),
                    () -> cluster.requestJobResult(id).get(),
                    JobSubmission.class.getClassLoader());
            return id.toHexString();
        }
    }
}
