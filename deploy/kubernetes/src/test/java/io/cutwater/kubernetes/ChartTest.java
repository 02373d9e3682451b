package io.cutwater.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart is rendered by Helm and checked without a cluster. */
class ChartTest {
    private static final Path CHART = Path.of("cutwater").toAbsolutePath();
    private static final Path RESOURCES = Path.of("src", "test", "resources").toAbsolutePath();
    /** The render with the default values, which users apply without Helm. */
    private static final Path PLAIN = Path.of("manifests", "cutwater.yaml").toAbsolutePath();

    private static final Path RENDERED = Path.of("target", "rendered").toAbsolutePath();
    private static final ManifestCheck CHECK = new ManifestCheck();

    @TempDir
    private Path folder;

    @Test
    void helmHasNothingToComplainAbout() {
        LintResult result = new Helm(CHART).lint().strict().call();

        assertThat(result.getMessages()).noneMatch(line -> line.contains("[WARNING]") || line.contains("[ERROR]"));
        assertThat(result.isFailed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "job-only", "shared-page", "vertices", "large", "own-kafka"})
    void everyDocumentIsValidAndAsBefore(String values) throws IOException {
        String yaml = render(values);
        Files.createDirectories(RENDERED);
        Path rendered = RENDERED.resolve(values + ".yaml");
        Files.writeString(rendered, yaml);
        Path golden = values.equals("default") ? PLAIN : RESOURCES.resolve("golden/" + values + ".yaml");

        assertThat(CHECK.problems(yaml)).isEmpty();
        assertThat(golden)
                .as("the rendered chart has changed; if it should: cp %s %s", rendered, golden)
                .hasContent(yaml);
    }

    /** Without a cluster Helm would take the oldest version that it knows. */
    private static TemplateCommand template() {
        return new Helm(CHART)
                .template()
                .withName("graph")
                .withNamespace("graphs")
                .withKubeVersion("1.25.0");
    }

    private static String render(String values) {
        TemplateCommand command = template();
        if (!values.equals("default")) {
            command.withValuesFile(RESOURCES.resolve("values/" + values + ".yaml"));
        }
        return command.call();
    }

    @Test
    void everyPodIsRestricted() throws IOException {
        int pods = 0;
        for (JsonNode document : ManifestCheck.documents(render("default"))) {
            JsonNode template = document.path("spec")
                    .path(document.path("kind").asText().equals("FlinkDeployment") ? "podTemplate" : "template");
            if (template.isObject()) {
                pods++;
                JsonNode pod = template.path("spec");
                assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
                assertThat(pod.at("/securityContext/seccompProfile/type").asText())
                        .isEqualTo("RuntimeDefault");
                for (JsonNode container : pod.path("containers")) {
                    JsonNode security = container.path("securityContext");
                    assertThat(security.path("readOnlyRootFilesystem").asBoolean())
                            .isTrue();
                    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true))
                            .isFalse();
                    assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
                }
            }
        }
        assertThat(pods).isEqualTo(4);
    }

    /** Selectors find pods, services point at ports, and what is mounted and referred to is there. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "shared-page"})
    void documentsFitTogether(String values) throws IOException {
        List<JsonNode> documents = ManifestCheck.documents(render(values));
        Map<String, JsonNode> maps = new TreeMap<>();
        documents.stream()
                .filter(document -> document.path("kind").asText().equals("ConfigMap"))
                .forEach(document -> maps.put(document.at("/metadata/name").asText(), document));
        List<JsonNode> pods = documents.stream()
                .map(document -> document.at("/spec/template").isObject()
                        ? document.at("/spec/template")
                        : document.at("/spec/podTemplate"))
                .filter(JsonNode::isObject)
                .toList();
        for (JsonNode pod : pods) {
            List<String> volumes = pod.at("/spec/volumes").findValuesAsText("name");
            for (JsonNode mount : pod.at("/spec/containers/0/volumeMounts")) {
                assertThat(concat(volumes, "data")).contains(mount.path("name").asText());
            }
            pod.at("/spec/volumes")
                    .findValues("configMap")
                    .forEach(
                            map -> assertThat(maps).containsKey(map.path("name").asText()));
        }
        for (JsonNode document : documents) {
            if (document.path("kind").asText().equals("Service")) {
                JsonNode selector = document.at("/spec/selector");
                assertThat(pods).anyMatch(pod -> contains(pod.at("/metadata/labels"), selector));
            }
        }
    }

    private static List<String> concat(List<String> words, String word) {
        return Stream.concat(words.stream(), Stream.of(word)).toList();
    }

    private static boolean contains(JsonNode labels, JsonNode selector) {
        return selector.properties().stream()
                .allMatch(label -> labels.path(label.getKey()).equals(label.getValue()));
    }

    @ParameterizedTest
    @CsvSource({
        "job.partitions, 0",
        "job.partitions, 5000",
        "job.algorithm, metis",
        "job.checkpointDir, checkpoints",
        "page.port, 80",
        "trainer.workers, 0",
        "kafka.bootstrapServers, localhost",
        "strimzi.topics.copies, 3",
        "colour, green",
    })
    void valuesThatTheSchemaDoesNotAllowAreRefused(String name, String value) {
        TemplateCommand command = template().set(name, value);

        assertThatThrownBy(command::call).hasMessageContaining(name.replaceAll(".*\\.", ""));
    }

    /** The checks of this test find what they should. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'  upgradeMode: savepoint' | '  upgradMode: savepoint'",
                "flinkVersion: v2_3 | flinkVersion: v9_9",
                "readOnlyRootFilesystem: true | readOnlyRootFileSystem: true",
                "serviceName: | servicName:",
                "podMetricsEndpoints: | podMetricEndpoints:",
                "policyTypes: | policyTyps:",
                "topicName: | topicNam:",
                "patternType: | paternType:",
                "kind: StatefulSet | kind: StatefullSet",
                "replicas: 1 | replicas: one",
            })
    void plantedErrorsAreFound(String right, String wrong) throws IOException {
        String yaml = Files.readString(PLAIN);
        assertThat(yaml).contains(right);

        assertThat(CHECK.problems(yaml.replace(right, wrong))).isNotEmpty();
    }

    @Test
    void theChartPackedHasItsFiles() throws IOException {
        new Helm(CHART).packageIt().withDestination(folder).call();

        try (Stream<Path> files = Files.list(folder)) {
            Path archive = files.findFirst().orElseThrow();
            assertThat(archive.getFileName().toString()).startsWith("cutwater-0.2.0");
            assertThat(Files.size(archive)).isGreaterThan(8_000);
        }
    }
}
