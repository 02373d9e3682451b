package io.cutwater.format.metis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFixture;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetisEdgeReaderTest {
    @TempDir
    Path folder;

    private List<String> read(String content) throws IOException {
        return EdgeFileFixture.readAll(EdgeFileFixture.write(folder.resolve("g.graph"), content));
    }

    @Test
    void eachEdgeComesOnceWithIdsFromZero() throws IOException {
        // The example of the METIS manual.
        String graph = "7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n";
        assertThat(read(graph))
                .containsExactly("0,4", "0,2", "0,1", "1,2", "1,3", "2,4", "2,3", "3,5", "3,6", "4,5", "5,6");
    }

    @ParameterizedTest
    @CsvSource({
        "3 2 0;2;1 3;2, '0,1;1,2'",
        "3 2 1;2 5;1 5 3 7;2 7, '0,1,w5.0;1,2,w7.0'",
        "3 2 001;2 5;1 5 3 7;2 7, '0,1,w5.0;1,2,w7.0'",
        "3 2 10;9 2;9 1 3;9 2, '0,1;1,2'",
        "3 2 11 2;9 9 2 5;9 9 1 5 3 7;9 9 2 7, '0,1,w5.0;1,2,w7.0'",
        "3 2 100;9 2;9 1 3;9 2, '0,1;1,2'",
        "3 2 111 3;8 9 9 9 2 5;8 9 9 9 1 5 3 7;8 9 9 9 2 7, '0,1,w5.0;1,2,w7.0'",
    })
    void sizesAndVertexWeightsArePassedOverAndEdgeWeightsKept(String graph, String edges) throws IOException {
        assertThat(read(graph.replace(';', '\n') + "\n")).containsExactly(edges.split(";"));
    }

    @Test
    void commentsCarriageReturnsAndVerticesWithoutEdgesAreLegal() throws IOException {
        assertThat(read("% made by hand\r\n%\r\n4 1\r\n\r\n% the second\r\n 4 \r\n\r\n2\r\n%end\r\n\r\n"))
                .containsExactly("1,3");
        assertThat(read("2 1\n2\n1")).containsExactly("0,1");
        assertThat(read("0 0\n")).isEmpty();
        assertThat(read("2 0\n\n\n")).isEmpty();
    }

    @Test
    void aLineMayBeLongerThanAnyBuffer() throws IOException {
        int leaves = 100_000;
        var graph = new StringBuilder()
                .append(leaves + 1)
                .append(' ')
                .append(leaves)
                .append('\n');
        for (int leaf = 2; leaf <= leaves + 1; leaf++) {
            graph.append(leaf).append(' ');
        }
        graph.append("\n1".repeat(leaves)).append('\n');
        List<String> edges = read(graph.toString());
        assertThat(edges).hasSize(leaves).endsWith("0," + leaves);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|has no METIS header. Its first line must be: vertices edges [fmt [ncon]].",
                "% c;|has no METIS header. Its first line must be: vertices edges [fmt [ncon]].",
                "7;|the line of the header ends where the number of edges should be.",
                "2 x;2;1;|in the line of the header, at byte 2, the number of edges is not an unsigned 64-bit integer.",
                "2 1 2;2;1;|fmt in the METIS header must be up to three digits 0 or 1: 2.",
                "2 1 211;2;1;|fmt in the METIS header must be up to three digits 0 or 1: 211.",
                "2 1 11 1 5;2;1;|the METIS header must be: vertices edges [fmt [ncon]], with ncon a small number.",
                "3 1;2;1;|ends after the lines of 2 vertices, but its header says 3. Correct the header or get the file again.",
                "2 1;2;1;2;|goes on, at byte 8, after the lines of all 2 vertices of its header. Correct the header.",
                "2 1;3;1;|in the line of vertex 1, before byte 5, the neighbour 3 is outside 1 to 2.",
                "2 1;2;0;|in the line of vertex 2, before byte 7, the neighbour 0 is outside 1 to 2.",
                "2 1;1;2;|in the line of vertex 1, before byte 5, the neighbour 1 is a self-loop.",
                "2 2;2;1;|has 1 edges, but its header says 2. Each edge stands in the lines of both its ends and counts once.",
                "2 1;2 a;1;|in the line of vertex 1, at byte 6, a neighbour is not an unsigned 64-bit integer.",
                "2 1;-2;1;|in the line of vertex 1, at byte 4, a neighbour is not an unsigned 64-bit integer.",
                "2 1;2;99999999999999999999|in the line of vertex 2, at byte 24, a neighbour is not an unsigned 64-bit integer.",
                "2 1 1;2;1;|the line of vertex 1 ends where an edge's weight should be.",
                "2 1 10;1 2;;|the line of vertex 2 ends where a size or weight of the vertex should be.",
            })
    void aFaultIsASentenceWithItsPlace(String graph, String sentence) {
        Path file = folder.resolve("g.graph");
        assertThatThrownBy(() -> read(graph.replace(';', '\n')))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageEndingWith(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"g.graph.gz", "g.graph.zst"})
    void compressedFilesAreReadAlike(String name) throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve(name), "2 1\n2\n1\n");
        assertThat(EdgeFileFixture.readAll(file)).containsExactly("0,1");
    }

    @Test
    void theEdgesBeforeAFaultAreRead() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("g.graph"), "3 2\n2 3\n1\n9\n");
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            assertThatThrownBy(() -> reader.read(batch, 10)).isInstanceOf(IOException.class);
        }
        assertThat(batch.size()).isEqualTo(2);
    }
}
