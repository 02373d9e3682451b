package io.cutwater.format.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VertexDataTableTest {
    @TempDir
    private Path folder;

    @Test
    void ofEachVertexTheLastCountsAndAnEmptyOneMakesNoFile() throws IOException {
        try (VertexDataTable table = new VertexDataTable(folder)) {
            table.put(new VertexRecord(7, new float[] {1, 2, 3}, 4, VertexSplit.TRAIN));
            table.put(new VertexRecord(-3, new float[] {0.5f}, VertexRecord.NO_LABEL, VertexSplit.NONE));
            table.put(new VertexRecord(7, new float[] {1, 0.25f}, 5, VertexSplit.NONE));
            table.put(new VertexRecord(8, new float[] {9}, 1, VertexSplit.NONE));
            table.remove(8);
            assertThat(table.write(folder.resolve("t.csv"))).isEqualTo(2);
            assertThat(table.narrowRows()).isEqualTo(1);
            assertThat(table.narrowVertex()).isEqualTo(-3);
            assertThat(table.widestVertex()).isEqualTo(7);
        }
        assertThat(folder.resolve("t.csv")).hasContent("id,label,f0,f1\n-3,-1,0.5,0\n7,5,1,0.25");
        assertThat(folder).isDirectoryContaining(path -> path.endsWith("t.csv"));
        try (VertexDataTable table = new VertexDataTable(folder)) {
            table.remove(1);
            assertThat(table.write(folder.resolve("none.csv"))).isZero();
        }
        assertThat(folder.toFile().list()).containsExactly("t.csv");
    }

    /** To the bit, whatever floats they are. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theFileReadsAsTheRecordsWere(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, VertexRecord> last = new TreeMap<>();
        Path file = folder.resolve("t.csv");
        try (VertexDataTable table = new VertexDataTable(folder)) {
            for (int i = 0; i < 2_000; i++) {
                long vertex = random.nextInt(500) - 250L;
                if (random.nextInt(5) == 0) {
                    last.remove(vertex);
                    table.remove(vertex);
                } else {
                    float[] features = features(random);
                    VertexRecord record = new VertexRecord(
                            vertex, features, random.nextInt(10) - 1, VertexSplit.of(random.nextInt(4)));
                    last.put(vertex, record);
                    table.put(record);
                }
            }
            assertThat(table.write(file)).isEqualTo(last.size());
        }
        VertexFiles files = new VertexFiles(file, null, null);
        VertexShape shape = files.measure();
        assertThat(shape).isEqualTo(new VertexShape(last.size(), 3, true, true, true));
        List<VertexRecord> read = new ArrayList<>();
        try (VertexFileReader reader = files.open(shape)) {
            while (reader.next()) {
                read.add(new VertexRecord(
                        reader.vertex(), Arrays.copyOf(reader.features(), 3), reader.label(), reader.split()));
            }
        }
        assertThat(read).isEqualTo(List.copyOf(last.values()));
    }

    private static float[] features(SplittableRandom random) {
        float[] features = new float[3];
        for (int i = 0; i < features.length; i++) {
            float any = Float.intBitsToFloat(random.nextInt());
            features[i] = switch (random.nextInt(3)) {
                case 0 -> random.nextInt(-3, 3);
                case 1 -> (float) random.nextDouble();
                default -> Float.isFinite(any) ? any : 0;
            };
        }
        return features;
    }
}
