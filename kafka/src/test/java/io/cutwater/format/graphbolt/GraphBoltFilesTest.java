package io.cutwater.format.graphbolt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

final class GraphBoltFilesTest {
    private static final List<String> SETS = List.of("train_set", "validation_set", "test_set");

    @TempDir
    private Path temp;

    private record Row(float feature, int label, VertexSplit split) {}

    @ParameterizedTest(name = "{0}, k = {1}, {2} edges, attributes: {3}")
    @CsvSource({"EDGE, 1, 100, false", "EDGE, 5, 9000, true", "VERTEX, 4, 9000, true", "VERTEX, 64, 400, false"})
    void theDatasetsHaveTheGraphAndEachShard(PartitioningKind kind, int k, int edges, boolean hasAttributes)
            throws IOException {
        SampleRun run = new SampleRun(kind, k, k, edges, 2_000, hasAttributes, hasAttributes);
        Map<Long, Row> rows = write(run);

        Map<?, ?> whole = metadata("graphbolt");
        List<Long> ids = longs("graphbolt/node_ids.npy");
        assertThat(ids).containsExactlyElementsOf(run.replicas.keySet());
        assertThat(at(whole, "graph", "nodes", 0, "num")).isEqualTo(ids.size());
        assertThat(edges("graphbolt/" + at(whole, "graph", "edges", 0, "path"), ids))
                .containsExactlyElementsOf(firstCopies(run).stream()
                        .map(edge -> List.of(edge.source(), edge.target()))
                        .toList());
        if (kind == PartitioningKind.VERTEX) {
            assertThat(longs("graphbolt/owners.npy"))
                    .isEqualTo(ids.stream().map(id -> (long) run.owners.get(id)).toList());
        }
        assertThat(Files.exists(temp.resolve("out/graphbolt/weights.npy"))).isEqualTo(hasAttributes);
        if (hasAttributes) {
            assertThat(longs("graphbolt/timestamps.npy"))
                    .isEqualTo(firstCopies(run).stream().map(Edge::timestamp).toList());
        }
        checkData("graphbolt/", whole, ids, ids, rows);

        for (int shard = 0; shard < k; shard++) {
            String folder = "shards/%05d/".formatted(shard);
            if (run.shards.get(shard).isEmpty()) {
                assertThat(temp.resolve("out").resolve(folder + "metadata.yaml"))
                        .doesNotExist();
                continue;
            }
            Map<?, ?> metadata = metadata(folder);
            List<Long> local = new ArrayList<>();
            List<Long> own = new ArrayList<>();
            List<Long> table = longs(folder + "vertices.npy");
            for (int i = 0; i < table.size(); i += 3) {
                local.add(table.get(i));
                if (table.get(i + 1) == 0) {
                    own.add(table.get(i));
                }
            }
            assertThat(at(metadata, "graph", "nodes", 0, "num")).isEqualTo(local.size());
            assertThat(edges(folder + at(metadata, "graph", "edges", 0, "path"), local))
                    .containsExactlyElementsOf(run.shards.get(shard).stream()
                            .map(edge -> List.of(edge.source(), edge.target()))
                            .toList());
            checkData(folder, metadata, local, own, rows);
        }
    }

    /** @param own the vertices that may be in sets */
    private void checkData(String folder, Map<?, ?> metadata, List<Long> ids, List<Long> own, Map<Long, Row> rows)
            throws IOException {
        List<Float> features = new ArrayList<>();
        ByteBuffer bytes = column(folder + "features.npy", NpyFile.FLOAT32);
        while (bytes.hasRemaining()) {
            features.add(bytes.getFloat());
        }
        assertThat(features)
                .isEqualTo(ids.stream()
                        .map(id -> rows.containsKey(id) ? rows.get(id).feature() : 0f)
                        .toList());
        for (Object feature : (List<?>) at(metadata, "feature_data")) {
            String path = (String) at(feature, "path");
            assertThat(path).doesNotContain("pt");
            String type = path.startsWith("features") ? NpyFile.FLOAT32 : NpyFile.INT64;
            try (NpyFile array = new NpyFile(
                    temp.resolve("out").resolve(folder).resolve(path),
                    path.startsWith("weights") ? NpyFile.FLOAT64 : type)) {
                long expected = at(feature, "domain").equals("node")
                        ? ids.size()
                        : longs(folder + at(metadata, "graph", "edges", 0, "path"))
                                        .size()
                                / 2;
                assertThat(array.rows()).as(path).isEqualTo(expected);
            }
        }
        Map<?, ?> task = (Map<?, ?>) at(metadata, "tasks", 0);
        assertThat(task.get("num_classes")).isEqualTo(7);
        for (int set = 0; set < SETS.size(); set++) {
            VertexSplit split = VertexSplit.of(set + 1);
            List<Long> expected = own.stream()
                    .filter(id -> rows.containsKey(id)
                            && rows.get(id).split() == split
                            && rows.get(id).label() >= 0)
                    .toList();
            assertThat(task.containsKey(SETS.get(set))).isEqualTo(!expected.isEmpty());
            if (!expected.isEmpty()) {
                Object data = at(task, SETS.get(set), 0, "data");
                assertThat(longs(folder + at(data, 0, "path")).stream()
                                .map(node -> ids.get(Math.toIntExact(node)))
                                .toList())
                        .isEqualTo(expected);
                assertThat(longs(folder + at(data, 1, "path")))
                        .isEqualTo(expected.stream()
                                .map(id -> (long) rows.get(id).label())
                                .toList());
            }
        }
    }

    @Test
    void withoutVertexDataThereIsNoTaskAndTheManifestSumsAllFiles() throws IOException {
        SampleRun run = new SampleRun(3, 4, 300, 50, false, false);
        Map<String, String> sums =
                run.write(temp.resolve("out"), TableFormat.GRAPHBOLT).files();

        assertThat(metadata("graphbolt").containsKey("tasks")).isFalse();
        assertThat(metadata("shards/00000").containsKey("tasks")).isFalse();
        assertThat(sums).containsKeys("graphbolt/metadata.yaml", "graphbolt/edges.npy", "shards/00003/local-edges.npy");
        assertThat(run.write(temp.resolve("again"), TableFormat.GRAPHBOLT).files())
                .isEqualTo(sums);
    }

    private Map<Long, Row> write(SampleRun run) throws IOException {
        SplittableRandom random = new SplittableRandom(run.shardCount);
        Map<Long, Row> rows = new HashMap<>();
        List<String> lines = new ArrayList<>(List.of("id,a,label,split"));
        int next = 0;
        for (long vertex : run.replicas.keySet()) {
            if (random.nextInt(10) > 0) {
                int label = next++ == 0 ? 6 : random.nextInt(7);
                Row row = new Row((float) random.nextDouble(-5, 5), label, VertexSplit.of(random.nextInt(4)));
                rows.put(vertex, row);
                lines.add("%d,%s,%d,%s"
                        .formatted(vertex, row.feature(), label, row.split().label()));
            }
        }
        VertexFiles files = new VertexFiles(Files.write(temp.resolve("data.csv"), lines), null, null);
        Path dir = temp.resolve("out");
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            run.stage(folder.staging(), 1);
            folder.setVertexData(files, files.measure(), true);
            folder.complete(run.kind, run.description(), TableFormat.GRAPHBOLT, 0, () -> new byte[0]);
        }
        ShardFolder.open(dir).verify();
        return rows;
    }

    /** The edges of the input, each once, shard by shard. */
    private static List<Edge> firstCopies(SampleRun run) {
        List<Edge> edges = new ArrayList<>();
        for (int shard = 0; shard < run.shardCount; shard++) {
            for (Edge edge : run.shards.get(shard)) {
                if (run.kind == PartitioningKind.EDGE || run.owners.get(edge.source()) == shard) {
                    edges.add(edge);
                }
            }
        }
        return edges;
    }

    private Map<?, ?> metadata(String folder) throws IOException {
        String text = Files.readString(temp.resolve("out").resolve(folder).resolve("metadata.yaml"));
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    private static Object at(Object node, Object... path) {
        Object value = node;
        for (Object step : path) {
            value = step instanceof Integer i ? ((List<?>) value).get(i) : ((Map<?, ?>) value).get(step);
        }
        return value;
    }

    private List<List<Long>> edges(String file, List<Long> ids) throws IOException {
        List<Long> ends = longs(file);
        int count = ends.size() / 2;
        List<List<Long>> edges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            edges.add(List.of(ids.get(Math.toIntExact(ends.get(i))), ids.get(Math.toIntExact(ends.get(count + i)))));
        }
        return edges;
    }

    private List<Long> longs(String file) throws IOException {
        List<Long> numbers = new ArrayList<>();
        ByteBuffer bytes = column(file, NpyFile.INT64);
        while (bytes.hasRemaining()) {
            numbers.add(bytes.getLong());
        }
        return numbers;
    }

    private ByteBuffer column(String file, String type) throws IOException {
        try (NpyFile array = new NpyFile(temp.resolve("out").resolve(file), type)) {
            int numbers = Math.toIntExact(array.rows() * array.columns());
            ByteBuffer bytes = ByteBuffer.allocate(numbers * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            array.read(0, numbers, bytes);
            return bytes;
        }
    }
}
