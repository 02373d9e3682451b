package io.cutwater.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metrics of the alert rules and dashboards are on the page of metrics, which other tests compare with the code;
 * {@code RescaleIT} asks a Prometheus for those of a running job, also for Flink's.
 */
class AlertRulesTest {
    private static final Path RULES = Path.of("prometheus", "cutwater.rules.yml");
    private static final Path DASHBOARDS = Path.of("grafana");
    private static final Pattern OF_JOBS = Pattern.compile("\\bcutwater_(?!train_)([a-z_]+)");
    private static final Pattern OF_TRAININGS = Pattern.compile("\\bcutwater_train_([a-z_]+)");
    private static final String TRAINING = "\n## Training\n";
    private static final Pattern DOCUMENTED = Pattern.compile("`([A-Za-z_]+)`");

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.sorted().toList();
        }
    }

    @Test
    void everyMetricIsDocumented() throws IOException {
        String page = Files.readString(Path.of("docs", "reference", "metrics.md"));
        int training = page.indexOf(TRAINING);
        List<Path> files = new ArrayList<>(dashboards());
        assertThat(files).hasSize(3);
        files.add(RULES);
        for (Path file : files) {
            String text = Files.readString(file);
            Set<String> ofJobs = names(OF_JOBS, text);
            Set<String> ofTrainings = names(OF_TRAININGS, text);
            assertThat(ofJobs.size() + ofTrainings.size()).as(file.toString()).isGreaterThan(6);
            isDocumented(page.substring(0, training), ofJobs, file);
            isDocumented(page.substring(training), ofTrainings, file);
        }
        assertThat(names(OF_TRAININGS, Files.readString(RULES))).hasSizeGreaterThan(3);
    }

    /** Counters of jobs are documented without their suffix. */
    private static void isDocumented(String page, Set<String> used, Path file) {
        Set<String> documented = names(DOCUMENTED, page).stream()
                .map(name -> name.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT))
                .map(name -> name.replaceAll("_millis$", "_seconds").replaceFirst("^cutwater_train_", ""))
                .collect(Collectors.toSet());
        assertThat(documented)
                .as(file.toString())
                .containsAll(used.stream()
                        .filter(name -> !documented.contains(name))
                        .map(name -> name.replaceAll("_total$", ""))
                        .toList());
    }

    @Test
    void everyPanelHasAUnitADescriptionAndTheChosenDataSource() throws IOException {
        for (Path file : dashboards()) {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
            assertThat(dashboard.path("uid").asText() + ".json")
                    .isEqualTo(file.getFileName().toString());
            assertThat(dashboard.path("panels").size()).isGreaterThan(6);
            for (JsonNode panel : dashboard.path("panels")) {
                String title = panel.path("title").asText();
                assertThat(panel.path("description").asText()).as(title).isNotEmpty();
                assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                        .as(title)
                        .isNotEmpty();
                for (JsonNode target : panel.path("targets")) {
                    assertThat(target.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
                    assertThat(target.path("expr").asText()).as(title).isNotEmpty();
                }
            }
        }
    }

    @Test
    void everyAlertIsMadeToFire() throws IOException {
        Pattern alert = Pattern.compile("- alert: (\\w+)");
        Pattern fired = Pattern.compile("- alertname: (\\w+)\\s+eval_time: \\w+\\s+exp_alerts:\\s+- exp_labels");
        assertThat(names(fired, Files.readString(Path.of("prometheus", "cutwater.rules.test.yml"))))
                .isEqualTo(names(alert, Files.readString(RULES)));
    }

    @Test
    void theRulesFireWhenTheyShould() throws Exception {
        Path promtool = Path.of("/usr/bin/promtool");
        assumeTrue(Files.isExecutable(promtool), "Prometheus is not installed");
        for (String[] words :
                new String[][] {{"check", "rules", "cutwater.rules.yml"}, {"test", "rules", "cutwater.rules.test.yml"}
                }) {
            Process process = new ProcessBuilder(promtool.toString(), words[0], words[1], words[2])
                    .directory(Path.of("prometheus").toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        }
    }
}
