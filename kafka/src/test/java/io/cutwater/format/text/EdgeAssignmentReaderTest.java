package io.cutwater.format.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.EdgeFileFixture;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeAssignmentReaderTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"a.txt", "a.txt.gz", "a.csv.zst"})
    void readsEdgesWithTheirPartitionsInBatches(String name) throws IOException {
        Path file = EdgeFileFixture.write(
                folder.resolve(name), "src,dst,partition\r\n# by another tool\r\n1 2 0\r\n-3,4,4095\r\n\r\n5\t6\t7");
        EdgeBatch edges = new EdgeBatch();
        int[] partitions = new int[2];
        try (EdgeAssignmentReader reader = EdgeAssignmentReader.open(file)) {
            assertThat(reader.read(edges, partitions)).isEqualTo(2);
            assertThat(edges.size()).isEqualTo(2);
            assertThat(edges.source(1)).isEqualTo(-3);
            assertThat(edges.target(1)).isEqualTo(4);
            assertThat(partitions).containsExactly(0, 4095);
            assertThat(reader.read(edges, partitions)).isEqualTo(1);
            assertThat(edges.source(0)).isEqualTo(5);
            assertThat(partitions[0]).isEqualTo(7);
            assertThat(reader.read(edges, partitions)).isZero();
            assertThat(edges.isEmpty()).isTrue();
            assertThat(reader.linesRead()).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2|it ends too early",
                "1 x 3|'x' is none",
                "1 2 3 4|'4' is too much",
                "1 2 4096|the partition is 4096",
                "1 2 -1|the partition is -1",
                "a b c|'a' is none",
            })
    void anythingElseIsASentence(String line, String fault) throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("a.txt"), "0 0 0\n" + line + "\n");
        try (EdgeAssignmentReader reader = EdgeAssignmentReader.open(file)) {
            assertThatThrownBy(() -> reader.read(new EdgeBatch(), new int[10]))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + ": line 2 must be the integers source, target and partition, from 0 to 4095: "
                            + fault + ".");
        }
    }
}
