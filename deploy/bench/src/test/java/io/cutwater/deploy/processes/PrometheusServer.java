package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Prometheus of a cluster, asked whether it knows what dashboards and alert rules use. */
record PrometheusServer(int port) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final Path RULES = Path.of("..", "prometheus", "cutwater.rules.yml");
    private static final Pattern METRIC = Pattern.compile("\\b(?:cutwater|flink)_\\w+");
    private static final String OF_TRAININGS = "cutwater_train_";

    /** Starts a Prometheus that scrapes a target five times a second. */
    static Process scraping(String target, int port, Path folder) throws IOException {
        Path configuration = Files.writeString(folder.resolve("prometheus.yml"), """
                scrape_configs:
                  - job_name: cutwater
                    scrape_interval: 200ms
                    scrape_timeout: 200ms
                    static_configs:
                      - targets: ["%s"]
                """.formatted(target));
        return new ProcessBuilder(
                        PROGRAM.toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM) && Files.isExecutable(PROMTOOL);
    }

    /** Returns the names of the metrics of trainings, or of jobs, that the alert rules use. */
    static Set<String> metricsOfRules(boolean ofTrainings) throws IOException {
        return METRIC.matcher(Files.readString(RULES))
                .results()
                .map(MatchResult::group)
                .filter(name -> name.startsWith(OF_TRAININGS) == ofTrainings)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the expressions of a dashboard, for all jobs and trainings. */
    static List<String> expressions(String dashboard) throws IOException {
        JsonNode tree = JSON.readTree(Path.of("..", "grafana", dashboard).toFile());
        List<String> expressions = new ArrayList<>();
        for (JsonNode panel : tree.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                expressions.add(
                        target.path("expr").asText().replace("$job", ".*").replace("$training", ".*"));
            }
        }
        return expressions;
    }

    /** Returns the expressions that give no series now. */
    List<String> without(Iterable<String> expressions) throws IOException, InterruptedException {
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
            JsonNode answer = query(expression);
            assertThat(answer.path("status").asText())
                    .as(expression + ": " + answer)
                    .isEqualTo("success");
            if (answer.at("/data/result").isEmpty()) {
                empty.add(expression);
            }
        }
        return empty;
    }

    private JsonNode query(String expression) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:%d/api/v1/query?query=%s"
                .formatted(port, URLEncoder.encode(expression, StandardCharsets.UTF_8)));
        return JSON.readTree(HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    /** Returns what {@code promtool check metrics} finds fault with. */
    static List<String> complaints(String metrics) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().write(metrics.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines().toList();
    }
}
