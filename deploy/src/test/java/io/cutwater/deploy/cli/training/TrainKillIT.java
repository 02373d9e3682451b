package io.cutwater.deploy.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training of several processes that are killed is round by round the same as one that is left alone. */
@Timeout(300)
class TrainKillIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = 7;
    private static final int VERTICES = 1500;
    private static final int CLASSES = 4;
    private static final int EPOCHS = 24;
    private static final int MESH_EPOCHS = 10;
    private static final int FULL_GRAPH_EPOCHS = 24;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();
    private int epochs = EPOCHS;
    private String averageEvery = "4batches";
    private int rounds = EPOCHS;
    private List<String> ofMode = List.of("--batch-size", "96");
    private List<String> ofVertices = List.of();
    private boolean comparesRows = true;
    private List<String> ofRoles = List.of("--worker-timeout", "2s");

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void theLossCurveIsThatOfATrainingThatIsLeftAlone() throws Exception {
        partitionGraph();
        EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
        try {
            String servers = broker.bootstrapServers();
            Process victim = start("victim", servers, "worker");
            Process heir = start("heir", servers, "worker");
            CommandRun alone =
                    CommandRun.of(Cutwater::run, train("--out", path("alone")).toArray(String[]::new));
            assertThat(alone.exitCode()).as(alone.err()).isZero();
            Process coordinator = start("first", servers, "coordinator", "--workers", "2");

            awaitRounds(2, coordinator); // and the next one has begun
            victim.destroyForcibly().waitFor();
            awaitRounds(4, coordinator);
            coordinator.destroy(); // as Ctrl-C
            coordinator.waitFor();
            assertThat(said("first"))
                    .endsWith(
                            "%ncutwater: interrupted; %s has the checkpoint of the last test, if there was one; the same command with --resume continues from it%n"
                                    .formatted(path("together")));
            assertThat(rows("together")).hasSizeLessThan(EPOCHS);

            coordinator = start("second", servers, "coordinator", "--workers", "1", "--resume");
            awaitRounds(rows("together").size() + 2, coordinator);
            broker.close();
            assertThat(rows("together"))
                    .as("rounds before the broker went away")
                    .hasSizeLessThan(EPOCHS);
            broker = EmbeddedBroker.start(folder.resolve("broker"), Integer.parseInt(servers.replaceAll(".*:", "")));

            ends(coordinator, "second");
            ends(heir, "heir");
        } finally {
            broker.close();
        }
        assertThat(said("first")).contains(" timed out; its shards go to other workers");
        assertThat(rows("together")).hasSize(EPOCHS).isEqualTo(rows("alone"));
    }

    @Test
    @Tag("campaign")
    void theFullGraphOfAKilledWorkersShardsIsTheSame() throws Exception {
        trainOnTheFullGraph();
        disturb("worker", "KILL");
    }

    /** The stopped worker keeps its connections and says nothing. */
    @Test
    @Tag("campaign")
    void theFullGraphOfAStoppedWorkersShardsIsTheSame() throws Exception {
        trainOnTheFullGraph();
        disturb("worker", "STOP");
    }

    @Test
    @Tag("campaign")
    void gradientsOfAKilledWorkersShardsAreTheSame() throws Exception {
        averageGradients();
        disturb("worker", "KILL");
    }

    @Test
    @Tag("campaign")
    void gradientsOfAStoppedWorkersShardsAreTheSame() throws Exception {
        averageGradients();
        disturb("worker", "STOP");
    }

    @Test
    @Tag("campaign")
    void sharedMiniBatchesOfAKilledWorkersShardsAreTheSame() throws Exception {
        shareMiniBatches();
        disturb("worker", "KILL");
    }

    @Test
    @Tag("campaign")
    void embeddingsOfAStoppedWorkersShardsAreTheSame() throws Exception {
        shareMiniBatches();
        ofVertices = List.of("--embeddings", "8");
        disturb("worker", "STOP");
    }

    @Test
    @Tag("campaign")
    void miniBatchesOfAKilledSamplerAreTheSame() throws Exception {
        shareMiniBatches();
        disturb("sampler", "KILL");
    }

    /** The stopped sampler keeps its connections and says nothing. */
    @Test
    @Tag("campaign")
    void miniBatchesOfAStoppedSamplerAreTheSame() throws Exception {
        shareMiniBatches();
        disturb("sampler", "STOP");
    }

    private static void send(String signal, Process victim) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(victim.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void shareMiniBatches() {
        epochs = MESH_EPOCHS;
        rounds = MESH_EPOCHS;
        averageEvery = "gradients";
        comparesRows = false; // the cache of rows begins again
        ofMode = List.of("--mode", "sync", "--batch-size", "240", "--fanouts", "5,5");
    }

    private void averageGradients() {
        epochs = MESH_EPOCHS;
        rounds = MESH_EPOCHS;
        averageEvery = "gradients";
    }

    private void trainOnTheFullGraph() {
        epochs = FULL_GRAPH_EPOCHS;
        rounds = FULL_GRAPH_EPOCHS / 2;
        averageEvery = "2";
        ofMode = List.of(
                "--mode", "full-graph", "--staleness", "epoch:1", "--staleness-warm-up", "4", "--compress", "int8");
    }

    /** One of two processes of a role gets a signal in the middle of a round, and the other one takes its shards. */
    private void disturb(String role, String signal) throws Exception {
        ofRoles = List.of("--worker-timeout", "3s", "--transport", "mesh");
        partitionGraph();
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            String servers = broker.bootstrapServers();
            Process victim = start("victim", servers, role);
            List<String> left = new ArrayList<>(List.of("heir", "first"));
            List<Process> ends = new ArrayList<>(List.of(start("heir", servers, role)));
            if (role.equals("worker")) {
                ends.add(start("first", servers, "coordinator", "--workers", "2"));
            } else {
                String[] samplers = {"--sampler-processes", "2"};
                ends.add(start("first", servers, "coordinator", "--workers", "1", samplers[0], samplers[1]));
                ends.add(start("worker", servers, "worker", samplers));
                left.add("worker");
            }
            awaitRounds(2, ends.get(1)); // and the next one has begun
            send(signal, victim);
            CommandRun alone =
                    CommandRun.of(Cutwater::run, train("--out", path("alone")).toArray(String[]::new));
            assertThat(alone.exitCode()).as(alone.err()).isZero();
            for (int i = 0; i < left.size(); i++) {
                ends(ends.get(i), left.get(i));
            }
        }
        assertThat(said("first"))
                .contains(" timed out; its shards go to other %ss".formatted(role))
                .containsPattern("round \\d+, attempt 1: shard \\d: (worker|sampler) .*; the round begins again");
        assertThat(rows("together")).hasSize(rounds).isEqualTo(rows("alone"));
    }

    private void partitionGraph() throws IOException {
        writeGraph();
        CommandRun partitioned = CommandRun.of(
                Cutwater::run,
                "partition",
                "--edges",
                path("edges.txt"),
                "--algorithm",
                "dbh",
                "--partitions",
                "3",
                "--out",
                path("shards"));
        assertThat(partitioned.exitCode()).as(partitioned.err()).isZero();
    }

    /** Classes keep to themselves, and a feature in three is another one's. */
    private void writeGraph() throws IOException {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        int[] classes = new int[VERTICES];
        List<String> features = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        List<String> split = new ArrayList<>();
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            classes[vertex] = random.nextInt(CLASSES);
            int shown = random.nextInt(3) == 0 ? random.nextInt(CLASSES) : classes[vertex];
            features.add("%d %d:1 %d:0.5".formatted(classes[vertex], shown + 1, CLASSES + 1 + random.nextInt(9)));
            labels.add(Integer.toString(classes[vertex]));
            split.add(List.of("train", "val", "test").get(vertex % 3));
        }
        List<String> edges = new ArrayList<>();
        while (edges.size() < 8 * VERTICES) {
            int source = random.nextInt(VERTICES);
            int target = random.nextInt(VERTICES);
            if (classes[source] == classes[target] || random.nextInt(5) == 0) {
                edges.add(source + " " + target);
            }
        }
        Files.write(folder.resolve("features.svm"), features);
        Files.write(folder.resolve("labels.txt"), labels);
        Files.write(folder.resolve("split.txt"), split);
        Files.write(folder.resolve("edges.txt"), edges);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> train(String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--shards", path("shards")));
        words.addAll(ofVertices.isEmpty() ? List.of("--features", path("features.svm")) : ofVertices);
        words.addAll(List.of("--labels", path("labels.txt"), "--split", path("split.txt")));
        words.addAll(List.of("--epochs", Integer.toString(epochs), "--average-every", averageEvery));
        words.addAll(List.of("--hidden", "32", "--scratch", path("."), "--progress", "lines"));
        words.addAll(ofMode);
        words.addAll(Arrays.asList(more));
        return words;
    }

    /** As the launcher starts it. */
    private Process start(String name, String servers, String role, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.add("-DDJL_CACHE_DIR=" + System.getProperty("DJL_CACHE_DIR"));
        command.add(Cutwater.class.getName());
        command.addAll(train("--role", role, "--bootstrap-servers", servers, "--topic-prefix", "killed-"));
        command.addAll(ofRoles);
        command.addAll(Arrays.asList(more));
        if (role.equals("coordinator")) {
            command.addAll(List.of("--out", path("together")));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private void awaitRounds(int count, Process coordinator) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !coordinator.isAlive() || rows("together").size() >= count);
        assertThat(coordinator.isAlive()).as("the coordinator is at work").isTrue();
    }

    private void ends(Process process, String name) throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(said(name))
                .isTrue();
        assertThat(process.exitValue()).as(said(name)).isZero();
    }

    private String said(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    /**
     * Round, epoch, loss and accuracies, how many shards were missing, and rows sent: all but seconds and other bytes.
     */
    private List<String> rows(String training) throws IOException {
        Path file = folder.resolve(training).resolve("rounds.csv");
        List<String> rows = new ArrayList<>();
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        int columns = lines.isEmpty() ? 0 : lines.get(0).split(",", -1).length;
        for (String line : lines) {
            String[] fields = line.split(",", -1);
            if (fields.length == columns && !fields[0].equals("round")) { // the last line may be half-written
                rows.add("%s, missing %s, rows %s"
                        .formatted(
                                String.join(" ", Arrays.copyOf(fields, 7)),
                                fields[9],
                                comparesRows ? String.join(" ", Arrays.copyOfRange(fields, 13, 17)) : "-"));
            }
        }
        return rows;
    }
}
