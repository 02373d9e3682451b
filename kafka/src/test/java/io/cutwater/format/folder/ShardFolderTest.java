package io.cutwater.format.folder;

import static io.cutwater.state.partition.PartitioningKind.EDGE;
import static io.cutwater.state.partition.PartitioningKind.VERTEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShardFolderTest {
    @TempDir
    Path temp;

    /** Every file is forced to the disk, so the number of shards decides about the time that a case takes. */
    static Stream<Arguments> shapes() {
        Stream<Arguments> ofEachFormat = // The other formats have the tables of one of these.
                Stream.of(TableFormat.CSV, TableFormat.PARQUET, TableFormat.NPY)
                        .flatMap(format -> Stream.of(
                                Arguments.of(EDGE, format, 1, 40_000, true, true),
                                Arguments.of(EDGE, format, 7, 40_000, false, false),
                                Arguments.of(EDGE, format, 3, 20_000, true, false),
                                Arguments.of(EDGE, format, 3, 20_000, false, true),
                                Arguments.of(EDGE, format, 32, 9_000, false, false),
                                Arguments.of(EDGE, format, 5, 2, false, false),
                                Arguments.of(EDGE, format, 3, 0, false, false),
                                Arguments.of(VERTEX, format, 1, 9_000, true, true),
                                Arguments.of(VERTEX, format, 7, 20_000, false, false),
                                Arguments.of(VERTEX, format, 32, 20_000, false, true),
                                Arguments.of(VERTEX, format, 3, 0, false, false)));
        // More than the open files and the buffers that there may be.
        Stream<Arguments> manyShards = Stream.of(
                Arguments.of(EDGE, TableFormat.CSV, 1_100, 9_000, false, false),
                Arguments.of(VERTEX, TableFormat.NPY, 300, 9_000, false, true));
        return Stream.concat(ofEachFormat, manyShards);
    }

    @ParameterizedTest(name = "{0}, {1}, k = {2}, {3} edges, weights {4}, timestamps {5}")
    @MethodSource("shapes")
    void readsBackWhatWasStaged(
            PartitioningKind kind, TableFormat format, int k, int edges, boolean hasWeights, boolean hasTimestamps)
            throws IOException {
        SampleRun run = new SampleRun(kind, k, k, edges, 3_000, hasWeights, hasTimestamps);
        run.write(temp.resolve("out"), format);
        ShardFolder folder = ShardFolder.open(temp.resolve("out"));
        folder.verify();
        assertThat(folder.kind()).isEqualTo(kind);
        assertThat(folder.manifest().counts().edges()).isEqualTo(edges);
        assertThat(SampleRun.read(folder)).isEqualTo(run.shards);

        List<String> book = new ArrayList<>();
        folder.readBook((vertex, partition, replicas, count) ->
                book.add(vertex + " " + partition + " " + Arrays.toString(Arrays.copyOf(replicas, count))));
        assertThat(book)
                .containsExactlyElementsOf(run.replicas.entrySet().stream()
                        .map(e -> e.getKey() + " " + run.home(e.getKey()) + " " + e.getValue())
                        .toList());
        assertThat(shardVertices(folder)).isEqualTo(expectedVertices(run));
    }

    private static List<String> shardVertices(ShardFolder folder) throws IOException {
        List<String> rows = new ArrayList<>();
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            folder.readVertices(
                    shard, (s, vertex, isHome, degree) -> rows.add(s + " " + vertex + " " + isHome + " " + degree));
        }
        return rows;
    }

    private static List<String> expectedVertices(SampleRun run) {
        List<List<String>> rows = new ArrayList<>();
        for (int shard = 0; shard < run.shardCount; shard++) {
            rows.add(new ArrayList<>());
        }
        run.replicas.forEach((vertex, replicas) -> replicas.forEach(shard -> rows.get(shard)
                .add(shard + " " + vertex + " " + (run.home(vertex) == shard) + " " + run.degrees.get(vertex))));
        return rows.stream().flatMap(List::stream).toList();
    }

    @Test
    void theChecksumIsThatOfTheSameRun() throws IOException {
        List<String> sums = new ArrayList<>();
        for (int seed : new int[] {1, 1, 2}) {
            Path dir = temp.resolve("out" + sums.size());
            new SampleRun(seed, 2, 100, 20, true, false).write(dir, TableFormat.CSV);
            sums.add(ShardFolder.open(dir).checksum());
        }
        assertThat(sums.get(0)).matches("[0-9a-f]{16}").isEqualTo(sums.get(1)).isNotEqualTo(sums.get(2));
    }

    @ParameterizedTest
    @EnumSource
    void verifyNamesTheFileInWhichAByteWasChanged(TableFormat format) throws IOException {
        Path dir = temp.resolve("out");
        new SampleRun(1, 2, 100, 20, true, false).write(dir, format);
        ShardFolder folder = ShardFolder.open(dir);
        for (Map.Entry<String, byte[]> file : SampleRun.files(dir).entrySet()) {
            if (file.getKey().equals(Manifest.FILE)) {
                continue;
            }
            byte[] changed = file.getValue().clone();
            changed[changed.length / 2] ^= 4;
            Files.write(dir.resolve(file.getKey()), changed);
            assertThatThrownBy(folder::verify)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            "'%s' in '%s' was changed after it was written".formatted(file.getKey(), dir));
            Files.write(dir.resolve(file.getKey()), file.getValue());
        }
        folder.verify();
    }

    @Test
    void refusesAFolderThatIsNotComplete() throws IOException {
        Path dir = temp.resolve("out");
        assertThatThrownBy(() -> ShardFolder.open(dir))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "'%s' is not a complete output folder: it has no manifest.json; run the partitioning to its end",
                        dir);
        new SampleRun(1, 2, 100, 20, false, false).write(dir, TableFormat.CSV);
        Files.delete(dir.resolve("shards/00001/vertices.csv"));
        assertThatThrownBy(() -> ShardFolder.open(dir))
                .hasMessage(
                        "'%s' lacks 'shards/00001/vertices.csv', which its manifest lists; run the partitioning again",
                        dir);
    }

    @Test
    void refusesAManifestThatItCannotRead() throws IOException {
        new SampleRun(1, 2, 100, 20, false, false).write(temp.resolve("out"), TableFormat.CSV);
        Path file = temp.resolve("out/manifest.json");
        String manifest = Files.readString(file);
        Files.writeString(file, manifest.replace("\"cutwater\" : 1", "\"cutwater\" : 2"));
        assertThatThrownBy(() -> ShardFolder.open(temp.resolve("out"))).hasMessageContaining("is of layout 2");
        Files.writeString(file, manifest.replace("\"format\" : \"csv\"", "\"format\" : \"xls\""));
        assertThatThrownBy(() -> ShardFolder.open(temp.resolve("out"))).hasMessageContaining("is damaged");
        Files.writeString(file, manifest.replace("\"kind\" : \"edge\"", "\"kind\" : \"node\""));
        assertThatThrownBy(() -> ShardFolder.open(temp.resolve("out")))
                .hasMessageContaining("is damaged")
                .hasMessageContaining("kind must be edge or vertex: node");
        Files.writeString(file, manifest.replace("\"counts\"", "\"accounts\""));
        assertThatThrownBy(() -> ShardFolder.open(temp.resolve("out"))).hasMessageContaining("is damaged");
        Files.writeString(file, manifest.substring(0, manifest.length() / 2));
        assertThatThrownBy(() -> ShardFolder.open(temp.resolve("out"))).hasMessageContaining("is not JSON");
        Files.writeString(file, manifest.replace("\"files\"", "\"later\" : 1, \"files\""));
        assertThat(ShardFolder.open(temp.resolve("out")).shardCount()).isEqualTo(2);
    }

    @Test
    void aLineThatIsNotARowIsAnErrorWithItsNumber() throws IOException {
        Path dir = temp.resolve("out");
        new SampleRun(1, 1, 10, 20, false, false).write(dir, TableFormat.CSV);
        ShardFolder folder = ShardFolder.open(dir);
        Path edges = dir.resolve("shards/00000/edges.csv");
        for (String[] wrong : new String[][] {
            {"src,dst\n1,2\n1,x\n", "line 3: 'x' is no 64-bit integer"},
            {"src,dst\n1\n", "line 2: the line has too few fields"},
            {"src,dst\n1,2,3\n", "line 2: the line has too many fields"},
            {"src,dst\n1,2", "line 2: the line has no end"},
            {"source,target\n1,2\n", "begins with 'source,target', but must begin with 'src,dst'"},
            {"", "begins with '', but must begin with 'src,dst'"}
        }) {
            Files.writeString(edges, wrong[0]);
            assertThatThrownBy(() -> folder.readEdges((shard, batch) -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("edges.csv")
                    .hasMessageContaining(wrong[1]);
        }
    }

    @Test
    void anArrayThatIsCutOffOrOfAnotherTypeIsAnError() throws IOException {
        Path dir = temp.resolve("out");
        new SampleRun(1, 1, 10, 20, true, false).write(dir, TableFormat.NPY);
        ShardFolder folder = ShardFolder.open(dir);
        Path edges = dir.resolve("shards/00000/edges.npy");
        byte[] whole = Files.readAllBytes(edges);
        Files.write(edges, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> folder.readEdges((shard, batch) -> {}))
                .hasMessageContaining("edges.npy has 287 bytes, but its header says 288");
        Files.copy(dir.resolve("shards/00000/weights.npy"), edges, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> folder.readEdges((shard, batch) -> {}))
                .hasMessageContaining("edges.npy must be an array of '<i8'");
    }

    @Test
    void parquetFilesCarryTheRunInTheirMetadata() throws IOException {
        Path dir = temp.resolve("out");
        Manifest manifest = new SampleRun(1, 1, 10, 20, true, true).write(dir, TableFormat.PARQUET);
        Path file = dir.resolve("shards/00000/edges.parquet");
        ParquetReadOptions withoutHadoop =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), withoutHadoop)) {
            assertThat(reader.getFileMetaData().getKeyValueMetaData()).containsEntry("cutwater.run", manifest.runId());
            assertThat(reader.getFileMetaData().getSchema().getColumns().stream()
                            .map(column -> column.getPath()[0])
                            .toList())
                    .isEqualTo(manifest.edgeColumns());
        }
    }
}
