package io.cutwater.format.dgl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.npy.NpyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DglNodeDataTest {
    @TempDir
    private Path temp;

    @ParameterizedTest(name = "{0} shards, rows with ids")
    @ValueSource(ints = {1, 5, 300})
    void theArraysHaveARowForEachDenseId(int shards) throws IOException {
        SampleRun run = new SampleRun(shards, shards, 900, 200, false, false);
        SplittableRandom random = new SplittableRandom(shards);
        TreeMap<Long, String> expected = new TreeMap<>();
        List<String> lines = new ArrayList<>(List.of("id,a,b,label,split"));
        for (long vertex : run.replicas.keySet()) {
            if (random.nextInt(10) == 0) {
                expected.put(vertex, "0.0 0.0 -1 0 0 0");
                continue;
            }
            float feature = (float) random.nextDouble(-5, 5);
            int label = random.nextInt(7);
            int split = random.nextInt(4);
            String name = List.of("none", "train", "val", "test").get(split);
            lines.add("%d,%s,3,%d,%s".formatted(vertex, feature, label, name));
            expected.put(
                    vertex,
                    "%s 3.0 %d %d %d %d"
                            .formatted(feature, label, split == 1 ? 1 : 0, split == 2 ? 1 : 0, split == 3 ? 1 : 0));
        }
        write(run, new VertexFiles(Files.write(temp.resolve("data.csv"), lines), null, null));

        JsonNode data = metadata().at("/node_data/_N");
        assertThat(data.fieldNames())
                .toIterable()
                .containsExactly("features", "labels", "train_mask", "val_mask", "test_mask");
        assertThat(data.at("/features/format/name").textValue()).isEqualTo("numpy");
        assertThat(rows(data)).containsExactlyElementsOf(expected.values());
    }

    @Test
    void onlyArraysOfTheInputAreThere() throws IOException {
        SampleRun run = new SampleRun(3, 2, 60, 20, false, false);
        // Rows without ids are vertices 0, 1, 2, …
        Path labels = Files.write(temp.resolve("labels.txt"), List.of("4", "5", "6", "7"));
        write(run, new VertexFiles(null, labels, null));

        JsonNode data = metadata().at("/node_data/_N");
        assertThat(data.fieldNames()).toIterable().containsExactly("labels");
        List<Long> found = new ArrayList<>();
        for (JsonNode file : data.at("/labels/data")) {
            ByteBuffer column = column(file, NpyFile.INT64);
            while (column.hasRemaining()) {
                found.add(column.getLong());
            }
        }
        assertThat(found)
                .containsExactlyElementsOf(run.replicas.keySet().stream()
                        .map(vertex -> vertex >= 0 && vertex < 4 ? vertex + 4 : -1)
                        .toList());
    }

    private void write(SampleRun run, VertexFiles files) throws IOException {
        Path dir = temp.resolve("out");
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            run.stage(folder.staging(), 1);
            folder.setVertexData(files, files.measure(), true);
            folder.complete(run.kind, run.description(), TableFormat.DGL, 0, () -> new byte[0]);
        }
        ShardFolder.open(dir).verify();
    }

    private JsonNode metadata() throws IOException {
        return new ObjectMapper().readTree(temp.resolve("out/dgl/metadata.json").toFile());
    }

    /** Returns the rows of all chunks, whose sizes are those of the metadata. */
    private List<String> rows(JsonNode data) throws IOException {
        JsonNode sizes = metadata().at("/num_nodes_per_chunk/0");
        List<String> rows = new ArrayList<>();
        for (int chunk = 0; chunk < sizes.size(); chunk++) {
            ByteBuffer features = column(data.at("/features/data/" + chunk), NpyFile.FLOAT32);
            ByteBuffer labels = column(data.at("/labels/data/" + chunk), NpyFile.INT64);
            ByteBuffer train = column(data.at("/train_mask/data/" + chunk), NpyFile.BOOL);
            ByteBuffer val = column(data.at("/val_mask/data/" + chunk), NpyFile.BOOL);
            ByteBuffer test = column(data.at("/test_mask/data/" + chunk), NpyFile.BOOL);
            assertThat(labels.remaining()).isEqualTo(sizes.get(chunk).intValue() * Long.BYTES);
            while (labels.hasRemaining()) {
                rows.add("%s %s %d %d %d %d"
                        .formatted(
                                features.getFloat(),
                                features.getFloat(),
                                labels.getLong(),
                                train.get(),
                                val.get(),
                                test.get()));
            }
            assertThat(features.hasRemaining() || train.hasRemaining() || val.hasRemaining() || test.hasRemaining())
                    .isFalse();
        }
        return rows;
    }

    private ByteBuffer column(JsonNode file, String type) throws IOException {
        try (NpyFile array = new NpyFile(temp.resolve("out/dgl").resolve(file.textValue()), type)) {
            int numbers = (int) (array.rows() * array.columns());
            ByteBuffer bytes = ByteBuffer.allocate(numbers * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            array.read(0, numbers, bytes);
            return bytes.rewind().limit(numbers * (type.charAt(2) - '0'));
        }
    }
}
