package io.cutwater.deploy.cli.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features, labels and split from the command line into the shards and back. */
class VertexDataIT {
    @TempDir
    private Path folder;

    private String data = "";

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("edges.txt"), "0 1\n1 2\n2 0\n3 4\n4 9\n");
        Files.writeString(folder.resolve("f.svm"), "2 1:1.5 3:1\n1 2:2\n0 1:3\n1 1:4\n1 1:5\n0 3:6\n");
        Files.writeString(folder.resolve("split.txt"), "train\nval\ntest\nnone\ntrain\ntrain\n");
        data = "--features " + folder.resolve("f.svm") + " --split " + folder.resolve("split.txt");
    }

    private CommandRun run(String line) {
        return CommandRun.of(
                Cutwater::run, line.replace("DIR", folder.toString()).split(" ", -1));
    }

    @Test
    void theShardsKnowTheirVerticesAndEvaluateComparesThemWithTheFiles() throws IOException {
        String partition = "partition --edges DIR/edges.txt --algorithm hash --partitions 2 --out DIR/out " + data;
        CommandRun refused = run(partition);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("1 of 6 vertices have no row of features", "--allow-missing-features");
        assertThat(folder.resolve("out")).doesNotExist();
        CommandRun run = run(partition + " --allow-missing-features");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report =
                new ObjectMapper().readTree(folder.resolve("out/report.json").toFile());
        assertThat(report.path("featureShare").doubleValue()).isEqualTo(5 / 6.0);
        assertThat(report.path("labelShare").doubleValue()).isEqualTo(5 / 6.0);
        assertThat(report.path("verticesWithFeatures").longValue()).isEqualTo(5);
        String train = "train --shards DIR/out --epochs 1 --device cpu";
        assertThat(run(train).err()).contains("the shards have 1 vertex without a row of features");
        CommandRun ingest = run("ingest --edges DIR/edges.txt --bootstrap-servers localhost:1 " + data);
        assertThat(ingest.exitCode()).isEqualTo(1);
        assertThat(ingest.err()).contains("1 of 5 edges has a vertex without a row of features, vertex 9 for one");
        assertThat(run.err())
                .contains(
                        "left out 1 of 6 rows of vertex data, whose vertices have no edge; vertices without a row: 1",
                        "the shards are in DIR/out; next: ./cutwater train --out model --shards DIR/out"
                                .replace("DIR", folder.toString()));
        JsonNode summary = new ObjectMapper()
                .readTree(folder.resolve("out/vertex-data.json").toFile());
        assertThat(summary.toString())
                .isEqualTo("{\"rows\":6,\"features\":3,\"labels\":true,\"split\":true,\"rowsWithoutEdge\":1,"
                        + "\"verticesWithoutRow\":1}");
        for (String name : new String[] {"features.npy", "labels.npy", "split.npy"}) {
            assertThat(folder.resolve("out/shards/00001").resolve(name)).exists();
        }
        String evaluate = "evaluate --edges DIR/edges.txt --assignment DIR/out ";
        assertThat(run(evaluate + data).exitCode()).isZero();
        Files.writeString(folder.resolve("split.txt"), "train\nval\ntest\nnone\nval\ntrain\n");
        CommandRun changed = run(evaluate + data);
        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.sentence()).contains("the shards know something else of vertex 4 than the files");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "vertex"})
    void whatIsTrainedOnIsSpreadAndCounted(String kind) throws IOException {
        List<String> edges = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (int v = 0; v < 400; v++) {
            // A ring with chords; all training vertices are beside each other.
            edges.add(v + " " + (v + 1) % 400);
            edges.add(v + " " + (v + 3) % 400);
            words.add(v < 100 ? "train" : "test");
        }
        Files.write(folder.resolve("edges.txt"), edges);
        Files.write(folder.resolve("split.txt"), words);
        String line = "partition --kind %s --algorithm cutwater --partitions 4 --edges DIR/edges.txt --json --overwrite"
                        .formatted(kind)
                + " --imbalance 0.2 --split DIR/split.txt --out DIR/out";

        JsonNode counted = report(line);
        JsonNode spread = report(line + " --training-imbalance 0.1");

        assertThat(counted.path("trainingBalance").doubleValue()).isGreaterThan(2);
        assertThat(spread.path("trainingBalance").doubleValue()).isLessThanOrEqualTo(1.12);
        long sum = 0;
        for (JsonNode partition : spread.path("perPartition")) {
            sum += partition.path("trainingVertices").longValue();
        }
        assertThat(sum).isEqualTo(100);
    }

    private JsonNode report(String line) throws IOException {
        CommandRun run = run(line);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void aWrongLineIsNamedBeforeAnythingIsDone() throws IOException {
        Files.writeString(folder.resolve("split.txt"), "train\nvalid\n");
        CommandRun run = run("partition --edges DIR/edges.txt --algorithm hash --partitions 2 --out DIR/out " + data);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("split.txt: line 2 has 'valid' where one of train, val, test and none");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() throws IOException {
        CommandRun text = run("partition --ids text --edges DIR/edges.txt --partitions 2 --out DIR/out " + data);
        assertThat(text.exitCode()).isEqualTo(2);
        assertThat(text.err()).contains("need integer ids, or --topic with --ids text; leave --ids text out");
        CommandRun train = run("partition --edges DIR/edges.txt --partitions 2 --out DIR/out --training-imbalance 0.1");
        assertThat(train.exitCode()).isEqualTo(2);
        assertThat(train.sentence()).contains("give --split FILE or --vertices-topic NAME");
        CommandRun topic =
                run("partition --edges DIR/edges.txt --partitions 2 --out DIR/out --vertices-topic vertices");
        assertThat(topic.exitCode()).isEqualTo(2);
        assertThat(topic.sentence()).contains("--vertices-topic needs --topic; with --edges give --features");
        CommandRun both = run("partition --topic edges --bootstrap-servers localhost:1 --partitions 2 --out DIR/out"
                + " --vertices-topic vertices " + data);
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.sentence()).contains("leave out --features, --labels and --split");
        CommandRun file = run("evaluate --assignment DIR/edges.txt " + data);
        assertThat(file.exitCode()).isEqualTo(2);
        assertThat(file.err()).contains("are compared with an output folder, and");
    }
}
