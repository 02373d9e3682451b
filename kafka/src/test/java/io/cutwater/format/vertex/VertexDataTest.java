package io.cutwater.format.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.audit.VertexDataCheck;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VertexDataTest {
    private static final String UNKNOWN = "0.0 0.0 -1 0";

    @TempDir
    Path temp;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(temp.resolve(name), content);
    }

    private ShardFolder write(SampleRun run, VertexFiles files, TableFormat format) throws IOException {
        Path dir = temp.resolve("out");
        try (OutputFolder folder = OutputFolder.open(dir, true)) {
            run.stage(folder.staging(), 1);
            folder.setVertexData(files, files.measure(), true);
            folder.complete(run.kind, run.description(), format, 0, () -> new byte[0]);
            assertThat(folder.vertexData())
                    .contains(ShardFolder.open(dir).vertexData().orElseThrow());
        }
        ShardFolder written = ShardFolder.open(dir);
        written.verify();
        return written;
    }

    /** Returns the data of the vertices of each shard, in the order of its vertices. */
    private List<List<String>> read(ShardFolder folder, int features) throws IOException {
        List<List<String>> shards = new ArrayList<>();
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            Path path = temp.resolve("out/shards/%05d".formatted(shard));
            int vertices = (int) folder.manifest().counts().shards().get(shard).vertices();
            ByteBuffer floats = column(path.resolve("features.npy"), NpyFile.FLOAT32, vertices, features);
            ByteBuffer labels = column(path.resolve("labels.npy"), NpyFile.INT64, vertices, 1);
            ByteBuffer split = column(path.resolve("split.npy"), NpyFile.INT8, vertices, 1);
            List<String> rows = new ArrayList<>();
            folder.readVertices(shard, (number, vertex, isHome, degree) -> {
                StringBuilder row = new StringBuilder(vertex + ":");
                for (int i = 0; i < features; i++) {
                    row.append(' ').append(floats.getFloat());
                }
                rows.add(row.append(' ')
                        .append(labels.getLong())
                        .append(' ')
                        .append(split.get())
                        .toString());
            });
            shards.add(rows);
        }
        return shards;
    }

    private static ByteBuffer column(Path file, String type, int rows, int columns) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(rows * columns * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (NpyFile array = new NpyFile(file, type)) {
            assertThat(array.rows()).isEqualTo(rows);
            assertThat(array.columns()).isEqualTo(columns);
            array.read(0, rows * columns, bytes);
        }
        return bytes;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3})
    void everyShardKnowsItsVerticesInTheirOrderWhoseverIdsTheyAre(long seed) throws IOException {
        PartitioningKind kind = PartitioningKind.values()[(int) seed % 2];
        int k = seed == 2 ? 70 : 1 + (int) seed * 3;
        SampleRun run = new SampleRun(kind, seed, k, 2_000, 400, false, false);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, String> known = new HashMap<>();
        List<String> rows = new ArrayList<>();
        for (long vertex : run.replicas.keySet()) {
            if (random.nextInt(10) > 0) {
                rows.add(row(vertex, random, known));
            }
        }
        for (long vertex = 10_000; vertex < 10_050; vertex++) {
            rows.add(row(vertex, random, known));
        }
        Collections.shuffle(rows, new Random(seed));
        VertexFiles files =
                new VertexFiles(file("f.csv", "a,id,b,label,split\n" + String.join("\n", rows) + "\n"), null, null);
        ShardFolder folder = write(run, files, SampleRun.format(seed));
        assertThat(folder.vertexData())
                .contains(
                        new VertexDataSummary(rows.size(), 2, true, true, 50, run.replicas.size() + 50 - rows.size()));
        assertThat(read(folder, 2)).isEqualTo(expected(run, known));
        assertThat(VertexDataCheck.firstDifference(folder, files)).isEmpty();
        assertThat(VertexDataCheck.firstDifference(folder, null)).isEmpty();
    }

    private static String row(long vertex, SplittableRandom random, Map<Long, String> known) {
        float a = (float) random.nextDouble(-5, 5);
        float b = random.nextInt(100);
        int label = random.nextInt(-1, 5);
        int split = random.nextInt(4);
        known.put(vertex, "%s %s %d %d".formatted(a, b, label, split));
        return "%s,%d,%s,%d,%s"
                .formatted(
                        a,
                        vertex,
                        b,
                        label,
                        List.of("none", "train", "val", "test").get(split));
    }

    private static List<List<String>> expected(SampleRun run, Map<Long, String> known) {
        List<List<String>> shards = new ArrayList<>();
        for (int shard = 0; shard < run.shardCount; shard++) {
            int number = shard;
            shards.add(run.replicas.entrySet().stream()
                    .filter(entry -> entry.getValue().contains(number))
                    .map(entry -> entry.getKey() + ": " + known.getOrDefault(entry.getKey(), UNKNOWN))
                    .toList());
        }
        return shards;
    }

    /** Vertices 0, 1 and 3 on two shards, and vertex -7, which no line can be about. */
    private static SampleRun small() {
        SampleRun run = new SampleRun(0, 2, 0, 1, false, false);
        run.add(0, edge(0, 1));
        run.add(1, edge(1, 3));
        run.add(1, edge(-7, 3));
        return run;
    }

    private static Edge edge(long source, long target) {
        return new Edge(source, target, Double.NaN, Long.MIN_VALUE);
    }

    private VertexFiles lines() throws IOException {
        return new VertexFiles(
                file("f.svm", "0 1:1\n0 2:2\n0 1:3\n"),
                file("l.txt", "5\n-1\n7\n"),
                file("s.txt", "train\ntest\nval\n"));
    }

    @Test
    void linesAreAboutTheVerticesOfTheirNumbers() throws IOException {
        ShardFolder folder = write(small(), lines(), TableFormat.CSV);
        assertThat(read(folder, 2))
                .containsExactly(
                        List.of("0: 1.0 0.0 5 1", "1: 0.0 2.0 -1 3"),
                        List.of("-7: " + UNKNOWN, "1: 0.0 2.0 -1 3", "3: " + UNKNOWN));
        assertThat(folder.vertexData()).contains(new VertexDataSummary(3, 2, true, true, 1, 2));
        assertThat(folder.manifest().files())
                .containsKeys("vertex-data.json", "shards/00001/features.npy", "shards/00001/split.npy");
    }

    @Test
    void onlyWhatIsGivenIsWritten() throws IOException {
        VertexFiles files = new VertexFiles(null, null, file("s.txt", "train\n"));
        ShardFolder folder = write(small(), files, TableFormat.CSV);
        assertThat(folder.manifest().files().keySet())
                .contains("shards/00000/split.npy")
                .noneMatch(name -> name.endsWith("features.npy") || name.endsWith("labels.npy"));
        assertThat(VertexDataCheck.firstDifference(folder, files)).isEmpty();
        assertThat(VertexDataCheck.firstDifference(folder, lines()))
                .hasValue("the shards have 0 features, no labels and a split, and the files have 2 features, labels and"
                        + " a split");
    }

    @Test
    void aVertexWithTwoRowsIsRefused() throws IOException {
        refusesTwoRows("id,x\n3,1\n1,1\n3,2\n", 3);
        refusesTwoRows("id,x\n90,1\n1,1\n90,2\n", 90);
    }

    private void refusesTwoRows(String csv, long vertex) throws IOException {
        VertexFiles files = new VertexFiles(file("f.csv", csv), null, null);
        assertThatThrownBy(() -> write(small(), files, TableFormat.CSV))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("vertex %d has two rows of vertex data, 0 and 2 (from 0)".formatted(vertex));
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void findsWhereShardsOrFilesDisagree() throws IOException {
        ShardFolder folder = write(small(), lines(), TableFormat.CSV);
        damages(
                folder,
                "shards/00001/labels.npy",
                1,
                null,
                "shard 1 knows something else of vertex 1 than a shard before");
        damages(
                folder,
                "shards/00001/features.npy",
                1,
                null,
                "shard 1 knows something else of vertex 1 than a shard before");
        damages(
                folder,
                "shards/00000/split.npy",
                0,
                lines(),
                "the shards know something else of vertex 0 than the files");
        damages(
                folder,
                "shards/00001/split.npy",
                0,
                lines(),
                "the shards know something of vertex -7, and the files do");
        assertThat(VertexDataCheck.firstDifference(
                        folder,
                        new VertexFiles(
                                file("f.svm", "5 1:1\n-1 2:2\n7 1:3\n7 1:9\n"),
                                null,
                                file("s.txt", "train\ntest\nval\nval\n"))))
                .hasValue("the shards know something else of vertex 3 than the files");
        Path summary = temp.resolve("out/vertex-data.json");
        Files.writeString(summary, Files.readString(summary).replace("\"rowsWithoutEdge\":1", "\"rowsWithoutEdge\":2"));
        assertThat(VertexDataCheck.firstDifference(folder, lines()))
                .hasValue("vertex-data.json counts 2 rows without an edge and 2 vertices without a row, and there are 1"
                        + " and 2");
        Files.copy(
                temp.resolve("out/shards/00000/split.npy"),
                temp.resolve("out/shards/00001/split.npy"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> VertexDataCheck.firstDifference(folder, null))
                .hasMessageContaining("split.npy is of shape (2, 1), and its shard has 3 vertices with 1 each");
    }

    /** Changes the first byte of row {@code row} of an array for as long as the check takes. */
    private void damages(ShardFolder folder, String name, int row, @Nullable VertexFiles input, String sentence)
            throws IOException {
        Path path = temp.resolve("out").resolve(name);
        byte[] before = Files.readAllBytes(path);
        byte[] changed = before.clone();
        int rowBytes = name.endsWith("split.npy") ? 1 : 8;
        changed[128 + row * rowBytes] ^= 1;
        Files.write(path, changed);
        assertThat(VertexDataCheck.firstDifference(folder, input).orElse("")).contains(sentence);
        Files.write(path, before);
    }

    @Test
    void aFolderWithoutVertexDataHasNoneToCompare() throws IOException {
        SampleRun run = small();
        run.write(temp.resolve("out"), TableFormat.CSV);
        ShardFolder folder = ShardFolder.open(temp.resolve("out"));
        assertThat(VertexDataCheck.firstDifference(folder, null)).isEmpty();
        assertThat(VertexDataCheck.firstDifference(folder, lines()))
                .hasValue("the folder has no features, labels or split to compare with the files");
    }
}
