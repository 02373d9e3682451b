package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.state.algorithm.AlgorithmProvider;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Partitioners of a user's own, compiled into a jar that Cutwater knows nothing of; one of them in a job that is
 * stopped and goes on in several tasks, with metrics, while others write to the topic of its loop.
 */
class UserPartitionerIT {
    private static final int EDGES = 300;
    private static final int PARTITIONS = 4;
    private static final long SEED = 5;

    private static final String LONELY = """
            package com.example;

            import io.cutwater.state.algorithm.*;
            import io.cutwater.state.partition.*;
            import io.cutwater.state.rule.*;
            import io.cutwater.state.table.*;

            /** Every edge goes to the partition that is set. */
            public final class Lonely implements AlgorithmProvider {
                private static final NumericSetting AT =
                        new NumericSetting("at", "the partition of every edge", 0, 0, 4095);

                @Override public Algorithm algorithm() {
                    return Algorithm.ofEdges("lonely", "Every edge goes to the partition that is set.")
                            .liveAndBulk(options -> new Rule((int) AT.of(options)), AT);
                }

                private record Rule(int at) implements EdgePartitioner {
                    @Override public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
                        return at;
                    }
                }
            }
            """;

    private static final String ROUND = """
            package com.example;

            import io.cutwater.state.algorithm.*;
            import io.cutwater.state.rule.*;

            /** Vertices go round the partitions. */
            public final class Round implements AlgorithmProvider {
                @Override public Algorithm algorithm() {
                    return Algorithm.ofVertices("round", "Vertices go round the partitions.")
                            .bulk((options, size) -> (VertexPartitioner)
                                    (vertex, neighbours, from, to, placement) -> vertex % options.partitionCount());
                }
            }
            """;

    @TempDir
    private static Path folder;

    private static Path jar;
    private static Path graph;

    @BeforeAll
    static void compile() throws IOException {
        jar = new JarOfSources(folder)
                .add("com/example/Lonely.java", LONELY)
                .add("com/example/Round.java", ROUND)
                .provide(AlgorithmProvider.class, "com.example.Lonely", "com.example.Round")
                .write("mine.jar");
        graph = Files.write(
                folder.resolve("ring.txt"),
                IntStream.range(0, EDGES)
                        .mapToObj(i -> i + " " + (i + 1) % EDGES)
                        .toList());
    }

    @Test
    @Timeout(120)
    void aProcessPartitionsAndComparesWithThem() throws Exception {
        Path out = folder.resolve("shards");
        JsonNode report =
                read(process("partition --edges %s --partitions %d --algorithm lonely --set at=2 --out %s --json"
                        .formatted(graph, PARTITIONS, out)));

        assertThat(report.path("algorithm").textValue()).isEqualTo("lonely");
        assertThat(report.path("edgeBalance").doubleValue()).isEqualTo(PARTITIONS);
        try (var lines = Files.lines(out.resolve("shards/00002/edges.csv"))) {
            assertThat(lines).hasSize(1 + EDGES);
        }

        JsonNode compared =
                read(process("compare --kind both --edges %s --partitions %d --algorithms lonely,round --json"
                        .formatted(graph, PARTITIONS)));
        assertThat(compared).hasSize(2);
        assertThat(compared.at("/0/algorithm").textValue()).isEqualTo("lonely");
        assertThat(compared.at("/1/algorithm").textValue()).isEqualTo("round");
        assertThat(compared.at("/1/edgeCutRatio").doubleValue()).isEqualTo(1);
        assertThat(compared.at("/1/vertexBalance").doubleValue()).isEqualTo(1);
    }

    @Test
    @Timeout(600)
    void theJarTravelsWithALiveJobAlsoAfterAResumeInSeveralTasks() throws Exception {
        PrometheusPorts metrics = PrometheusPorts.choose();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        System.setProperty("cutwater.classpath", jar.toString());
        try (URLClassLoader withJar = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before);
                ClusterFixture cluster = new ClusterFixture(folder, "--metrics-ports " + metrics.range())) {
            Thread.currentThread().setContextClassLoader(withJar);
            cluster.json("ingest --event-format batch --edges " + cluster.graph("first", EDGES));
            cluster.json("submit --event-format batch --checkpoint-interval 500ms --partitions 4 --algorithm lonely"
                    + " --set at=3");
            cluster.awaitAllEdges();
            cluster.awaitMetrics(metrics);
            cluster.json("stop");
            String job = cluster.json("resume --parallelism 2 --assigners 2")
                    .path("job")
                    .asText();
            cluster.json("ingest --event-format batch --edges " + cluster.graph("second", EDGES));
            cluster.awaitAllEdges();
            int malformed;
            try (LoopPollution pollution = new LoopPollution(cluster.servers(), SEED)) {
                malformed = pollution.pollute();
            }
            cluster.json("ingest --event-format batch --edges " + cluster.graph("third", EDGES));
            cluster.awaitAllEdges();
            cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
            assertThat(cluster.runningJob().path("edgeBalance").doubleValue()).isEqualTo(PARTITIONS);
            cluster.awaitPollution(job, malformed);
            cluster.stop();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            System.clearProperty("cutwater.classpath");
        }
    }

    private static JsonNode read(String json) throws IOException {
        return new ObjectMapper().readTree(json);
    }

    /** Runs a command line as the launcher does, with the jar behind Cutwater on the class path. */
    private static String process(String line) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent"))
                .toList());
        command.add("-Dcutwater.classpath=" + jar);
        command.addAll(List.of("-cp", System.getProperty("java.class.path") + File.pathSeparator + jar));
        command.add(Cutwater.class.getName());
        command.addAll(List.of(line.split(" ", -1)));
        File out = folder.resolve("out.txt").toFile();
        File err = folder.resolve("err.txt").toFile();
        Process process = new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(err)
                .start();
        assertThat(process.waitFor()).as(Files.readString(err.toPath())).isZero();
        return Files.readString(out.toPath());
    }
}
