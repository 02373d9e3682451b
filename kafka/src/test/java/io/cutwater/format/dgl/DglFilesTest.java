package io.cutwater.format.dgl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.format.folder.Manifest;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class DglFilesTest {
    private static final String EDGE_TYPE = "_N:_E:_N";

    @TempDir
    Path temp;

    @ParameterizedTest(name = "k = {0}, {1} edges, weights {2}, timestamps {3}")
    @CsvSource({"1, 100, false, false", "5, 20000, false, false", "7, 5000, true, true", "300, 900, true, false"})
    void theChunksAreTheShardsInDenseIds(int k, int edges, boolean hasWeights, boolean hasTimestamps)
            throws IOException {
        SampleRun run = new SampleRun(k, k, edges, 2_000, hasWeights, hasTimestamps);
        run.write(temp.resolve("out"), TableFormat.DGL);
        Path dgl = temp.resolve("out/dgl");
        JsonNode metadata =
                new ObjectMapper().readTree(dgl.resolve("metadata.json").toFile());

        List<Long> ids = longs(dgl.resolve("node_ids.npy"));
        assertThat(ids).containsExactlyElementsOf(run.replicas.keySet());
        assertThat(metadata.at("/num_nodes_per_type/0").longValue()).isEqualTo(ids.size());
        assertThat(sum(metadata.at("/num_nodes_per_chunk/0"))).isEqualTo(ids.size());
        assertThat(metadata.at("/num_edges_per_type/0").longValue()).isEqualTo(edges);
        JsonNode format = metadata.at("/edges/" + EDGE_TYPE + "/format");
        assertThat(format.toString()).isEqualTo("{\"name\":\"csv\",\"delimiter\":\" \"}");

        JsonNode files = metadata.at("/edges/" + EDGE_TYPE + "/data");
        assertThat(files).hasSize(k);
        for (int shard = 0; shard < k; shard++) {
            List<Edge> expected = run.shards.get(shard);
            assertThat(metadata.at("/num_edges_per_chunk/0/" + shard).intValue())
                    .isEqualTo(expected.size());
            assertThat(pairs(dgl.resolve(files.get(shard).textValue()), ids))
                    .isEqualTo(expected.stream()
                            .map(edge -> List.of(edge.source(), edge.target()))
                            .toList());
        }
        assertThat(metadata.at("/edge_data/" + EDGE_TYPE).has("weight")).isEqualTo(hasWeights);
        assertThat(metadata.at("/edge_data/" + EDGE_TYPE).has("timestamp")).isEqualTo(hasTimestamps);
        if (hasTimestamps) {
            JsonNode timestamps = metadata.at("/edge_data/" + EDGE_TYPE + "/timestamp/data");
            assertThat(longs(dgl.resolve(timestamps.get(k - 1).textValue())))
                    .isEqualTo(
                            run.shards.get(k - 1).stream().map(Edge::timestamp).toList());
        }
        if (hasWeights) {
            Path weights = dgl.resolve(
                    metadata.at("/edge_data/" + EDGE_TYPE + "/weight/data/0").textValue());
            try (NpyFile array = new NpyFile(weights, NpyFile.FLOAT64)) {
                assertThat(array.rows()).isEqualTo(run.shards.get(0).size());
            }
        }
    }

    @ParameterizedTest(name = "k = {0}")
    @CsvSource({"1", "4", "64"})
    void theOwnerIsTheSmallestShardThatHoldsMostEdgesOfTheVertex(int k) throws IOException {
        SampleRun run = new SampleRun(k, k, 4_000, 1_500, false, false);
        run.write(temp.resolve("out"), TableFormat.DGL);

        assertThat(Files.readAllLines(temp.resolve("out/dgl/partitions/_N.txt")))
                .isEqualTo(owners(run));
        assertThat(temp.resolve("out/dgl/partitions/partition_meta.json"))
                .hasContent("{\"algo_name\":\"metis\",\"num_parts\":%d,\"version\":\"1.0.0\"}".formatted(k));
    }

    @ParameterizedTest(name = "k = {0}, {1} edges")
    @CsvSource({"1, 100", "5, 20000", "64, 3000"})
    void aVertexPartitioningHasItsOwnersAndEachEdgeOnceWhereItsSourceIsOwned(int k, int edges) throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, k, k, edges, 2_000, true, true);
        run.write(temp.resolve("out"), TableFormat.DGL);
        Path dgl = temp.resolve("out/dgl");

        List<Long> ids = longs(dgl.resolve("node_ids.npy"));
        assertThat(Files.readAllLines(dgl.resolve("partitions/_N.txt")))
                .isEqualTo(ids.stream().map(id -> run.owners.get(id).toString()).toList());
        JsonNode metadata =
                new ObjectMapper().readTree(dgl.resolve("metadata.json").toFile());
        assertThat(metadata.at("/num_edges_per_type/0").longValue()).isEqualTo(edges);
        for (int shard = 0; shard < k; shard++) {
            int owner = shard;
            List<Edge> expected = run.shards.get(shard).stream()
                    .filter(edge -> run.owners.get(edge.source()) == owner)
                    .toList();
            assertThat(metadata.at("/num_edges_per_chunk/0/" + shard).intValue())
                    .isEqualTo(expected.size());
            assertThat(pairs(dgl.resolve("edges/%05d.txt".formatted(shard)), ids))
                    .isEqualTo(expected.stream()
                            .map(edge -> List.of(edge.source(), edge.target()))
                            .toList());
            assertThat(longs(dgl.resolve("edge_data/timestamp-%05d.npy".formatted(shard))))
                    .isEqualTo(expected.stream().map(Edge::timestamp).toList());
        }
    }

    /** The rule again, slow and obvious: ends of edges by vertex and shard. */
    public static List<String> owners(SampleRun run) {
        Map<Long, int[]> ends = new HashMap<>();
        for (int shard = 0; shard < run.shardCount; shard++) {
            for (Edge edge : run.shards.get(shard)) {
                ends.computeIfAbsent(edge.source(), v -> new int[run.shardCount])[shard]++;
                ends.computeIfAbsent(edge.target(), v -> new int[run.shardCount])[shard]++;
            }
        }
        List<String> owners = new ArrayList<>();
        for (long vertex : run.replicas.keySet()) {
            int owner = 0;
            for (int shard = 1; shard < run.shardCount; shard++) {
                owner = ends.get(vertex)[shard] > ends.get(vertex)[owner] ? shard : owner;
            }
            owners.add(Integer.toString(owner));
        }
        return owners;
    }

    @Test
    void aShardWithoutEdgesIsAFileWithoutBytes() throws IOException {
        SampleRun run = new SampleRun(1, 3, 0, 1, false, false);
        run.add(1, new Edge(5, -5, Double.NaN, Long.MIN_VALUE));
        run.write(temp.resolve("out"), TableFormat.DGL);

        assertThat(temp.resolve("out/dgl/edges/00000.txt")).isEmptyFile();
        assertThat(temp.resolve("out/dgl/edges/00001.txt")).hasContent("1 0");
        assertThat(temp.resolve("out/dgl/partitions/_N.txt")).hasContent("1\n1");
    }

    @Test
    void theSameRunWritesTheSameBytesAndTheManifestSumsThem() throws IOException {
        SampleRun run = new SampleRun(3, 4, 3_000, 500, true, false);
        Manifest first = run.write(temp.resolve("first"), TableFormat.DGL);
        Manifest second = run.write(temp.resolve("second"), TableFormat.DGL);

        assertThat(second).isEqualTo(first);
        assertThat(first.files())
                .containsKeys(
                        "dgl/metadata.json",
                        "dgl/node_ids.npy",
                        "dgl/edges/00003.txt",
                        "dgl/edge_data/weight-00003.npy",
                        "dgl/partitions/_N.txt",
                        "dgl/partitions/partition_meta.json");
        assertThat(first.files().keySet())
                .containsExactlyInAnyOrderElementsOf(SampleRun.files(temp.resolve("second")).keySet().stream()
                        .filter(name -> !name.equals(Manifest.FILE))
                        .toList());
    }

    private static long sum(JsonNode numbers) {
        long sum = 0;
        for (JsonNode number : numbers) {
            sum += number.longValue();
        }
        return sum;
    }

    private static List<List<Long>> pairs(Path file, List<Long> ids) throws IOException {
        List<List<Long>> pairs = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] ends = line.split(" ", 2);
            pairs.add(List.of(ids.get(Integer.parseInt(ends[0])), ids.get(Integer.parseInt(ends[1]))));
        }
        return pairs;
    }

    private static List<Long> longs(Path file) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (NpyFile array = new NpyFile(file, NpyFile.INT64)) {
            ByteBuffer bytes = NpyFile.allocate((int) array.rows());
            array.read(0, (int) array.rows(), bytes);
            while (bytes.hasRemaining()) {
                numbers.add(bytes.getLong());
            }
        }
        return numbers;
    }
}
