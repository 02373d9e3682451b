package io.cutwater.deploy.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.deploy.launch.LogFormat;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a local cluster, kept in its folder for later commands.
 *
 * @param brokerPort of Kafka
 * @param controllerPort of Kafka's controller
 * @param flinkPort of Flink's REST endpoint and page
 * @param jobManagerPort at which TaskManagers find the JobManager
 * @param taskManagers how many, at least 1
 * @param slots of each TaskManager, at least 1
 * @param taskManagerMemory of each TaskManager's whole process, in bytes
 * @param metricsPorts range from which each Flink process takes one for Prometheus; empty for none
 * @param prometheusPort of a Prometheus that is part of the cluster; 0 for none
 * @param logFormat of the logs of the processes
 * @param otel address of an OpenTelemetry collector that gets metrics and traces by OTLP over HTTP; empty for none
 */
public record ClusterSettings(
        int brokerPort,
        int controllerPort,
        int flinkPort,
        int jobManagerPort,
        int taskManagers,
        int slots,
        long taskManagerMemory,
        String metricsPorts,
        int prometheusPort,
        LogFormat logFormat,
        String otel) {
    public static final ClusterSettings DEFAULT =
            new ClusterSettings(9092, 9093, 8081, 6123, 1, 2, 2L << 30, "9249-9259", 0, LogFormat.TEXT, "");

    private static final ObjectMapper JSON = new ObjectMapper();

    public ClusterSettings {
        // An earlier version has not kept these.
        logFormat = Objects.requireNonNullElse(logFormat, LogFormat.TEXT);
        otel = Objects.requireNonNullElse(otel, "");
    }

    /**
     * Returns the port at which a Flink process serves metrics: the JobManager has the first of the range, and
     * TaskManager n the n-th after it. Empty without metrics, and for processes beyond the range.
     *
     * @param process its name
     */
    public OptionalInt metricsPort(String process) {
        if (metricsPorts.isEmpty() || process.equals(LocalCluster.BROKER) || process.equals(LocalCluster.PROMETHEUS)) {
            return OptionalInt.empty();
        }
        String[] range = metricsPorts.split("-", -1);
        int first = Integer.parseInt(range[0]);
        int last = Integer.parseInt(range[range.length - 1]);
        int port = first
                + (process.equals(LocalCluster.JOB_MANAGER)
                        ? 0
                        : Integer.parseInt(process.substring(process.lastIndexOf('-') + 1)));
        return port <= last ? OptionalInt.of(port) : OptionalInt.empty();
    }

    /** Returns {@code host:port} of the broker. */
    public String bootstrapServers() {
        return LocalCluster.LOOPBACK + ":" + brokerPort;
    }

    /** Returns the address of the Prometheus of the cluster. */
    public String prometheus() {
        return "http://%s:%d".formatted(LocalCluster.LOOPBACK, prometheusPort);
    }

    /** Returns {@code host:port} of Flink's REST endpoint. */
    public String flink() {
        return LocalCluster.LOOPBACK + ":" + flinkPort;
    }

    /**
     * Returns the address of the REST endpoint of the cluster in a folder; HTTPS, unless an earlier version has started
     * it.
     */
    public FlinkAddress flink(Path clusterFolder) {
        return new FlinkAddress(
                LocalCluster.LOOPBACK,
                flinkPort,
                new ClusterFolder(clusterFolder).key().exists());
    }

    /** Returns the credentials for its REST endpoint. */
    public static FlinkCredentials credentials(Path clusterFolder) throws IOException {
        FlinkKey key = new ClusterFolder(clusterFolder).key();
        return key.exists() ? key.credentials() : FlinkCredentials.NONE;
    }

    /** Returns these settings with another number of TaskManagers. */
    public ClusterSettings withTaskManagers(int count) {
        return new ClusterSettings(
                brokerPort,
                controllerPort,
                flinkPort,
                jobManagerPort,
                count,
                slots,
                taskManagerMemory,
                metricsPorts,
                prometheusPort,
                logFormat,
                otel);
    }

    /** Reads the settings that an earlier start has kept in the folder; null if there are none. */
    public static @Nullable ClusterSettings read(Path clusterFolder) throws IOException {
        OwnFolder.require(clusterFolder);
        Path file = new ClusterFolder(clusterFolder).settings();
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return JSON.readValue(file.toFile(), ClusterSettings.class);
        } catch (IOException e) {
            throw new IOException(
                    "%s is not what cluster start has written; remove it, or choose another --dir".formatted(file), e);
        }
    }

    void write(ClusterFolder folder) throws IOException {
        ClusterFolder.replace(
                folder.settings(), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this));
    }
}
