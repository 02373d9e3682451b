package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.text.VertexNames;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines whose ids are text. */
class NamedEdgeFileTest {
    @TempDir
    private Path temp;

    private final VertexNames names = new VertexNames();

    private EdgeBatch read(String text) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        Path file = Files.writeString(temp.resolve("named.txt"), text);
        try (EdgeFileReader reader = EdgeFiles.openNamed(file, names)) {
            while (reader.read(batch, 2)) {}
        }
        return batch;
    }

    private List<String> known() {
        List<String> known = new ArrayList<>();
        names.forEach((id, text, from, to) -> known.add(new String(text, from, to - from, StandardCharsets.UTF_8)));
        return known;
    }

    @Test
    void anyTextWithoutBlankOrCommaIsAnId() throws IOException {
        EdgeBatch batch = read("# people\nАнна\tbob@x\nbob@x , -17 , 0.5 , 99\n-17,Анна,,5\n+1 \"q\" 2\r\n");

        assertThat(known()).containsExactly("Анна", "bob@x", "-17", "+1", "\"q\"");
        assertThat(batch.size()).isEqualTo(4);
        assertThat(batch.sources()).startsWith(0, 1, 2, 3);
        assertThat(batch.targets()).startsWith(1, 2, 0, 4);
        assertThat(batch.weight(0)).isNaN();
        assertThat(batch.weight(1)).isEqualTo(0.5);
        assertThat(batch.timestamp(1)).isEqualTo(99);
        assertThat(batch.weight(2)).isNaN();
        assertThat(batch.timestamp(2)).isEqualTo(5);
        assertThat(batch.weight(3)).isEqualTo(2);
        assertThat(batch.rejected()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"src,dst", "Source\tTarget\tweight", "from to", "u v"})
    void aUsualHeaderIsPassedOverAtTheTopOnly(String header) throws IOException {
        EdgeBatch batch = read("\n" + header + "\na,b\n" + header + "\n");

        assertThat(batch.source(0)).isZero();
        assertThat(known()).startsWith("a", "b");
        assertThat(batch.size() + batch.rejected().size()).isEqualTo(2);
    }

    @Test
    void anyOtherFirstLineIsAnEdge() throws IOException {
        assertThat(read("alice bob\n").size()).isEqualTo(1);
    }

    @Test
    void whatIsNoEdgeNamesNoVertex() throws IOException {
        EdgeBatch batch = read("a\nb c heavy\n,d\ne f 1 2 3\ng h\n");

        assertThat(batch.rejected())
                .extracting(RejectedRecord::reason)
                .containsExactly(
                        "target id is missing; an edge needs a source and a target",
                        "weight 'heavy' is not a finite decimal number",
                        "source id is missing; an edge needs a source and a target",
                        "there are more than four fields; an edge is source, target, weight and timestamp");
        assertThat(batch.rejected()).extracting(RejectedRecord::offset).containsExactly(1L, 2L, 3L, 4L);
        assertThat(known()).containsExactly("g", "h");
    }
}
