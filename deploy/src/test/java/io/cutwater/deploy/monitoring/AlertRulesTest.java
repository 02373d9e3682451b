package io.cutwater.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The metrics of the alert rules and of the dashboard exist: our own are on the page of metrics, which other tests
 * compare with the code, and those of Flink in Flink.
 */
class AlertRulesTest {
    private static final Path RULES = Path.of("prometheus", "cutwater.rules.yml");
    private static final Path DASHBOARD = Path.of("grafana", "cutwater.json");
    private static final Pattern OF_JOB = Pattern.compile("flink_taskmanager_job_task_operator_cutwater_(\\w+)");
    private static final Pattern OF_TRAINING = Pattern.compile("cutwater_train_(\\w+)");
    private static final Pattern OF_FLINK = Pattern.compile("flink_jobmanager_job_(\\w+)");
    private static final Pattern DOCUMENTED = Pattern.compile("`([A-Za-z_]+)`");

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyMetricExists() throws Exception {
        String page = Files.readString(Path.of("docs", "reference", "metrics.md"));
        Set<String> documented = names(DOCUMENTED, page);
        for (Path file : new Path[] {RULES, DASHBOARD}) {
            String text = Files.readString(file);
            Set<String> used = names(OF_JOB, text);
            used.addAll(names(OF_TRAINING, text));
            assertThat(used).as(file.toString()).hasSizeGreaterThan(8);
            assertThat(documented).as(file.toString()).containsAll(used);
            assertThat(names(OF_FLINK, text)).containsOnly(completedCheckpoints());
        }
    }

    private static String completedCheckpoints() throws ReflectiveOperationException {
        Class<?> tracker = Class.forName("org.apache.flink.runtime.checkpoint.DefaultCheckpointStatsTracker");
        Field name = tracker.getDeclaredField("NUMBER_OF_COMPLETED_CHECKPOINTS_METRIC");
        name.setAccessible(true);
        return (String) name.get(null);
    }

    @Test
    void everyPanelHasAUnitADescriptionAndTheChosenDataSource() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        assertThat(dashboard.path("uid").asText()).isEqualTo("cutwater");
        assertThat(dashboard.path("panels").size()).isGreaterThan(8);
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
