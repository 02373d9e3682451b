package io.cutwater.format.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFixture;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextEdgeReaderTest {
    @TempDir
    Path folder;

    private List<String> read(String content) throws IOException {
        return EdgeFileFixture.readAll(EdgeFileFixture.write(folder.resolve("edges.txt"), content));
    }

    @Test
    void usageExample() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("edges.csv.gz"), "src,dst,weight\n1,2,0.5\n2,3,0.25\n");
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFiles.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START)) {
            while (reader.read(batch, 1)) {}
            assertThat(reader.position().row()).isEqualTo(3);
            assertThat(reader.bytesRead()).isEqualTo(Files.size(file));
        }
        assertThat(batch.size()).isEqualTo(2);
        assertThat(batch.weight(1)).isEqualTo(0.25);
    }

    @Test
    void commentsAndBlankLinesArePassedOver() throws IOException {
        assertThat(read("# SNAP\n% KONECT\n\n1 2\n  # inside\n \t\n3\t4")).containsExactly("1,2", "3,4");
    }

    @Test
    void linesMayEndWithCarriageReturns() throws IOException {
        assertThat(read("# c\r\nsrc,dst\r\n1,2\r\n\r\n3,4,5\r\n6\r\n"))
                .containsExactly("1,2", "3,4,w5.0", "6: target id is missing; an edge needs a source and a target [6]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"src,dst,weight", "source\ttarget", "\"from\",\"to\"", ":START_ID,:END_ID", "_a _b"})
    void oneHeaderAtTheTopIsPassedOver(String header) throws IOException {
        assertThat(read("# comment\n" + header + "\n1,2\n")).containsExactly("1,2");
    }

    @Test
    void aSecondHeaderIsMalformed() throws IOException {
        assertThat(read("a,b\nc,d\n1,2\ne,f\n"))
                .containsExactly(
                        "1,2", "2: source id 'c' is not an integer [c,d]", "4: source id 'e' is not an integer [e,f]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"source", "1,dst", "src,2", "-a,-b", "?,?"})
    void aFirstLineWithoutTwoNamesIsNoHeader(String line) throws IOException {
        assertThat(read(line + "\n1,2\n")).hasSize(2);
    }

    @Test
    void aByteOrderMarkIsPassedOver() throws IOException {
        assertThat(read("\uFEFF1,2\n3,4\n")).containsExactly("1,2", "3,4");
        assertThat(read("\uFEFFsrc,dst\n3,4\n")).containsExactly("3,4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# only\n% comments", "src,dst\n"})
    void aFileWithoutEdgesHasNone(String content) throws IOException {
        assertThat(read(content)).isEmpty();
    }

    @Test
    void aMalformedLineIsRejectedWithItsOrigin() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt"), "1 2\n\n1 x\r\n");
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            assertThat(reader.read(batch, 10)).isTrue();
            assertThat(reader.read(batch, 10)).isFalse();
        }
        RejectedRecord rejected = batch.rejected().get(0);
        assertThat(rejected.origin()).isEqualTo(file.toString());
        assertThat(rejected.topicPartition()).isEqualTo(-1);
        assertThat(rejected.offset()).isEqualTo(3);
        assertThat(rejected.key()).isNull();
        assertThat(rejected.value()).asString().isEqualTo("1 x");
    }

    @Test
    void aReadEndsAfterManyRejectedLines() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt"), "garbage\n".repeat(2500) + "1 2\n");
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            for (int expected : new int[] {1024, 1024, 452}) {
                assertThat(reader.read(batch, 10)).isTrue();
                assertThat(batch.rejected()).hasSize(expected);
                batch.clear();
            }
            assertThat(reader.read(batch, 10)).isFalse();
        }
    }

    @Test
    void aLineOfMoreThanAMebibyteIsRejectedWithItsBeginning() throws IOException {
        String tooLong = "1 2 3 " + "4".repeat(3 << 20);
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt"), "1 2\n" + tooLong + "\r\n3 4\n" + tooLong);
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            assertThat(reader.read(batch, 10)).isTrue();
            assertThat(reader.position()).isEqualTo(new EdgeFilePosition(Files.size(file), 4, 0));
        }
        assertThat(batch.size()).isEqualTo(2);
        assertThat(batch.rejected()).extracting(RejectedRecord::offset).containsExactly(2L, 4L);
        assertThat(batch.rejected().get(0).reason()).isEqualTo("the line is longer than 1048576 bytes");
        assertThat(batch.rejected().get(0).value())
                .asString()
                .hasSize(Lines.KEPT_OF_TOO_LONG)
                .startsWith("1 2 3 444");
    }

    @Test
    void aLineOfOneMebibyteIsNotTooLong() throws IOException {
        String padding = " ".repeat((1 << 20) - 3);
        assertThat(read("1 2" + padding + "\r\n3 4\n")).containsExactly("1,2", "3,4");
        assertThat(read("1 2 " + padding + "\n3 4\n").get(1)).startsWith("1: the line is longer than");
    }

    @Test
    void aLongCommentIsPassedOver() throws IOException {
        assertThat(read("1 2\n# " + "c".repeat(3 << 20) + "\n3 4\n")).containsExactly("1,2", "3,4");
    }

    @Test
    void aFolderAMissingFileAndALostPositionAreSentences() throws IOException {
        assertThatThrownBy(() -> EdgeFileFixture.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + " is a folder. Name the files in it.");
        Path missing = folder.resolve("missing.txt");
        assertThatThrownBy(() -> EdgeFileFixture.open(missing))
                .isInstanceOf(IOException.class)
                .hasMessage(missing + " does not exist. Check the path.");
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt"), "1 2\n");
        assertThatThrownBy(() -> EdgeFiles.open(file, EdgeFileFormat.TEXT, new EdgeFilePosition(5, 2, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is shorter than when it was read before");
    }

    @Test
    void anUnreadableFileIsASentence() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt"), "1 2\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(file), "this user reads every file");
        assertThatThrownBy(() -> EdgeFileFixture.open(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " may not be read by this user. Check its permissions.");
    }
}
