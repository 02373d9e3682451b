package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.npy.NpyEdgeReaderTest;
import io.cutwater.format.parquet.ParquetFixture;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** However the reads are cut, and wherever the file is closed and opened again, it reads the same. */
class EdgeFileResumeTest {
    private static final String[] NAMES = {
        "e.txt",
        "crlf.txt",
        "e.csv.gz",
        "e.tsv.zst",
        "g.graph",
        "weighted.graph.gz",
        "g.graph.zst",
        "rows.npy",
        "pairs.npy",
        "e.parquet"
    };

    @TempDir
    Path folder;

    static Stream<Arguments> filesAndSeeds() {
        return Stream.of(NAMES).flatMap(name -> Stream.of(1L, 2L, 3L, 4L).map(seed -> Arguments.of(name, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("filesAndSeeds")
    void readingOnFromAnyPositionIsReadingOn(String name, long seed) throws IOException {
        var random = new SplittableRandom(seed);
        Path file = write(folder.resolve(name), random);
        List<String> whole = read(file, new SplittableRandom(0), Integer.MAX_VALUE, 0);
        assertThat(whole.size()).isGreaterThan(500);
        for (int maxEdges : new int[] {1, 7, 100, 5000}) {
            assertThat(read(file, random, maxEdges, 0)).isEqualTo(whole);
            assertThat(read(file, random, maxEdges, maxEdges < 100 ? 0.02 : 0.3))
                    .isEqualTo(whole);
        }
    }

    /** Reads with random limits, and closes and reopens the file with the given probability after each read. */
    private static List<String> read(Path file, SplittableRandom random, int maxEdges, double reopen)
            throws IOException {
        List<String> all = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        EdgeFileReader reader = EdgeFileFixture.open(file);
        boolean goesOn = true;
        while (goesOn) {
            int limit = random.nextInt(1, maxEdges == Integer.MAX_VALUE ? maxEdges : maxEdges + 1);
            goesOn = reader.read(batch, limit);
            assertThat(goesOn).isEqualTo(!batch.isEmpty() || !batch.rejected().isEmpty());
            assertThat(batch.size()).isLessThanOrEqualTo(limit);
            List<String> drained = new ArrayList<>();
            int edges = batch.size();
            EdgeFileFixture.drain(batch, drained);
            all.addAll(drained.subList(0, edges));
            rejected.addAll(drained.subList(edges, drained.size()));
            if (random.nextDouble() < reopen) {
                EdgeFilePosition position = reader.position();
                reader.close();
                reader = EdgeFiles.open(file, EdgeFileFormat.ofName(file), position);
                assertThat(reader.position()).isEqualTo(position);
            }
        }
        reader.close();
        all.addAll(rejected);
        return all;
    }

    private static Path write(Path file, SplittableRandom random) {
        return switch (EdgeFileFormat.ofName(file)) {
            case TEXT -> EdgeFileFixture.write(file, text(file, random));
            case METIS -> EdgeFileFixture.write(file, metis(file.toString().contains("weighted"), random));
            case NPY -> EdgeFileFixture.write(file, npy(file.toString().contains("rows"), random));
            case PARQUET -> parquet(file, random);
            case JSON -> throw new IllegalArgumentException(file.toString());
        };
    }

    private static String text(Path file, SplittableRandom random) {
        String end = file.toString().contains("crlf") ? "\r\n" : "\n";
        String separator = file.toString().contains("csv") ? "," : "\t";
        var text = new StringBuilder("# comment" + end + end + "src" + separator + "dst" + end);
        for (int i = 0; i < 3000; i++) {
            text.append(
                    switch (random.nextInt(12)) {
                        case 0 -> "# comment";
                        case 1 -> "";
                        case 2 -> "malformed " + i;
                        case 3 -> "malformed" + separator + "malformed";
                        case 4 -> random.nextLong() + separator + i + separator + random.nextInt(9) / 4.0;
                        case 5 -> i + separator + i + separator + 1 + separator + random.nextLong();
                        default -> random.nextInt(100) + separator + random.nextLong();
                    });
            text.append(i == 2999 && random.nextBoolean() ? "" : end);
        }
        return text.toString();
    }

    private static String metis(boolean hasWeights, SplittableRandom random) {
        int vertices = 300;
        boolean[][] isEdge = new boolean[vertices][vertices];
        int edges = 0;
        for (int i = 0; i < 1500; i++) {
            int source = random.nextInt(vertices);
            int target = random.nextInt(vertices);
            if (source != target && !isEdge[source][target]) {
                isEdge[source][target] = isEdge[target][source] = true;
                edges++;
            }
        }
        var text = new StringBuilder("%% comment\n" + vertices + " " + edges + (hasWeights ? " 111 2\n" : "\n"));
        for (int vertex = 0; vertex < vertices; vertex++) {
            text.append(random.nextInt(20) == 0 ? "% comment\n" : "").append(hasWeights ? "5 6 7" : "");
            for (int neighbour = 0; neighbour < vertices; neighbour++) {
                if (isEdge[vertex][neighbour]) {
                    text.append(' ').append(neighbour + 1).append(hasWeights ? " " + (vertex + neighbour) : "");
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static byte[] npy(boolean isTwoRows, SplittableRandom random) {
        String shape = isTwoRows ? "2, 9000" : "9000, 2";
        return NpyEdgeReaderTest.npy(
                1,
                NpyEdgeReaderTest.dict("<i8", false, shape),
                8,
                random.longs(18_000).toArray());
    }

    private static Path parquet(Path file, SplittableRandom random) {
        String columns = "optional int64 src; required int64 dst; optional double weight;";
        return ParquetFixture.write(file, columns, 8000, (group, row) -> {
            if (row < 2000 || random.nextInt(10) > 0) {
                group.append("src", random.nextLong());
            }
            group.append("dst", random.nextInt(50) * 7L);
            if (random.nextBoolean()) {
                group.append("weight", random.nextDouble());
            }
        });
    }
}
