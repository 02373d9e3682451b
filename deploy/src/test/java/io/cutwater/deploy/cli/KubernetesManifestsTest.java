package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cutwater.deploy.MarkdownFiles;
import io.cutwater.flink.job.LivePartitionJob;
import io.cutwater.flink.job.option.LiveJobOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The commands of the Kubernetes manifests have the options that they are given there. What else is true of them is
 * tested in {@code deploy/kubernetes}, by a profile of its own.
 */
class KubernetesManifestsTest {
    private static final Path FOLDER = MarkdownFiles.root().resolve("deploy/kubernetes");

    /** The job reads the file where it parses its options. */
    private static final String PROPERTIES = "/etc/cutwater/kafka/kafka.properties";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void writeProperties() throws IOException {
        Files.writeString(folder.resolve("kafka.properties"), "security.protocol=PLAINTEXT\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "manifests/cutwater.yaml",
                "src/test/resources/golden/vertices.yaml",
                "src/test/resources/golden/large.yaml"
            })
    void everyProcessGetsOptionsThatItHas(String file) throws IOException {
        List<String> started = new ArrayList<>();
        for (Object document :
                new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(FOLDER.resolve(file)))) {
            Map<?, ?> spec = (Map<?, ?>) ((Map<?, ?>) document).get("spec");
            if (spec != null && spec.get("job") instanceof Map<?, ?> job) {
                started.add("job");
                assertThat(job.get("entryClass")).isEqualTo(LivePartitionJob.class.getName());
                assertThatCode(() -> LiveJobOptions.parse(words(job))).doesNotThrowAnyException();
                assertThat(((Map<?, ?>) spec.get("flinkConfiguration")).get("env.java.opts.all"))
                        .isEqualTo(openings());
            } else if (spec != null && spec.get("template") instanceof Map<?, ?> template) {
                Map<?, ?> pod = (Map<?, ?>) template.get("spec");
                Map<?, ?> container = (Map<?, ?>) ((List<?>) pod.get("containers")).get(0);
                started.add(words(container)[0]);
                assertThatCode(() -> Cutwater.commandLine().parseArgs(words(container)))
                        .doesNotThrowAnyException();
            }
        }
        assertThat(started).contains("job").hasSizeBetween(1, 4);
    }

    private static String[] words(Map<?, ?> process) {
        return StreamSupport.stream(((Iterable<?>) process.get("args")).spliterator(), false)
                .map(word -> word.equals(PROPERTIES) ? folder.resolve("kafka.properties") : word)
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    /** What Flink needs on Java 17, as the parent pom has it. */
    private static String openings() throws IOException {
        return Files.readString(MarkdownFiles.root().resolve("pom.xml"))
                .replaceAll("(?s).*<flink.openings>(.*)</flink.openings>.*", "$1");
    }
}
