package io.cutwater.deploy.cluster;

import io.cutwater.deploy.launch.LogFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The configuration of the Flink processes of a local cluster. */
final class FlinkSettings {
    private static final String LOGGING = "log4j2.xml";

    private FlinkSettings() {}

    /** Writes {@code config.yaml} and the logging configuration. */
    static void write(ClusterSettings settings, ClusterFolder folder) throws IOException {
        StringBuilder yaml = new StringBuilder("# Written at every start of the cluster.\n");
        Map<String, String> values = values(settings, folder);
        Properties user = folder.userSettings("flink");
        user.stringPropertyNames().forEach(key -> values.put(key, user.getProperty(key)));
        values.putAll(folder.key().settings());
        values.forEach((key, value) ->
                yaml.append(key).append(": '").append(value.replace("'", "''")).append("'\n"));
        ClusterFolder.replace(folder.configuration().resolve("config.yaml"), yaml.toString());
        copy(FlinkSettings.class, LOGGING, folder);
        copy(LogFormat.class, LogFormat.EVENT, folder);
    }

    private static void copy(Class<?> beside, String resource, ClusterFolder folder) throws IOException {
        try (InputStream content = beside.getResourceAsStream(resource)) {
            if (content == null) {
                throw new IllegalStateException(resource + " is missing from the class path");
            }
            Files.copy(content, folder.configuration().resolve(resource), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static Path logging(ClusterFolder folder) {
        return folder.configuration().resolve(LOGGING);
    }

    private static Map<String, String> values(ClusterSettings settings, ClusterFolder folder) {
        Map<String, String> values = new TreeMap<>();
        values.put("jobmanager.rpc.address", LocalCluster.LOOPBACK);
        values.put("jobmanager.rpc.port", Integer.toString(settings.jobManagerPort()));
        values.put("jobmanager.bind-host", LocalCluster.LOOPBACK);
        values.put("jobmanager.memory.process.size", "1g");
        values.put("taskmanager.host", LocalCluster.LOOPBACK);
        values.put("taskmanager.bind-host", LocalCluster.LOOPBACK);
        values.put("taskmanager.memory.process.size", settings.taskManagerMemory() + "b");
        values.put("taskmanager.memory.managed.fraction", "0.3");
        values.put("taskmanager.numberOfTaskSlots", Integer.toString(settings.slots()));
        values.put("rest.address", LocalCluster.LOOPBACK);
        values.put("rest.bind-address", LocalCluster.LOOPBACK);
        values.put("rest.port", Integer.toString(settings.flinkPort()));
        // Jobs are submitted by the command line's client, not on a page that anybody on this machine can open.
        values.put("web.submit.enable", "false");
        values.put("state.backend.type", "rocksdb");
        values.put("execution.checkpointing.incremental", "true");
        values.put("execution.checkpointing.dir", folder.checkpoints().toUri().toString());
        values.put(
                "execution.checkpointing.savepoint-dir",
                folder.savepoints().toUri().toString());
        values.put("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        values.put("restart-strategy.type", "fixed-delay");
        values.put("restart-strategy.fixed-delay.attempts", Integer.toString(Integer.MAX_VALUE));
        values.put("restart-strategy.fixed-delay.delay", "1s");
        // Each attempt to get slots is an entry; status counts restarts by the others.
        values.put("web.exception-history-size", "200");
        // Short enough to notice a dead process on the same machine soon, long enough not to take a loaded one for
        // dead.
        values.put("heartbeat.interval", "2000");
        values.put("heartbeat.timeout", "20000");
        // Properties that RocksDB keeps anyway; its statistics, which cost time, stay off.
        values.put("state.backend.rocksdb.metrics.total-sst-files-size", "true");
        values.put("state.backend.rocksdb.metrics.cur-size-all-mem-tables", "true");
        values.put("state.backend.rocksdb.metrics.block-cache-usage", "true");
        if (!settings.otel().isEmpty()) {
            String collector = settings.otel().replaceFirst("/$", "");
            String metrics = "metrics.reporter.otel.";
            values.put(metrics + "factory.class", "org.apache.flink.metrics.otel.OpenTelemetryMetricReporterFactory");
            values.put(metrics + "exporter.endpoint", collector + "/v1/metrics");
            String traces = "traces.reporter.otel.";
            values.put(traces + "factory.class", "org.apache.flink.traces.otel.OpenTelemetryTraceReporterFactory");
            values.put(traces + "exporter.endpoint", collector + "/v1/traces");
            for (String reporter : new String[] {metrics, traces}) {
                values.put(reporter + "exporter.protocol", "HTTP");
                values.put(reporter + "service.name", "cutwater");
            }
        }
        return values;
    }
}
