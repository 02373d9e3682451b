package io.cutwater.flink.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metrics that the sources register are those of the reference page; {@code OutOfCoreIT} compares a running job.
 */
class MetricsPageTest {
    private static final Pattern REGISTERED = Pattern.compile("\\.(?:gauge|meter|counter)\\(\\s*(?:\"(\\w+)\"|(\\w+))");

    private static final Path PAGE = Path.of("../deploy/docs/reference/metrics.md");

    private static final Pattern DOCUMENTED = Pattern.compile("`([a-z][A-Za-z]+)`");

    private static final List<String> SECTIONS = List.of(
            "Fused topology",
            "Vertex partitioning",
            "Distributed topology",
            "Vertex data",
            "Duplicates",
            "Expiry",
            "Bulk passes");

    /** Names of the page that are no metrics: kinds of jobs, topics, and values of {@code bulkStage}. */
    private static final Set<String> OTHER = Set.of("vertex", "start", "reading", "emitting", "done");

    @Test
    void thePageHasEveryRegisteredMetricAndNoOther() throws IOException {
        Set<String> registered = registered();
        assertThat(registered).hasSizeGreaterThan(40);
        Set<String> documented = documented();
        documented.removeAll(OTHER);
        assertThat(documented).isEqualTo(registered);
        assertThat(JobMetrics.names()).isEqualTo(registered);
        assertThat(registered).containsAll(JobMetrics.counters());
    }

    @Test
    void thePageSaysWhichAreCounters() throws IOException {
        String page = Files.readString(PAGE).replace('\n', ' ');
        String counters = page.substring(page.indexOf("are counters: "));
        assertThat(DOCUMENTED
                        .matcher(counters.substring(0, counters.indexOf('.')))
                        .results()
                        .map(name -> name.group(1)))
                .containsExactlyInAnyOrderElementsOf(JobMetrics.counters());
    }

    private static Set<String> registered() throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                REGISTERED.matcher(source).results().forEach(metric -> {
                    if (metric.group(1) != null) {
                        names.add(metric.group(1));
                    } else {
                        names.addAll(constant(source, metric.group(2)));
                    }
                });
            }
        }
        names.addAll(qualityNames());
        return names;
    }

    /** Returns the value of a constant; nothing if the name is that of a parameter. */
    private static List<String> constant(String source, String name) {
        return Pattern.compile("String %s = \"(\\w+)\"".formatted(name))
                .matcher(source)
                .results()
                .map(value -> value.group(1))
                .toList();
    }

    private static Set<String> qualityNames() {
        List<PartitionQuality> partition = List.of(new PartitionQuality(0, 1, 1));
        Set<String> names =
                new TreeSet<>(Quality.ofEdges(1, 1, 1, 0, partition).ratios().keySet());
        names.addAll(Quality.ofVertices(1, 1, 1, 0, partition).ratios().keySet());
        return names;
    }

    private static Set<String> documented() throws IOException {
        String page = Files.readString(PAGE);
        return SECTIONS.stream()
                .map(title -> page.substring(page.indexOf("\n## " + title)))
                .flatMap(section -> section.lines().skip(2).takeWhile(line -> !line.startsWith("## ")))
                .flatMap(line -> DOCUMENTED.matcher(line).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
