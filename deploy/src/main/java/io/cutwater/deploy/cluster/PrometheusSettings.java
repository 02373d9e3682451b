package io.cutwater.deploy.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The configuration of a Prometheus that is installed on this machine, and the Flink processes that it scrapes. */
final class PrometheusSettings {
    private static final String RULES = "cutwater.rules.yml";
    private static final String TEMPLATE = """
            # Written at every start of the cluster. Targets of others, such as trainings, go into files of %2$s.
            global:
              scrape_interval: 5s
              evaluation_interval: 5s
            rule_files: ['%1$s']
            scrape_configs:
              - job_name: flink
                file_sd_configs:
                  - files: ['%3$s']
              - job_name: training
                file_sd_configs:
                  - files: ['%2$s/*.yml']
            """;

    private PrometheusSettings() {}

    /**
     * Finds the program.
     *
     * @throws IOException if it is not installed; the message is meant for users
     */
    static Path command() throws IOException {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, LocalCluster.PROMETHEUS))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new IOException(
                                "--prometheus needs the program prometheus in the PATH; install it, or leave --prometheus out"));
    }

    /** Writes the configuration, the rules and the targets, and returns the first file. */
    static Path write(ClusterSettings settings, ClusterFolder folder, List<ClusterProcess> processes)
            throws IOException {
        Path rules = folder.configuration().resolve(RULES);
        try (InputStream text = PrometheusSettings.class.getResourceAsStream(RULES)) {
            if (text == null) {
                throw new IllegalStateException(RULES + " is missing from the class path");
            }
            ClusterFolder.replace(rules, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        }
        writeTargets(settings, folder, processes);
        Path others = Files.createDirectories(folder.configuration().resolve("prometheus.d"));
        Path file = folder.configuration().resolve("prometheus.yml");
        ClusterFolder.replace(file, TEMPLATE.formatted(rules, others, targets(folder)));
        return file;
    }

    /** Writes the addresses of the Flink processes, which a running Prometheus reads again when they change. */
    static void writeTargets(ClusterSettings settings, ClusterFolder folder, List<ClusterProcess> processes)
            throws IOException {
        String targets = processes.stream()
                .map(process -> settings.metricsPort(process.name()))
                .flatMapToInt(OptionalInt::stream)
                .mapToObj(port -> "'%s:%d'".formatted(LocalCluster.LOOPBACK, port))
                .collect(Collectors.joining(", "));
        ClusterFolder.replace(targets(folder), "- targets: [%s]\n".formatted(targets));
    }

    private static Path targets(ClusterFolder folder) {
        return folder.configuration().resolve("prometheus-targets.yml");
    }
}
