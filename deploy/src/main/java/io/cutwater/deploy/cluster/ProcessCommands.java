package io.cutwater.deploy.cluster;

import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.deploy.launch.LogFormat;
import io.cutwater.flink.client.ProcessMemory;
import io.cutwater.flink.prometheus.PrometheusEndpointFactory;
import io.cutwater.kafka.embedded.BrokerFolder;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command lines of the processes of a local cluster. */
final class ProcessCommands {
    private static final String JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
    private static final String TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";

    private final ClusterSettings settings;
    private final ClusterFolder folder;
    private final ClusterParts parts;

    ProcessCommands(ClusterSettings settings, ClusterFolder folder, ClusterParts parts) {
        this.settings = settings;
        this.folder = folder;
        this.parts = parts;
    }

    /** Kafka is already on the class path of this process, in the version of the job's client. */
    List<String> broker(ClusterProcess process) throws IOException {
        Path properties = BrokerFolder.prepare(
                folder.broker(), settings.brokerPort(), settings.controllerPort(), folder.userSettings("broker"));
        List<String> command = java(process, List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BrokerFolder.MAIN_CLASS));
        command.add(properties.toString());
        return command;
    }

    List<String> jobManager(ClusterProcess process) throws IOException {
        List<String> command = flink(process, JOB_MANAGER, ProcessMemory.ofJobManager(folder.configuration()));
        command.addAll(List.of("-D", "io.tmp.dirs=" + folder.temporary(process.name())));
        return command;
    }

    List<String> taskManager(ClusterProcess process, String identity) throws IOException {
        List<String> command = flink(process, TASK_MANAGER, ProcessMemory.ofTaskManager(folder.configuration()));
        command.addAll(List.of("-D", "io.tmp.dirs=" + folder.temporary(process.name())));
        command.addAll(List.of("-D", "taskmanager.resource-id=" + identity));
        return command;
    }

    /** Prometheus is not part of Cutwater; it scrapes the Flink processes, and applies the alert rules. */
    List<String> prometheus(List<ClusterProcess> processes) throws IOException {
        Path configuration = PrometheusSettings.write(settings, folder, processes);
        return List.of(
                PrometheusSettings.command().toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.root().resolve(LocalCluster.PROMETHEUS),
                "--web.listen-address=%s:%d".formatted(LocalCluster.LOOPBACK, settings.prometheusPort()));
    }

    private List<String> flink(ClusterProcess process, String mainClass, ProcessMemory memory) throws IOException {
        List<String> command = java(process, memory.jvm());
        command.addAll(List.of("-cp", parts.flinkClassPath(), mainClass));
        command.addAll(List.of("--configDir", folder.configuration().toString()));
        command.addAll(memory.settings());
        // A port of its own, the same after a restart: a range would be taken in the order of the starts, and a process
        // beyond it would take the port of another one.
        settings.metricsPort(process.name()).ifPresent(port -> {
            String reporter = "metrics.reporter.cutwater.";
            command.addAll(List.of("-D", reporter + "factory.class=" + PrometheusEndpointFactory.class.getName()));
            command.addAll(List.of("-D", reporter + "host=" + LocalCluster.LOOPBACK));
            command.addAll(List.of("-D", reporter + "port=" + port));
        });
        return command;
    }

    private List<String> java(ClusterProcess process, List<String> options) throws IOException {
        Path temporary = folder.temporary(process.name());
        TemporaryFolder.delete(temporary); // a killed process has left it
        Files.createDirectories(temporary);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Flink needs the same opened packages as this process; the launcher reads them from one place.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(options);
        command.add("-Djava.awt.headless=true");
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dlog.file=" + process.log());
        command.add(settings.logFormat().option());
        command.add("-Dcutwater.log.event="
                + folder.configuration().resolve(LogFormat.EVENT).toUri());
        command.add("-Dlog4j.configurationFile=" + FlinkSettings.logging(folder).toUri());
        return command;
    }
}
