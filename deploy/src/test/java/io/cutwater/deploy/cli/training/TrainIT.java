package io.cutwater.deploy.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.testkit.CommandRun;
import io.cutwater.trainer.torch.Torch;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From edges to shards, to a model, to predictions. */
class TrainIT {
    private static final int VERTICES = ClassedGraph.VERTICES;

    @TempDir
    private Path folder;

    private int[] classes = {};

    @BeforeEach
    void writeGraph() throws IOException {
        classes = new ClassedGraph(folder).classes;
    }

    private void write(String name, CharSequence text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private CommandRun run(String... words) {
        return CommandRun.of(Cutwater::run, words);
    }

    private List<String> train(String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--features", path("features.svm")));
        words.addAll(List.of("--labels", path("labels.txt"), "--split", path("split.txt"), "--json"));
        words.addAll(List.of("--learning-rate", "0.05", "--dropout", "0.1", "--batch-size", "64"));
        words.addAll(List.of("--hidden", "8", "--scratch", folder.toString(), "--progress", "lines"));
        words.addAll(Arrays.asList(more));
        return words;
    }

    private JsonNode json(List<String> words) throws IOException {
        CommandRun run = CommandRun.of(Cutwater::run, words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void shardsBecomeAModelAndPredictions() throws IOException {
        CommandRun partitioned = run(
                "partition",
                "--edges",
                path("edges.txt"),
                "--algorithm",
                "hdrf",
                "--partitions",
                "3",
                "--out",
                path("shards"));
        assertThat(partitioned.exitCode()).as(partitioned.err()).isZero();

        JsonNode report = json(train(
                "--shards",
                path("shards"),
                "--epochs",
                "20",
                "--average-every",
                "2",
                "--out",
                path("model"),
                "--plot",
                path("curves.png")));
        BufferedImage curves = ImageIO.read(folder.resolve("curves.png").toFile());
        assertThat(curves.getWidth()).isEqualTo(2000);
        assertThat(Arrays.stream(curves.getRGB(0, 0, 2000, curves.getHeight(), null, 0, 2000))
                        .distinct()
                        .count())
                .as("colours of axes and lines")
                .isGreaterThan(10);
        for (int curve : new int[] {0xFF00735C, 0xFF0072B2, 0xFFB33C00}) {
            for (int left : new int[] {0, 1000}) {
                assertThat(Arrays.stream(curves.getRGB(left, 0, 1000, curves.getHeight(), null, 0, 1000)))
                        .as("the curve of %x in the panel at %d", curve, left)
                        .contains(curve);
            }
        }
        assertThat(report.path("model").textValue()).isEqualTo("graphsage");
        assertThat(report.path("epochs").intValue()).isEqualTo(20);
        assertThat(report.path("rounds").intValue()).isEqualTo(10);
        for (String key : new String[] {"trainAccuracy", "validationAccuracy", "testAccuracy"}) {
            assertThat(report.path(key).doubleValue()).as(key).isBetween(0.8, 1.0);
        }
        assertThat(report.path("secondsPerEpoch").doubleValue()).isPositive();
        // 10 rounds of 3 models there and back: 2 x 4 x 8 + 8 + 2 x 8 x 3 + 3 numbers of 4 bytes, two of the optimiser
        // with each
        assertThat(report.path("bytesAveraged").longValue()).isEqualTo(10 * 3 * 2 * 3 * 4 * (64 + 8 + 48 + 3));

        predictionsAgree(report.path("testAccuracy").doubleValue());
        goesOnFromTheCheckpoint();
    }

    private void predictionsAgree(double testAccuracy) throws IOException {
        String[] words = {
            "predict",
            "--trained",
            path("model"),
            "--shards",
            path("shards"),
            "--features",
            path("features.svm"),
            "--scratch",
            folder.toString(),
            "--out",
            path("predicted")
        };
        CommandRun csv = run(words);
        assertThat(csv.exitCode()).as(csv.err()).isZero();
        List<String> lines = Files.readAllLines(folder.resolve("predicted/predictions.csv"));
        assertThat(lines.get(0)).isEqualTo("vertex,class,e0,e1,e2,e3,e4,e5,e6,e7");
        assertThat(lines).hasSize(VERTICES + 1);
        int right = 0;
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            String[] fields = lines.get(vertex + 1).split(",");
            assertThat(fields[0]).isEqualTo(String.valueOf(vertex));
            right += vertex % 4 > 1 && Integer.parseInt(fields[1]) == classes[vertex] ? 1 : 0;
        }
        assertThat((double) right / (VERTICES / 2)).isEqualTo(testAccuracy);

        String[] asArrays = Arrays.copyOf(words, words.length + 2);
        asArrays[words.length] = "--format";
        asArrays[words.length + 1] = "npy";
        assertThat(run(asArrays).exitCode()).isZero();
        ByteBuffer array = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("predicted/classes.npy")))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(array.capacity()).isEqualTo(128 + 8 * VERTICES);
        assertThat(array.getLong(128 + 8 * 17))
                .isEqualTo(Long.parseLong(lines.get(18).split(",")[1]));
        array = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("predicted/embeddings.npy")))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(array.getFloat(128 + 4 * (8 * 17 + 2)))
                .isEqualTo(Float.parseFloat(lines.get(18).split(",")[4]));
    }

    private void goesOnFromTheCheckpoint() throws IOException {
        JsonNode longer = json(train(
                "--shards",
                path("shards"),
                "--epochs",
                "24",
                "--average-every",
                "2",
                "--out",
                path("model"),
                "--resume"));
        assertThat(longer.path("rounds").intValue()).isEqualTo(12);

        CommandRun other = CommandRun.of(
                Cutwater::run,
                train("--shards", path("shards"), "--seed", "2", "--out", path("model"), "--resume")
                        .toArray(String[]::new));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.sentence()).startsWith("cutwater: the checkpoint belongs to another training");
    }

    @Test
    void aGpuThatIsNotThereIsWrongUsage() {
        assumeThat(Torch.load().getGpuCount()).isZero();
        List<String> rest = List.of(
                "--edges",
                path("edges.txt"),
                "--features",
                path("features.svm"),
                "--out",
                path("none"),
                "--device",
                "gpu");
        for (List<String> words : List.of(
                List.of("train", "--centralised", "--labels", path("labels.txt"), "--split", path("split.txt")),
                List.of("predict", "--centralised", "--trained", folder.toString()),
                List.of("partition", "--algorithm", "ldg", "--partitions", "auto"))) {
            CommandRun wrong = run(Stream.concat(words.stream(), rest.stream()).toArray(String[]::new));
            assertThat(wrong.exitCode()).as(wrong.err()).isEqualTo(2);
            assertThat(wrong.sentence()).startsWith("cutwater: --device gpu: ").contains("; use cpu, or ");
        }
    }

    @Test
    void whatThePartitioningPutIntoTheShardsIsEnough() throws Exception {
        List<String> words = new ArrayList<>(List.of("partition", "--edges", path("edges.txt"), "--algorithm", "ldg"));
        // 600 vertices with 4 features and 3000 edges take 51,000 bytes, and a third of 60,000 is for them
        words.addAll(List.of("--partitions", "auto", "--devices", "2", "--device-memory", "60000"));
        words.addAll(List.of("--out", path("full"), "--features", path("features.svm")));
        words.addAll(List.of("--labels", path("labels.txt"), "--split", path("split.txt")));
        CommandRun partitioned = run(words.toArray(String[]::new));
        assertThat(partitioned.exitCode()).as(partitioned.err()).isZero();
        assertThat(partitioned.err()).contains("--partitions auto is 3: 51,000 bytes of data on 2 devices");

        List<String> options = List.of(
                "train",
                "--shards",
                path("full"),
                "--epochs",
                "10",
                "--hidden",
                "8",
                "--learning-rate",
                "0.05",
                "--scratch",
                folder.toString(),
                "--json");
        JsonNode report = json(with(options, "--out", path("fullModel")));
        assertThat(report.path("testAccuracy").doubleValue()).isGreaterThan(0.8);

        CommandRun predicted = run(
                "predict", "--trained", path("fullModel"), "--shards", path("full"), "--out", path("fullPredicted"));
        assertThat(predicted.exitCode()).as(predicted.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("fullPredicted/predictions.csv")))
                .as("the two without an edge are in no shard")
                .hasSize(1 + VERTICES - 2);
        severalProcessesGetTheSame(options, report.path("testAccuracy").doubleValue());
    }

    /** They are threads here, with nothing in common but the broker's topics. */
    private void severalProcessesGetTheSame(List<String> options, double accuracy) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            String[] meeting = {"--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", "g-", "--role"};
            List<CompletableFuture<CommandRun>> workers = new ArrayList<>();
            for (int worker = 0; worker < 2; worker++) {
                List<String> words = with(with(options, meeting), "worker");
                workers.add(CompletableFuture.supplyAsync(() -> run(words.toArray(String[]::new))));
            }
            aTakenPortIsNamed(options, meeting);
            CompletableFuture<CommandRun> stranger = strangersEnd(options, meeting);
            JsonNode report = json(with(with(options, meeting), "coordinator", "--workers", "3"));
            CommandRun ended = stranger.get(1, TimeUnit.MINUTES);
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .contains("shards with checksum ")
                    .contains("; give all processes the same shards and options");
            assertThat(report.path("testAccuracy").doubleValue()).isEqualTo(accuracy);
            assertThat(report.path("bytesAveraged").longValue()).isPositive();
            for (CompletableFuture<CommandRun> worker : workers) {
                assertThat(worker.get(1, TimeUnit.MINUTES).exitCode()).isZero();
            }
            aSamplerMakesTheSame(options, broker.bootstrapServers());
        }
    }

    private void aTakenPortIsNamed(List<String> options, String[] meeting) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            for (String role : List.of("worker", "coordinator")) {
                List<String> words =
                        with(with(options, meeting), role, "--transport", "mesh", "--mesh-address", address);
                CommandRun refused = run(words.toArray(String[]::new));
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.err())
                        .contains("cannot listen on --mesh-address " + address)
                        .contains("; give another port, or 0 for any free one");
            }
        }
    }

    /** Starts a worker with as many shards of another run. */
    private CompletableFuture<CommandRun> strangersEnd(List<String> options, String[] meeting) {
        CommandRun partitioned = run(
                "partition",
                "--edges",
                path("edges.txt"),
                "--partitions",
                "3",
                "--algorithm",
                "fennel",
                "--features",
                path("features.svm"),
                "--labels",
                path("labels.txt"),
                "--split",
                path("split.txt"),
                "--out",
                path("other"));
        assertThat(partitioned.exitCode()).as(partitioned.err()).isZero();
        List<String> words = with(with(options, meeting), "worker");
        words.set(words.indexOf("--shards") + 1, path("other"));
        return CompletableFuture.supplyAsync(() -> run(words.toArray(String[]::new)));
    }

    private void aSamplerMakesTheSame(List<String> options, String servers) throws Exception {
        List<String> sync = with(options, "--mode", "sync", "--batch-size", "200");
        sync.set(sync.indexOf("--epochs") + 1, "2");
        json(with(sync, "--out", path("alone")));
        String[] meeting = {"--bootstrap-servers", servers, "--topic-prefix", "s-", "--transport", "mesh", "--role"};
        List<CompletableFuture<CommandRun>> others = new ArrayList<>();
        for (List<String> role : List.of(List.of("sampler"), List.of("worker", "--sampler-processes", "1"))) {
            List<String> words = with(with(sync, meeting), role.toArray(String[]::new));
            others.add(CompletableFuture.supplyAsync(() -> run(words.toArray(String[]::new))));
        }
        json(with(
                with(sync, meeting),
                "coordinator",
                "--workers",
                "1",
                "--sampler-processes",
                "1",
                "--out",
                path("sampled")));
        assertThat(losses("sampled")).hasSize(2).isEqualTo(losses("alone"));
        for (CompletableFuture<CommandRun> other : others) {
            assertThat(other.get(1, TimeUnit.MINUTES).exitCode()).isZero();
        }
    }

    private List<String> losses(String training) throws IOException {
        return Files.readAllLines(folder.resolve(training).resolve("rounds.csv")).stream()
                .skip(1)
                .map(line -> String.join(",", Arrays.copyOf(line.split(",", -1), 7)))
                .toList();
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(Arrays.asList(more));
        return all;
    }

    @Test
    void aWholeGraphIsTrainedByTheSameCode() throws IOException {
        JsonNode report = json(train(
                "--centralised", "--edges", path("edges.txt"), "--model", "gcn", "--fanouts", "all", "--epochs", "20"));
        assertThat(report.path("testAccuracy").doubleValue()).isGreaterThan(0.85);
    }

    @Test
    void filesThatDoNotFitAreToldApart() throws IOException {
        write("split.txt", "none\n".repeat(VERTICES));
        CommandRun untrained = CommandRun.of(
                Cutwater::run,
                train("--centralised", "--edges", path("edges.txt")).toArray(String[]::new));
        assertThat(untrained.exitCode()).isEqualTo(1);
        assertThat(untrained.sentence()).contains("no vertex has both a class and split train");
        assertThat(folder).isDirectoryNotContaining("glob:**cutwater-train-*");
    }
}
