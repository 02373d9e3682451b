package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.launch.LogFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code RescaleIT} adds a TaskManager beside a running Prometheus. */
class PrometheusSettingsTest {
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

    @TempDir
    private Path root;

    private static List<ClusterProcess> processes(ClusterFolder folder, String... names) {
        return List.of(names).stream()
                .map(name -> new ClusterProcess(name, folder))
                .toList();
    }

    @Test
    void targetsOfARunningPrometheusAreInAFileThatItReadsAgain() throws Exception {
        ClusterFolder folder = new ClusterFolder(root);
        folder.create();
        ClusterSettings settings =
                new ClusterSettings(9092, 9093, 8081, 6123, 1, 2, 2L << 30, "9249-9259", 9090, LogFormat.TEXT, "");
        Path configuration = PrometheusSettings.write(
                settings, folder, processes(folder, "broker", "jobmanager", "taskmanager-1", "prometheus"));
        Path targets = folder.configuration().resolve("prometheus-targets.yml");

        assertThat(configuration).content().contains("file_sd_configs", targets.toString());
        assertThat(targets).hasContent("- targets: ['127.0.0.1:9249', '127.0.0.1:9250']");
        if (Files.isExecutable(PROMTOOL)) {
            check(configuration);
        }

        PrometheusSettings.writeTargets(
                settings.withTaskManagers(2),
                folder,
                processes(folder, "jobmanager", "taskmanager-1", "taskmanager-2"));
        assertThat(targets).hasContent("- targets: ['127.0.0.1:9249', '127.0.0.1:9250', '127.0.0.1:9251']");
    }

    private static void check(Path configuration) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(PROMTOOL.toString(), "check", "config", configuration.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
