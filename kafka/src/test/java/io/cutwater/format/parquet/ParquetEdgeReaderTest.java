package io.cutwater.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.EdgeFileFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetEdgeReaderTest {
    private static final String IDS = "required int64 src; required int64 dst;";

    @TempDir
    Path folder;

    /** 2000 rows in three row groups that pyarrow 25 wrote, with data pages of version 2 for snappy and zstd. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "gzip", "zstd", "lz4"})
    void everyCodecOfAnotherWriterIsRead(String codec) throws IOException {
        List<String> edges = EdgeFileFixture.readAll(resource("pyarrow-" + codec + ".parquet"));
        assertThat(edges).hasSize(2000);
        for (int row = 0; row < 2000; row++) {
            String weight = row % 3 == 1 ? "" : ",w" + row / 4.0;
            String timestamp = row % 5 == 2 ? "" : ",t" + row;
            assertThat(edges.get(row)).isEqualTo(row * 1_000_000_007L + "," + (row % 13 - 6) + weight + timestamp);
        }
    }

    @Test
    void aCodecThatIsNotReadIsASentence() {
        Path file = resource("pyarrow-brotli.parquet");
        assertThatThrownBy(() -> EdgeFileFixture.readAll(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " cannot be read: its pages are compressed with BROTLI;"
                        + " write them with zstd, snappy, gzip or lz4_raw.");
    }

    @Test
    void manyRowGroupsAreRead() throws IOException {
        int rows = 50_000;
        Path file = ParquetFixture.write(
                folder.resolve("e.parquet"),
                IDS,
                rows,
                (group, row) -> group.append("src", row * 1_000_003L).append("dst", -row % 77L));
        try (var reader = ParquetFileReader.open(new LocalInputFile(file), ParquetEdgeReader.options())) {
            assertThat(reader.getRowGroups()).hasSizeGreaterThan(3);
        }
        List<String> edges = EdgeFileFixture.readAll(file);
        assertThat(edges).hasSize(rows);
        for (int row = 0; row < rows; row++) {
            assertThat(edges.get(row)).isEqualTo(row * 1_000_003L + "," + -row % 77L);
        }
    }

    @Test
    void weightsAndTimestampsAreReadWhereThereAre() throws IOException {
        String columns = "optional binary note (STRING); optional int64 dst; optional int64 timestamp; "
                + "optional double weight; optional int64 src;";
        Path file = ParquetFixture.write(folder.resolve("e.parquet"), columns, 4, (group, row) -> {
            group.append("src", 1L).append("dst", row + 2L).append("note", "n");
            if (row != 1) {
                group.append("weight", row / 2.0);
            }
            if (row != 2) {
                group.append("timestamp", row + 100L);
            }
        });
        assertThat(EdgeFileFixture.readAll(file))
                .containsExactly("1,2,w0.0,t100", "1,3,t101", "1,4,w1.0", "1,5,w1.5,t103");
    }

    @Test
    void narrowColumnsAreWidened() throws IOException {
        String columns = "required int32 src; required int32 dst; required float weight; required int32 timestamp;";
        Path file = ParquetFixture.write(
                folder.resolve("e.parquet"),
                columns,
                1,
                (group, row) -> group.append("src", -1)
                        .append("dst", Integer.MAX_VALUE)
                        .append("weight", 0.5f)
                        .append("timestamp", 9));
        assertThat(EdgeFileFixture.readAll(file)).containsExactly("-1,2147483647,w0.5,t9");
    }

    @Test
    void aRowWithoutAnEndIsRejected() throws IOException {
        String columns = "optional int64 src; optional int64 dst;";
        Path file = ParquetFixture.write(folder.resolve("e.parquet"), columns, 5, (group, row) -> {
            if (row != 1 && row != 3) {
                group.append("src", (long) row);
            }
            if (row != 3) {
                group.append("dst", 9L);
            }
        });
        assertThat(EdgeFileFixture.readAll(file))
                .containsExactly(
                        "0,9",
                        "2,9",
                        "4,9",
                        "2: the row has no src or no dst [null,9]",
                        "4: the row has no src or no dst [null,null]");
    }

    @Test
    void aFileWithoutRowsHasNoEdges() throws IOException {
        assertThat(EdgeFileFixture.readAll(
                        ParquetFixture.write(folder.resolve("e.parquet"), IDS, 0, (group, row) -> {})))
                .isEmpty();
    }

    @Test
    void aMissingColumnIsASentence() {
        Path file = ParquetFixture.write(
                folder.resolve("e.parquet"), "optional int64 src; optional int64 target;", 1, (g, r) -> {});
        assertThatThrownBy(() -> EdgeFileFixture.open(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " has no column 'dst'. Edges need the columns src and dst; it has: src, target.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "optional double src; optional int64 dst;",
                "optional int64 dst; repeated int64 src;",
                "optional int64 dst; optional int64 src (INTEGER(64,false));",
                "optional int64 dst; optional binary src (STRING);",
                "optional int64 dst; optional group src { optional int64 id; }",
            })
    void aColumnOfAnotherTypeIsASentence(String columns) {
        Path file = ParquetFixture.write(folder.resolve("e.parquet"), columns, 1, (group, row) -> {});
        assertThatThrownBy(() -> EdgeFileFixture.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": the column 'src' must be a signed int64 or int32, not: ");
    }

    @Test
    void aFileThatIsNoParquetOrCutShortIsASentence() throws IOException {
        Path file = ParquetFixture.write(
                folder.resolve("e.parquet"),
                IDS,
                100,
                (group, row) -> group.append("src", 1L).append("dst", 2L));
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 3, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> EdgeFileFixture.open(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + " is not a valid Parquet file (")
                    .hasMessageEndingWith("Write it or get it again.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "gzip", "zstd", "lz4"})
    void damagedPagesAreASentence(String codec) throws IOException {
        byte[] bytes = Files.readAllBytes(resource("pyarrow-" + codec + ".parquet"));
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 500, (byte) 0x55);
        Path file = Files.write(folder.resolve("e.parquet"), bytes);
        assertThatThrownBy(() -> EdgeFileFixture.readAll(file))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("(?s).*e.parquet could be read up to row \\d+ only: it is damaged \\(.*\\)\\. .*");
    }

    private static Path resource(String name) {
        return Path.of("src/test/resources/edge-files", name);
    }
}
