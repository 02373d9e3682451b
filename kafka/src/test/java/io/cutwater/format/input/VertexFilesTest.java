package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.testkit.SharedData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VertexFilesTest {
    @TempDir
    Path temp;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(temp.resolve(name), content);
    }

    /** One line for each vertex: id, label, split, features. */
    private static List<String> read(VertexFiles files) throws IOException {
        List<String> rows = new ArrayList<>();
        VertexShape shape = files.measure();
        try (VertexFileReader reader = files.open(shape)) {
            while (reader.next()) {
                rows.add("%d %d %s %s"
                        .formatted(
                                reader.vertex(),
                                reader.label(),
                                reader.split().label(),
                                Arrays.toString(Arrays.copyOf(reader.features(), shape.featureCount()))));
            }
        }
        assertThat(rows).hasSize((int) shape.rows());
        return rows;
    }

    @Test
    void libsvmHasAsManyFeaturesAsItsLargestIndexAndALabelBesideThem() throws IOException {
        Path svm = file("f.svm", "# a comment\n4 1:0.5 3:-2\n-1\n0 \t 2:1e2  4:7 \r\n");
        VertexFiles files = new VertexFiles(svm, null, null);
        assertThat(files.measure()).isEqualTo(new VertexShape(3, 4, true, false, false));
        assertThat(read(files))
                .containsExactly(
                        "0 4 none [0.5, 0.0, -2.0, 0.0]",
                        "1 -1 none [0.0, 0.0, 0.0, 0.0]",
                        "2 0 none [0.0, 100.0, 0.0, 7.0]");
    }

    @Test
    void libsvmMayNameItsVertices() throws IOException {
        Path svm = file("f.svm", "2 qid:-5 1:3.5\n-1 qid:900\n");
        VertexFiles files = new VertexFiles(svm, null, null);
        assertThat(files.hasIds()).isTrue();
        assertThat(files.measure()).isEqualTo(new VertexShape(2, 1, true, false, true));
        assertThat(read(files)).containsExactly("-5 2 none [3.5]", "900 -1 none [0.0]");
        Path split = file("split.txt", "none\ntrain\n");
        assertThat(new VertexFiles(svm, null, split).trainingVertices()).containsExactly(900);
    }

    @Test
    void verticesMayBeTexts() throws IOException {
        TextIds ids = new TextIds(3);
        String[] contents = {"id,a\nuser:1,0.5\n17,2\n", "1 qid:user:1 1:0.5\n0 qid:17 1:2\n"};
        for (int i = 0; i < contents.length; i++) {
            VertexFiles files =
                    new VertexFiles(file(i == 0 ? "t.csv" : "t.svm", contents[i]), null, null).withNames(ids.names());
            try (VertexFileReader reader = files.open(files.measure())) {
                for (String text : new String[] {"user:1", "17"}) {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.vertex()).isEqualTo(TextHash.of(3).id(text.getBytes(StandardCharsets.UTF_8)));
                }
            }
        }
        VertexFiles wrong = new VertexFiles(file("w.csv", "id,a\nok,1\n\uFFFD,2\n"), null, null).withNames(ids.names());
        assertThatThrownBy(wrong::measure)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("w.csv: line 3 has the vertex")
                .hasMessageContaining("which is not valid UTF-8");
        VertexFiles none = new VertexFiles(file("n.csv", "id,a\n,1\n"), null, null).withNames(ids.names());
        assertThatThrownBy(none::measure).hasMessageContaining("has nothing where the text of the vertex should be");
        assertThatThrownBy(() -> new VertexFiles(null, file("l.txt", "1\n"), null).withNames(ids.names()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not name its vertices, which --ids text needs");
    }

    @Test
    void labelsAndSplitOfTheirOwnFilesComeFirst() throws IOException {
        Path svm = file("f.txt", "0.5 1:1\nx 1:2\n");
        Path labels = file("labels.txt", "3\n-1\n");
        Path split = file("split.txt", "train\nnone\n");
        assertThat(read(new VertexFiles(svm, labels, split))).containsExactly("0 3 train [1.0]", "1 -1 none [2.0]");
        assertThat(read(new VertexFiles(null, labels, split))).containsExactly("0 3 train []", "1 -1 none []");
        assertThat(read(new VertexFiles(null, null, split))).containsExactly("0 -1 train []", "1 -1 none []");
    }

    @Test
    void aTableMayNameItsVerticesLabelsAndSplit() throws IOException {
        Path csv = file("f.csv", "f0,ID,label,f1,split\n1,-5,2,3.5,val\n-1, 900 ,-1,0,test\n");
        VertexFiles files = new VertexFiles(csv, null, null);
        assertThat(files.measure()).isEqualTo(new VertexShape(2, 2, true, true, true));
        assertThat(read(files)).containsExactly("-5 2 val [1.0, 3.5]", "900 -1 test [-1.0, 0.0]");
        Path bare = file("bare.csv", "1 2\n3 4\n");
        assertThat(read(new VertexFiles(bare, null, null)))
                .containsExactly("0 -1 none [1.0, 2.0]", "1 -1 none [3.0, 4.0]");
    }

    @Test
    void arraysAreReadRowByRow() throws IOException {
        float[] values = new float[100_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 3f;
        }
        Path npy = temp.resolve("f.npy");
        Files.write(npy, npy("<f4", "False", "(50000, 2)", values));
        VertexFiles files = new VertexFiles(npy, null, null);
        assertThat(files.measure()).isEqualTo(new VertexShape(50_000, 2, false, false, false));
        assertThat(read(files).get(49_999))
                .isEqualTo("49999 -1 none [%s, %s]".formatted(values[99_998], values[99_999]));
    }

    private static byte[] npy(String type, String order, String shape, float... values) throws IOException {
        String dict = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n".formatted(type, order, shape);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) dict.length(), 0});
        bytes.write(dict.getBytes(StandardCharsets.US_ASCII));
        ByteBuffer numbers = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.asFloatBuffer().put(values);
        bytes.write(numbers.array());
        return bytes.toByteArray();
    }

    @Test
    void textMayBeCompressed() throws IOException {
        Path labels = temp.resolve("labels.txt.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(labels))) {
            out.write("1\n2\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(read(new VertexFiles(null, labels, null))).containsExactly("0 1 none []", "1 2 none []");
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "f.svm; 4 1:1|4 0:1|; line 2 has index 0; indices are 1 to 1048576",
                "f.svm; 4 3:1 2:1|; line 1 has index 2 after index 3; indices must ascend",
                "f.svm; 4 qid:1 1:1|4 1:1|; line 2 has no qid:ID after its label, and the first row has one",
                "f.svm; 4 1:1|4 qid:1 1:1|; line 2 has qid:ID after its label, and the first row has none",
                "f.svm; 4 qid:x 1:1|; line 1 has 'qid:x' where qid: and the vertex' id should be",
                "f.svm; 4 3:x|; line 1 has 'x' where a finite number should be",
                "f.svm; 4 3|; line 1 has '3' where index:value should be; a name ending in .csv or .npy",
                "f.svm; 4 3:1e39|; line 1 has '1e39', which is beyond the range of 32-bit floats",
                "f.svm; 1.5 1:1|; line 1 has '1.5' where a label should be, an integer from 0, or -1 for none",
                "f.svm; -2 1:1|; line 1 has '-2' where a label should be",
                "f.svm; 1 1:1||1 1:1|; line 2 is empty; each vertex has a line",
                "f.csv; a,b|1,2|1|; line 3 has nothing where a finite number should be",
                "f.csv; a,b|1,2,3|; line 2 has text after its last field",
                "f.csv; a,id|1,x|; line 2 has 'x' where the vertex' id should be",
                "f.csv; a,id,vertex|1,2,3|; line 1 has two columns for the id",
                "f.csv; a,split|1,trial|; line 2 has 'trial' where one of train, val, test and none should be",
                "f.csv; # nothing|; f.csv has no line",
            })
    void refusesARowThatIsNotWhatItShouldBe(String name, String content, String sentence) throws IOException {
        VertexFiles files = new VertexFiles(file(name, content.replace('|', '\n')), null, null);
        assertThatThrownBy(files::measure)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(temp.resolve(name).toString())
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesLabelsAndSplitsThatAreNone() throws IOException {
        refuses(null, file("l.txt", "1\n2 3\n"), null, "l.txt: line 2 has text after its last field");
        refuses(null, file("l.txt", "x\n"), null, "line 1 has 'x' where a label should be");
        refuses(
                null,
                null,
                file("s.txt", "train\nvalid\n"),
                "line 2 has 'valid' where one of train, val, test and none");
    }

    @Test
    void refusesFilesOfDifferentLengths() throws IOException {
        Path two = file("two.txt", "1\n2\n");
        Path three = file("three.txt", "train\nval\ntest\n");
        refuses(null, two, three, "two.txt ends after row 2, and %s continues".formatted(three));
        refuses(file("four.csv", "1\n1\n1\n1\n"), null, three, "three.txt ends after row 3, and ");
    }

    @Test
    void refusesFilesWithoutRows() throws IOException {
        Path empty = file("empty.svm", "");
        refuses(empty, null, null, empty + " has no row");
        refuses(null, empty, file("none.txt", ""), empty + " has no row");
    }

    @Test
    void refusesArraysOfAnotherKind() throws IOException {
        Path npy = temp.resolve("f.npy");
        Files.write(npy, npy("<f8", "False", "(1, 1)", 1, 2));
        refuses(npy, null, null, "features must be little-endian float32 in C order ('<f4'), not '<f8'");
        Files.write(npy, npy("<f4", "True", "(2, 1)", 1, 2));
        refuses(npy, null, null, "not '<f4' in Fortran order");
        Files.write(npy, npy("<f4", "False", "(2,)", 1, 2));
        refuses(npy, null, null, "features must be an array of shape (n, d), d from 1 to 1048576, not (2,)");
        Files.write(npy, npy("<f4", "False", "(2, 2)", 1, 2, 3));
        refuses(npy, null, null, "bytes, but its header says");
        Files.write(npy, npy("<f4", "False", "(2, 1)", 1, Float.NaN));
        refuses(npy, null, null, "row 1, column 0 is NaN; features must be finite");
        Files.write(temp.resolve("f.npy.gz"), new byte[] {1});
        refuses(temp.resolve("f.npy.gz"), null, null, "npy files are read as they are, not in .gz");
    }

    private static void refuses(@Nullable Path features, @Nullable Path labels, @Nullable Path split, String sentence) {
        assertThatThrownBy(() -> new VertexFiles(features, labels, split).measure())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void trainingVerticesAreSortedAndNeedNoFeaturesUnlessTheseNameThem() throws IOException {
        Path split = file("s.txt", "train\nval\ntrain\nnone\ntrain\n");
        Path unread = file("unread.svm", "1 1:1\nmalformed\n");
        assertThat(new VertexFiles(unread, null, split).trainingVertices()).containsExactly(0, 2, 4);
        Path csv = file("f.csv", "vertex\n9\n8\n-7\n6\n9\n");
        assertThat(new VertexFiles(csv, null, split).trainingVertices()).containsExactly(-7, 9);
        Path own = file("own.csv", "vertex,split\n9,train\n8,test\n");
        assertThat(new VertexFiles(own, null, null).trainingVertices()).containsExactly(9);
    }

    @Test
    void readsTheDataOfARealGraph() throws IOException {
        Path folder = SharedData.file("data/amazon-computers");
        VertexFiles files = new VertexFiles(
                folder.resolve("features.svm.gz"),
                folder.resolve("labels.txt.gz"),
                folder.resolve("split.60-20-20.txt.gz"));
        assertThat(files.measure()).isEqualTo(new VertexShape(13_752, 767, true, true, false));
        assertThat(files.trainingVertices()).hasSize(8_251).isSorted();
    }
}
