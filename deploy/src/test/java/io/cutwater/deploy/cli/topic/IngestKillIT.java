package io.cutwater.deploy.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The process of an ingest dies again and again, and whoever runs the command again has each edge once. */
class IngestKillIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int FILES = 3;
    private static final int EDGES_PER_FILE = 30_000;
    private static final int EDGES_PER_SECOND = 15_000;
    private static final int DEATHS = 2;
    private static final int LATEST_DEATH_MILLIS = 1_000;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    /** One format; both in a campaign. */
    static Stream<Arguments> seeds() {
        Stream<Arguments> all = Stream.of(Arguments.of(1, "batch"), Arguments.of(2, "csv"));
        return Integer.getInteger("cutwater.seeds") == null ? all.limit(1) : all;
    }

    @ParameterizedTest(name = "seed {0}, {1}")
    @MethodSource("seeds")
    @Timeout(400)
    void everyEdgeIsThereOnceHoweverOftenTheProcessIsKilled(long seed, String format) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> expected = new ArrayList<>();
        String prefix = "killed-" + seed + "-";
        List<String> command = ingest(files(random, expected), prefix, format);
        int written = 0;
        for (int death = 0; death < DEATHS; death++) {
            Process process = start(command);
            int before = written;
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreException(TopicMissingException.class)
                    .until(() -> !process.isAlive() || committed(prefix, format).size() > before);
            int millis = random.nextInt(LATEST_DEATH_MILLIS);
            System.out.printf("seed %d: killed %d ms after it wrote%n", seed, millis);
            TimeUnit.MILLISECONDS.sleep(millis);
            end(process, death);
            written = committed(prefix, format).size();
            assertThat(written).isBetween(before + 1, expected.size() - 1);
        }
        Process last = start(command);
        assertThat(last.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        String said = Files.readString(folder.resolve("ingest.txt"));
        assertThat(last.exitValue()).as(said).isZero();
        assertThat(said).contains(": resumes after its first ");
        assertThat(committed(prefix, format).stream().sorted().toList())
                .isEqualTo(expected.stream().sorted().toList());
        assertThat(reader().readAll(prefix + "dead-letters", letter -> {})).isEqualTo(FILES);
    }

    /** Tells the process to end the first time, as Ctrl-C does, and kills it from then on. */
    private static void end(Process process, int death) throws Exception {
        if (death > 0) {
            process.destroyForcibly().waitFor();
            return;
        }
        process.destroy();
        process.waitFor();
        assertThat(Files.readString(folder.resolve("ingest.txt")))
                .endsWith(
                        "%ncutwater: interrupted; what was committed stays on the topics; the same command continues behind it%n"
                                .formatted());
    }

    private static List<Path> files(SplittableRandom random, List<String> edges) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < EDGES_PER_FILE; i++) {
                lines.add(random.nextInt(1_000_000) + " " + random.nextInt(1_000_000));
            }
            edges.addAll(lines);
            lines.add("not an edge");
            files.add(Files.write(folder.resolve("graph-%d.txt".formatted(file)), lines));
        }
        return files;
    }

    /** As the launcher starts it. */
    private static List<String> ingest(List<Path> files, String prefix, String format) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Cutwater.class.getName(), "ingest", "--edges"));
        files.forEach(file -> command.add(file.toString()));
        command.addAll(List.of("--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", prefix));
        command.addAll(List.of("--event-format", format, "--threads", Integer.toString(FILES)));
        command.addAll(List.of("--rate", Integer.toString(EDGES_PER_SECOND), "--progress", "lines"));
        return command;
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("ingest.txt").toFile())
                .start();
    }

    private static TopicReader reader() {
        return new TopicReader(broker.bootstrapServers(), Map.of());
    }

    private static List<String> committed(String prefix, String format) {
        EdgeEventDecoder decoder = EdgeEventFormat.of(format).decoder();
        EdgeBatch edges = new EdgeBatch();
        reader().readAll(prefix + "edges", r -> decoder.decode(r, edges));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            lines.add(edges.source(i) + " " + edges.target(i));
        }
        return lines;
    }
}
